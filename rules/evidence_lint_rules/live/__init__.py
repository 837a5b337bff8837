"""Family LIVE: High web claims are fetched again in this run (chapters 3 and 4)."""
