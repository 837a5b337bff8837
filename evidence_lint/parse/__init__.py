"""Parsers: from the text of artifacts to typed, located models."""
