"""A small repository made by real Git: several commits, odd names, tests; ids are the same for the same seed."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

_NOUNS = ["lease", "quota", "shard", "ticket", "voucher", "beacon", "parcel", "cursor", "digest", "ballast"]
_DATES = ["2025-02-03T09:00:00+00:00", "2025-02-05T11:30:00+00:00", "2025-02-07T16:45:00+00:00"]


@dataclass
class Checkout:
    """The repository: its folder, commit ids, their trees, and the files of each commit."""

    folder: Path
    commits: list[str] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    files: list[dict[str, str]] = field(default_factory=list)
    hex_branch: str = "abcdef1"

    def lines(self, commit: int, path: str) -> list[str]:
        """The lines of a file at a commit, as Git counts them."""
        return [line.removesuffix("\r") for line in self.files[commit][path].removesuffix("\n").split("\n")]


def _git(folder: Path, *arguments: str, date: str = _DATES[0]) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Fault Suite",
        "GIT_AUTHOR_EMAIL": "faults@example.org",
        "GIT_COMMITTER_NAME": "Fault Suite",
        "GIT_COMMITTER_EMAIL": "faults@example.org",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": date,
    }
    command = ["git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=60)
    return done.stdout.decode().strip()


def module(noun: str, rng: random.Random) -> str:
    """A module with constants, a function and a class, each of some lines."""
    upper, limit, factor = noun.upper(), rng.randint(11, 97), rng.randint(3, 9)
    return f'''"""How a {noun} is kept, renewed and given back."""

import hashlib

MAX_{upper} = {limit}
{upper}_FACTOR = {factor}


def {noun}_expired(age):
    """Tell whether the {noun} is too old."""
    if age is None:
        return False
    return age > MAX_{upper}


def {noun}_key(owner, name):
    text = f"{{owner}}/{{name}}/{{MAX_{upper}}}"
    return hashlib.sha256(text.encode()).hexdigest()[:{factor + 20}]


class {noun.title()}Store:
    capacity = {limit * factor}

    def __init__(self):
        self.rows = {{}}

    def put_{noun}(self, name, value):
        if len(self.rows) >= self.capacity:
            raise OverflowError("no room for another {noun}")
        self.rows[name] = value
        return len(self.rows)
'''


def tests_of(noun: str, package: str) -> str:
    """Tests of a module: two functions, and a class of unittest."""
    return f"""import unittest

from {package}.{noun} import MAX_{noun.upper()}, {noun.title()}Store, {noun}_expired


def test_{noun}_expires():
    assert {noun}_expired(MAX_{noun.upper()} + 1)


def test_fresh_{noun}_stays():
    assert not {noun}_expired(1)


class {noun.title()}Test(unittest.TestCase):
    def test_put_{noun}(self):
        self.assertEqual({noun.title()}Store().put_{noun}("a", 1), 1)
"""


def make_checkout(folder: Path, seed: str) -> Checkout:
    """Make the repository of a seed in a new folder."""
    rng = random.Random(f"checkout-{seed}")
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main", "--object-format=sha1")
    nouns = rng.sample(_NOUNS, 4)
    package = rng.choice(["service", "core", "depot"])
    made = Checkout(folder)
    first = {f"{package}/{noun}.py": module(noun, rng) for noun in nouns[:2]}
    first |= {f"tests/test_{noun}.py": tests_of(noun, package) for noun in nouns[:2]}
    first["README.md"] = "# The service\n\nIt keeps leases and quotas.\nNobody has to renew them by hand.\n"
    second = dict(first)
    second |= {f"{package}/{noun}.py": module(noun, rng) for noun in nouns[2:]}
    second |= {f"tests/test_{noun}.py": tests_of(noun, package) for noun in nouns[2:]}
    second["docs/naïve notes.md"] = "# Naïve notes\n\nRotation is a manual step.\nNobody is paged when it is skipped.\n"
    second["数据/说明.txt"] = "保留期限为三十天\n备份与记录的期限相同\n例外情况需要书面批准\n"
    second["legacy/crlf rules.txt"] = (
        "deployment window\r\nreleases leave on tuesdays\r\nrollbacks leave at any hour\r\n"
    )
    second["legacy/form_feed.c"] = (
        "/* page one */\nint counter;\n\x0c\n/* page two */\nint increment(int by)\n{\n    return counter += by;\n}\n"
    )
    third = dict(second)
    noun = nouns[0]
    body = third[f"{package}/{noun}.py"]
    third[f"{package}/{noun}.py"] = body.replace("\n\nimport", "\n\n# Renewed by the nightly job.\n\nimport", 1)
    third["README.md"] += "\nThe limits were raised after feedback.\n"
    subjects = [f"feat: keep a {nouns[0]}", "feat: odd names & a second store (#17)", f"docs: say who renews a {noun}"]
    for date, subject, files in zip(_DATES, subjects, (first, second, third), strict=True):
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", subject, date=date)
        made.commits.append(_git(folder, "rev-parse", "HEAD"))
        made.trees.append(_git(folder, "rev-parse", "HEAD^{tree}"))
        made.subjects.append(subject)
        made.files.append(files)
    _git(folder, "branch", made.hex_branch, made.commits[0])
    return made
