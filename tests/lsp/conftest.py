from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evidence_lint.model.example import COMMIT, TREE, Example, research_example
from evidence_lint.testing import make_repository
from tests.lsp.lsp_client import Client

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture(scope="module")
def client(top: Path) -> Iterator[Client]:
    """One server for the tests of a file; each works in a folder of its own."""
    with Client(top) as made:
        yield made


@pytest.fixture
def write(top: Path, request: pytest.FixtureRequest) -> Write:
    """Writes a bundle that differs from a clean one as told; returns its folder."""
    folder = top / request.node.name.replace("[", "-").replace("]", "")

    def make(example: Example | None = None, **parts: Any) -> Path:
        chosen = example or research_example("", **parts)
        ids: dict[str, str] = {}
        if chosen.repository is not None:
            ids = make_repository(folder, chosen.repository)
        folder.mkdir(exist_ok=True)
        for name, text in chosen.files.items():
            filled = text.replace(COMMIT, ids.get(COMMIT, "")).replace(TREE, ids.get(TREE, ""))
            (folder / name).write_bytes(filled.encode())
        return folder

    return make
