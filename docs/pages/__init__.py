"""Sources of generated pages: each module has ``pages()``, which yields (path, text)."""
