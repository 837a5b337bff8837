"""Family SUP: an exact excerpt proves that words are real, not that they carry the claim (chapter 3)."""
