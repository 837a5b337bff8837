"""Pages that are files of the repository: how to contribute, and what changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent.parent
_FILES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def pages() -> Iterator[tuple[str, str]]:
    """Each file, its links into docs/ made links of the site."""
    for name, path in _FILES.items():
        yield (
            path,
            (_ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](").replace("](README.md", "](index.md"),
        )
