"""Small real Git repositories with fixed ids, and bundles' records that speak about them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from evidence_lint.model.artifact import JSON, Artifact, Medium
from evidence_lint.model.records import Records
from evidence_lint.parse.records import read_records
from evidence_lint.sources.git import GitRepository
from evidence_lint.witness.claims import Claims, read_claims

START = 1_735_700_000
"""Seconds since the epoch (2025-01-01T02:53:20Z) at which the first commit is made; each later one an hour on."""


class Builder:
    """Writes a repository with plain Git: fixed dates and names, no configuration of the user or the system."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self._when = START
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Fixture",
            "GIT_AUTHOR_EMAIL": "fixture@example.org",
            "GIT_COMMITTER_NAME": "Fixture",
            "GIT_COMMITTER_EMAIL": "fixture@example.org",
            "GIT_AUTHOR_DATE": f"{self._when} +0000",
            "GIT_COMMITTER_DATE": f"{self._when} +0000",
        }
        command = ["git", "-c", "core.autocrlf=false", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, check=False, cwd=self.root, env=environment, capture_output=True, timeout=60)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.decode().strip()

    def put(self, path: str, data: str | bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def link(self, path: str, target: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).symlink_to(target)

    def commit(self, files: Mapping[str, str | bytes] | None = None, message: str = "change") -> str:
        """Write the files and commit everything; returns the id."""
        for path, data in (files or {}).items():
            self.put(path, data)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        self._when += 3600
        return self.git("rev-parse", "HEAD")

    def tree(self, commit: str = "HEAD") -> str:
        return self.git("rev-parse", f"{commit}^{{tree}}")

    def open(self) -> GitRepository:
        return GitRepository.open(self.root)


def records_of(
    evidence: JSON, *, root: JSON = "/srv/checkout", findings: Sequence[JSON] = ()
) -> tuple[Records, Claims]:
    """The records and claims of a bundle with these rows in code_evidence.json and findings.json."""
    documents: dict[str, JSON] = {
        "findings": {"findings": list(findings)},
        "code_evidence": {"evidence": evidence} if root is None else {"root": root, "evidence": evidence},
    }
    artifacts = {
        name: Artifact(name, Path(f"{name}.json"), Medium.JSON, json.dumps(data), data)
        for name, data in documents.items()
    }
    records = read_records(artifacts)
    return records, read_claims(records)
