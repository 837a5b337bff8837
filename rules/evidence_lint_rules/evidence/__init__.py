"""Family EVID: what the records cite as evidence, before it is held against anything (chapters 2 and 3)."""
