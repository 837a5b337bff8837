"""Real Git repositories for the tests of the Git source."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from evidence_lint.sources.git import GitRepository

IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
}


class Sample:
    """A repository that a test writes with ordinary Git."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self.tick = 1_741_000_000
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    @classmethod
    def at(cls, root: Path) -> Sample:
        sample = cls.__new__(cls)
        sample.root, sample.tick = root, 1_742_000_000
        return sample

    def run(
        self, *arguments: str | bytes, given: bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        stamp = f"{self.tick} +0100"
        clean |= IDENTITY | {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp} | dict(env or {})
        return subprocess.run(
            ["git", *arguments], check=False, cwd=self.root, env=clean, input=given, capture_output=True, timeout=60
        )

    def git(self, *arguments: str | bytes, given: bytes = b"") -> str:
        done = self.run(*arguments, given=given)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def put(self, path: str | bytes, data: bytes) -> Path:
        target = self.root / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        return target

    def commit(self, message: str = "change", **files: bytes) -> str:
        """Commit everything, after writing ``files`` (``__`` in a name stands for a slash, ``_`` for a dot)."""
        for name, data in files.items():
            self.put(name.replace("__", "/").replace("_", "."), data)
        self.tick += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def open(self) -> GitRepository:
        return GitRepository.open(self.root)


def inventory(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file below a folder with its mode, modification time and content: proof that nothing was written."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_mtime_ns, content)
    return found
