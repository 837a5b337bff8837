"""Records of repository evidence for clean bundles: code, commits, receipts."""

from __future__ import annotations

import random
from typing import Any

from tests.faults.checkout import Checkout
from tests.faults.draft import sha256


class RepositoryRows:
    """Makes records about a checkout; each line of it is cited once."""

    def __init__(self, rng: random.Random, checkout: Checkout) -> None:
        self.rng = rng
        self.checkout = checkout
        self.root = "/srv/author/checkout"
        self.rows: list[dict[str, Any]] = []
        self.used: set[tuple[str, int]] = set()

    def _places(self, commit: int) -> list[tuple[str, int, int, str, str]]:
        """Path, first line, number of lines, title and claim of what can be cited at a commit."""
        found: list[tuple[str, int, int, str, str]] = []
        for path in self.checkout.files[commit]:
            lines = self.checkout.lines(commit, path)
            for number, line in enumerate(lines, start=1):
                name, _, value = line.partition(" = ")
                if line.startswith("def ") and path.endswith(".py") and "test" not in path:
                    name = line.split("(")[0].removeprefix("def ")
                    found.append((path, number, 3, f"{name} is a function", f"The function {name} is defined there."))
                elif name.isupper() and "_" in name:
                    found.append((path, number, 1, f"{name} is {value}", f"The constant {name} is {value} there."))
                elif line.strip().startswith(("return ", "raise ")) and "test" not in path:
                    words = line.strip().split()[0]
                    found.append(
                        (path, number, 1, f"Line {number} of {path}", f"The file has a {words} statement there.")
                    )
                elif line.startswith(("Nobody", "Rotation", "releases", "保留", "int increment")):
                    found.append((path, number, 1, f"What line {number} of {path} says", f"The file says: {line}"))
        return found

    def code(self, *, pinned: bool, path: str = "", commit: int | None = None) -> tuple[dict[str, Any], str, str]:
        """A code record with a title and a claim."""
        at = self.rng.randrange(3) if commit is None else commit
        at = at if pinned else 2
        places = [
            place for place in self._places(at) if (place[0], place[1]) not in self.used and path in {"", place[0]}
        ]
        where, line, count, title, claim = self.rng.choice(places)
        self.used |= {(where, number) for number in range(line - 2, line + 3)}
        count = self.rng.choice([count, 1])
        excerpt = "\n".join(self.checkout.lines(at, where)[line - 1 : line - 1 + count])
        record = {
            "id": f"code-{len(self.rows) + 1}",
            "kind": "code",
            "path": where,
            "line": line,
            "excerpt": excerpt,
            "commit": self.checkout.commits[at] if pinned else "working-tree-unpinned",
            "snapshot": "commit" if pinned else "worktree",
        }
        self.rows.append(record)
        return record, title, claim

    def commit(self) -> dict[str, Any]:
        """A commit record."""
        at = self.rng.randrange(3)
        record = {
            "id": f"commit-{len(self.rows) + 1}",
            "kind": "commit",
            "commit": self.checkout.commits[at],
            "subject": self.checkout.subjects[at],
        }
        self.rows.append(record)
        return record

    def runtime(self) -> tuple[list[dict[str, Any]], dict[str, Any], str, str, str]:
        """Code records of one module, a receipt that covers them, the finding's id, a title and a claim."""
        modules = [path for path in self.checkout.files[1] if path.endswith(".py") and "test" not in path]
        path = self.rng.choice([path for path in modules if not any(path == used for used, _ in self.used)])
        noun = path.rpartition("/")[2].removesuffix(".py")
        codes = [self.code(pinned=True, path=path, commit=1)[0] for _ in range(self.rng.randint(1, 2))]
        identifier = f"finding-{noun}-expiry"
        receipt = self._receipt(noun, path, [identifier, *(code["id"] for code in codes)])
        self.rows.append(receipt)
        claim = f"A {noun} that is older than the limit counts as expired, and the test of {noun}_expired shows it."
        return codes, receipt, identifier, f"An old {noun} expires", claim

    def _receipt(self, noun: str, path: str, covers: list[str]) -> dict[str, Any]:
        unittest = self.rng.random() < 0.4
        tests = f"tests/test_{noun}.py"
        if unittest:
            selector = f"tests.test_{noun}.{noun.title()}Test.test_put_{noun}"
            argv = ["python3", "-m", "unittest", selector]
        else:
            selector = f"{tests}::test_{noun}_expires"
            argv = self.rng.choice([["pytest", "-q", selector], ["python", "-m", "pytest", selector]])
        number = len(self.rows) + 1
        return {
            "schema": "deep-research/host-test-receipt-v2",
            "id": f"test-{number}",
            "kind": "test",
            "origin": "host-tool",
            "execution_id": sha256(f"{noun}-{number}-{self.rng.random()}"),
            "argv": argv,
            "command": " ".join(argv),
            "framework": "unittest" if unittest else "pytest",
            "test_target": selector,
            "selectors": [selector],
            "tested_paths": [path, tests],
            "covers": covers,
            "repository": {
                "root": self.root,
                "head_commit": self.checkout.commits[1],
                "tree_hash": self.checkout.trees[1],
                "dirty": False,
            },
            "started_at": "2025-03-06T07:00:00+00:00",
            "finished_at": "2025-03-06T07:00:41+00:00",
            "duration_seconds": 41.0,
            "exit_code": 0,
            "status": "passed",
            "summary": "OK" if unittest else "1 passed in 40.02s",
            "stdout_summary": "",
            "stderr_summary": "",
            "stdout_sha256": sha256("out"),
            "stderr_sha256": sha256("err"),
            "relevance_review": {
                "status": "approved",
                "reviewer": "R. Viewer",
                "rationale": f"The selected test drives {noun}_expired past its limit.",
                "reviewed_at": "2025-03-06T08:00:00+00:00",
            },
        }

    def shown(self, record: dict[str, Any]) -> dict[str, str]:
        """What the index shows of a record."""
        if record["kind"] == "code":
            return {name: str(record[name]) for name in ("id", "path", "line", "excerpt", "commit")}
        if record["kind"] == "commit":
            return {name: record[name] for name in ("id", "commit", "subject")}
        return {
            "id": record["id"],
            "framework": record["framework"],
            "target": record["test_target"],
            "status": record["status"],
            "exit": str(record["exit_code"]),
            "commit": record["repository"]["head_commit"],
            "tree": record["repository"]["tree_hash"],
            "covers": ", ".join(record["covers"]),
            "relevance": record["relevance_review"]["status"],
            "summary": record["summary"],
        }
