#!/usr/bin/env bash
# Installs evidence-lint for the action: a version from the index, or the action's own checkout.
set -euo pipefail
if [ -n "${VERSION:-}" ]; then
  python -m pip install --quiet --disable-pip-version-check "evidence-lint[pdf]==${VERSION}"
else
  python -m pip install --quiet --disable-pip-version-check "${ACTION_PATH}[pdf]"
fi
evidence-lint --version
