"""Family BUD: the budget ledger and what it says about the run (chapter 2)."""
