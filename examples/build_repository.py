"""Make the small Git repository that the bundles ``codebase``, ``runtime`` and ``hybrid-live`` speak about.

    python examples/build_repository.py /tmp/demo
    evidence-lint check examples/codebase --repo /tmp/demo

Names, dates and contents are fixed, so the object ids are the same on every machine and the committed records hold.
The folder must be new or empty. Needs Git; nothing else is installed or run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

README = """\
# Lending

Loans of the village library: due dates and renewals.
"""

README_WITH_RENEWALS = (
    README
    + """
A renewal starts a new period on the day on which it is made. It does not add to the old one.
"""
)

PYPROJECT = """\
[project]
name = "lending"
version = "1.2.0"
requires-python = ">=3.11"

[tool.pytest.ini_options]
pythonpath = ["."]
"""

LOANS_AT_FIRST = '''\
"""Loans of the village library: due dates and renewals."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

LOAN_DAYS = 21
RENEWALS = 1


class Refused(Exception):
    """A renewal that the rules do not allow; the text says why."""


@dataclass(frozen=True)
class Loan:
    item: str
    due: date
    renewals: int = 0


def lend(item: str, today: date) -> Loan:
    return Loan(item, today + timedelta(days=LOAN_DAYS))


def renew(loan: Loan, today: date) -> Loan:
    if loan.renewals >= RENEWALS:
        raise Refused("no renewal is left")
    return replace(loan, due=today + timedelta(days=LOAN_DAYS), renewals=loan.renewals + 1)
'''

LOANS = LOANS_AT_FIRST.replace("RENEWALS = 1", "RENEWALS = 2").replace(
    "def renew(loan: Loan, today: date) -> Loan:\n",
    "def renew(loan: Loan, today: date, reserved: bool = False) -> Loan:\n"
    "    if reserved:\n"
    '        raise Refused("another reader waits for this item")\n',
)

TESTS_AT_FIRST = """\
from datetime import date

import pytest

from lending.loans import Refused, lend, renew

MONDAY = date(2026, 3, 2)


def test_a_loan_is_due_after_three_weeks() -> None:
    assert lend("atlas", MONDAY).due == date(2026, 3, 23)


def test_the_last_renewal_is_refused() -> None:
    loan = renew(lend("atlas", MONDAY), MONDAY)
    with pytest.raises(Refused, match="no renewal is left"):
        renew(loan, MONDAY)
"""

TESTS = (
    TESTS_AT_FIRST.replace(
        '    loan = renew(lend("atlas", MONDAY), MONDAY)\n',
        '    loan = renew(renew(lend("atlas", MONDAY), MONDAY), MONDAY)\n',
    )
    + """

def test_a_reserved_item_is_refused() -> None:
    with pytest.raises(Refused, match="another reader waits"):
        renew(lend("atlas", MONDAY), MONDAY, reserved=True)
"""
)


@dataclass(frozen=True)
class Step:
    """One commit: its subject, its date, and the files that it writes."""

    subject: str
    date: str
    files: Mapping[str, str]


HISTORY = (
    Step(
        "feat: lend items for three weeks",
        "2026-01-12T09:00:00+00:00",
        {
            ".gitignore": "__pycache__/\n.pytest_cache/\n",
            "README.md": README,
            "pyproject.toml": PYPROJECT,
            "lending/__init__.py": "",
            "lending/loans.py": LOANS_AT_FIRST,
            "tests/test_loans.py": TESTS_AT_FIRST,
        },
    ),
    Step(
        "feat: allow a second renewal unless somebody waits",
        "2026-02-03T14:30:00+00:00",
        {"lending/loans.py": LOANS, "tests/test_loans.py": TESTS},
    ),
    Step(
        "docs: say when a renewal starts",
        "2026-02-04T08:15:00+00:00",
        {"README.md": README_WITH_RENEWALS},
    ),
)


def build(folder: Path) -> list[str]:
    """Make the repository in a new or empty ``folder``; return the ids of its commits, oldest first."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty: name a new folder")
    _git(folder, "init", "-q", "--template=", "--object-format=sha1", "--initial-branch=main")
    commits: list[str] = []
    for step in HISTORY:
        for path, text in step.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", step.subject, date=step.date)
        commits.append(_git(folder, "rev-parse", "HEAD"))
    return commits


def _git(folder: Path, *arguments: str, date: str = "") -> str:
    # Nothing of the machine may reach the objects: no configuration, hooks, signing, or Git's own variables.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Ada Reader", f"GIT_{role}_EMAIL": "ada@library.example"}
        if date:
            environment[f"GIT_{role}_DATE"] = date
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "-c", "core.fileMode=false", *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def main(arguments: list[str]) -> int:
    """Build the repository in the folder that is named, and print its commits."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    for commit, step in zip(build(Path(arguments[0])), HISTORY, strict=True):
        print(commit, step.subject)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
