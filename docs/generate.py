"""The pages of the documentation that are made from the code: rules, commands, settings, schemas, hooks, formats.

A hook of MkDocs (``hooks`` in mkdocs.yml): the pages exist in the build alone, so they cannot be out of date. To read
them without MkDocs: ``python docs/generate.py FOLDER``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "docs") not in sys.path:
    sys.path.insert(0, str(ROOT / "docs"))

from pages import commands, hooks, repository, rules, schemas, settings  # noqa: E402 - beside this file, in no package

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_GUESTS = ("extraction.md", "fault-injection.md")
"""Pages that others write, shown when they are there."""


def pages() -> Mapping[str, str]:
    """Every generated file by its path in the site, pages as Markdown."""
    made: dict[str, str] = {}
    for source in (rules, commands, settings, schemas, hooks, repository):
        for path, text in source.pages():
            if path in made:
                raise ValueError(f"two sources make {path}")
            made[path] = text
    return made


def navigation() -> list[dict[str, Any]]:
    """The rules by family, as MkDocs wants its navigation."""
    return [{"All rules": "rules/index.md"}, *rules.navigation()]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the parts of the navigation that depend on what there is."""
    nav: list[dict[str, Any]] = config.nav or []
    for section in nav:
        if "Rules" in section:
            section["Rules"] = navigation()
        if "Background" in section:
            there = [name for name in _GUESTS if (Path(config.docs_dir) / name).exists()]
            section["Background"] += [name for name in there if name not in section["Background"]]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the generator itself works without MkDocs

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def write(folder: Path) -> Iterator[Path]:
    """Write the generated files below ``folder``."""
    for path, text in pages().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        yield target


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/generate.py FOLDER")
    sys.stdout.write(f"{sum(1 for _ in write(Path(sys.argv[1])))} files\n")
