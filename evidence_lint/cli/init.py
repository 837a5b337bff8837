"""``evidence-lint init``: the files of a first use: configuration, pre-commit entry, workflow, and a first bundle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from evidence_lint.errors import OutputError
from evidence_lint.model.example import research_example
from evidence_lint.version import __version__

REPOSITORY = "https://github.com/evidence-lint/evidence-lint"

_CONFIGURATION = """\
# evidence-lint: what is checked here. `evidence-lint rules` lists the rules, `evidence-lint explain CODE` explains one.
# A gate reads this file from the protected branch: evidence-lint check --policy-from origin/main

# select = ["ALL"]
# ignore = []
fail-on = "error"

# Rules that a report or a record may suppress itself, with a reason, where a gate reads the policy from a revision.
suppressible = []

# [severity]
# CIT102 = "info"

# [[authority]]
# host = "docs.example.org"
# level = "project-owned"
# reason = "The documentation host of our own project"
# project = "example"
# checked = 2026-01-01

[gate]
# Findings of these families cannot be suppressed by anybody.
unsuppressible = ["LIVE", "CONF"]
# required-rules = ["WEB104", "CODE108"]
"""

_PRE_COMMIT = f"""\
repos:
  - repo: {REPOSITORY}
    rev: v{__version__}
    hooks:
      - id: evidence-lint
"""

_WORKFLOW = """\
name: evidence-lint
on:
  pull_request:
    paths: ["**/*.md", "**/*.json", "evidence-lint.toml"]
permissions:
  contents: read
jobs:
  evidence:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # pinned commits and the policy's revision are looked up in the history
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install evidence-lint
      - run: >
          evidence-lint check
          --policy-from "origin/${{ github.base_ref }}"
          --format github
          --format markdown --output "$GITHUB_STEP_SUMMARY"
"""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that ``init`` offers."""

    path: Path
    text: str
    what: str


@click.command(name="init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--bundle", default="docs/research/first", show_default=True, help="Where the first bundle goes.")
@click.option("--no-ci", is_flag=True, help="Write no workflow file and no pre-commit entry.")
def command(folder: Path, bundle: str, *, no_ci: bool) -> None:
    """Write what a first use needs into FOLDER: configuration, pre-commit entry, workflow file, and a bundle.

    Files that are there already are left as they are.
    """
    for file in _files(folder, bundle, ci=not no_ci):
        click.echo(f"{'written' if _write(file) else 'kept   '}  {file.path}  ({file.what})")
    click.echo(f"\nNext: evidence-lint check {folder / bundle} --offline")


def _files(folder: Path, bundle: str, *, ci: bool) -> Iterator[NewFile]:
    yield NewFile(folder / "evidence-lint.toml", _CONFIGURATION, "configuration")
    if ci:
        yield NewFile(folder / ".pre-commit-config.yaml", _PRE_COMMIT, "pre-commit entry")
        yield NewFile(folder / ".github" / "workflows" / "evidence-lint.yml", _WORKFLOW, "workflow")
    for name, text in research_example("A first bundle").files.items():
        yield NewFile(folder / bundle / name, text if text.endswith("\n") else text + "\n", "first bundle")


def _write(file: NewFile) -> bool:
    try:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        with file.path.open("x", encoding="utf-8") as output:
            output.write(file.text)
    except FileExistsError:
        return False
    except OSError as problem:
        raise OutputError(f"{file.path} cannot be written: {problem.strerror}") from problem
    return True
