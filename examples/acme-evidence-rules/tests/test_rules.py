"""The rules' own examples are their tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from acme_evidence_rules import rules

from evidence_lint.testing import ExampleCase, check_example, example_cases


@pytest.mark.parametrize("case", example_cases(rules), ids=str)
def test_example(case: ExampleCase, tmp_path: Path) -> None:
    """A passing example yields nothing, a failing one exactly what it lists."""
    check_example(case, tmp_path)
