"""Family TEST: host test receipts, checked without running anything (chapter 5)."""
