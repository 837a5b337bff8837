"""Family IN: the files of a bundle can be read."""
