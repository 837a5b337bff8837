"""The live web: an egress gate that reaches public addresses only, and captures made through it (chapter 4)."""
