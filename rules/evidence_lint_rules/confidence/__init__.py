"""Family CONF: what the report states may never exceed what the evidence earns (chapter 3)."""
