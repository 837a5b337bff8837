"""``python -m evidence_lint`` is the program ``evidence-lint``."""

import sys

# ``python -m`` looks for modules in the current folder first, which may be a checkout under examination: nothing of it
# may be imported, so the entry goes before anything else is imported. (``python -P`` and the script never have it.)
if not sys.flags.safe_path and sys.path and not __file__.startswith(sys.path[0] + "/"):
    del sys.path[0]

from evidence_lint.cli import main

if __name__ == "__main__":
    main()
