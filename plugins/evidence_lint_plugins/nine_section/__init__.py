"""The dialect of nine-section reports: finding bundles and reading them (chapters 1 and 2)."""
