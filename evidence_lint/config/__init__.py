"""Configuration: the settings and where they come from (chapter 10)."""
