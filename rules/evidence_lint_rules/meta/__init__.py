"""Family META: suppressions, baselines and the policy itself (chapter 10)."""
