"""Family WEB: web evidence held against the saved results and pages (chapter 4)."""
