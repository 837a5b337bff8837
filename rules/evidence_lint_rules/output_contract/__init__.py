"""Family OUT: the report keeps the nine-section contract (chapter 1)."""
