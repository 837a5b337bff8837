"""Every rule's own examples: a passing one yields nothing, a failing one exactly the problems it lists."""

from __future__ import annotations

from pathlib import Path

import pytest

import evidence_lint_rules
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.testing import ExampleCase, check_example, example_cases


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.mark.parametrize("case", example_cases(evidence_lint_rules), ids=str)
def test_example(case: ExampleCase, tmp_path: Path, catalogue: Catalogue) -> None:
    check_example(case, tmp_path, catalogue)
