"""Family CODE: code and commit records, held against Git (chapter 5)."""
