"""The engine: collect bundles, resolve what rules ask for, run them, and turn what happened into verdicts.

No rule, no dialect and no output format lives here.
"""
