"""Adapters to the world outside a bundle: files, Git, the web."""
