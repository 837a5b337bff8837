"""Runs what a page of documentation tells its reader to do, and compares what it shows with what happens.

In a page, read from top to bottom in one working folder:

- a fence ``console`` holds commands (lines that begin with ``$ ``, continued after a backslash) and what they print,
  where a line ``…`` stands for any lines; a command without output below it may print anything. Statuses are free
  but for a command that ends in ``|| true`` or ``echo $?``, whose output tells.
- a fence ``diff`` with file headers is applied to the files that it names.
- a fence ``toml``, ``python``, ``yaml`` or the like with a ``title="PATH"`` is written to that path.

``python tests/docs/console_support.py PAGE…`` writes the real outputs into pages that show some.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ANY = "…"
_FENCE = re.compile(r"^(?P<marks>`{3,})(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=marks)[ ]*$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="(?P<path>[^"]+)"')
_INSTALLS = re.compile(
    r"python3 -m venv|pip install|git clone|source |mkdocs|pre-commit|\.ci/run|pytest -n auto|cd evidence"
)
_COUNT = re.compile(r"[0-9]+(?= checks? (?:ran|passed)| passed)")
_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence of a page: its language, its title, its text, and where the text stands."""

    language: str
    title: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """A command with the output that the page shows, and where that stands in the page."""

    command: str
    shown: str
    start: int
    end: int

    @property
    def installs(self) -> bool:
        """Whether it makes an environment or needs the network: the test has one already."""
        return _INSTALLS.search(self.command) is not None


def fences(text: str) -> Iterator[Fence]:
    """The fences of a page."""
    for match in _FENCE.finditer(text):
        info = match["info"].strip()
        title = _TITLE.search(info)
        yield Fence(info.split(" ")[0], title["path"] if title else "", match["body"], *match.span("body"))


def steps(fence: Fence) -> Iterator[Step]:
    """The commands of a console fence."""
    for match in re.finditer(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", fence.text, re.MULTILINE):
        start, end = match.span("shown")
        yield Step(match["command"], match["shown"], fence.start + start, fence.start + end)


class Reader:
    """Follows a page in a working folder that begins with ``examples/``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        tools = folder / ".venv" / "bin"
        tools.parent.mkdir()
        tools.symlink_to(Path(sys.executable).parent)
        self._environment = _environment(tools)

    def follow(self, page: str) -> Iterator[tuple[Step, str]]:
        """Do what the page says, and yield each command with what it really printed."""
        for fence in fences(page):
            if fence.language == "console":
                for step in steps(fence):
                    if not step.installs:
                        yield step, self.run(step.command)
            elif fence.language == "diff" and fence.text.startswith("--- "):
                self.run("git apply -p0 --recount -", stdin=fence.text, check=True)
            elif fence.title:
                target = self.folder / fence.title
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(fence.text, encoding="utf-8")

    def run(self, command: str, stdin: str = "", *, check: bool = False) -> str:
        """Run one command as a shell does, both streams together."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=dict(self._environment),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_LIMIT,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{command}: {done.stdout}\n{stdin}")
        return done.stdout


def _environment(tools: Path) -> Mapping[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTEST_", "COV_"))}
    return kept | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Reader",
        "GIT_AUTHOR_EMAIL": "reader@example.org",
        "GIT_COMMITTER_NAME": "Reader",
        "GIT_COMMITTER_EMAIL": "reader@example.org",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CEILING_DIRECTORIES": str(tools.parents[2]),
    }


def agrees(shown: str, real: str) -> bool:
    """Whether the output is the one that the page shows, where a line ``…`` stands for any lines.

    How many checks ran and passed is left out of it: a new rule anywhere would change every page.
    """
    shown, real = (_COUNT.sub("N", text) for text in (shown, real))
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line.rstrip()).replace(ANY, ".*") + r"[ ]*\n"
        for line in shown.rstrip().splitlines()
    )
    return re.fullmatch(pattern, real.rstrip() + "\n") is not None


def updated(page: str) -> str:
    """The page with real outputs; those that leave some lines out are kept when they still agree."""
    with tempfile.TemporaryDirectory() as folder:
        done = list(Reader(Path(folder)).follow(page))
    for step, real in reversed(done):
        if step.shown.strip() == ANY or (step.shown.strip() and not agrees(step.shown, real)):
            tail = "\n" if step.shown.endswith("\n\n") else ""
            page = (
                page[: step.start]
                + "\n".join(line.rstrip() for line in real.rstrip().splitlines())
                + "\n"
                + tail
                + page[step.end :]
            )
    return page


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")
