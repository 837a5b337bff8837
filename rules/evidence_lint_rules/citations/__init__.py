"""Family CIT: citations and the source index (chapters 1 and 9)."""
