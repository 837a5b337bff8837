"""A repository that tries to run, fetch, forge or write: every canary is proven able to sing, and stays silent."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evidence_lint.errors import SourceError
from evidence_lint.sources.git import GitRepository, discover
from tests.sources.git_support import IDENTITY, Sample, inventory

Trap = Callable[["Lair"], object]


@dataclass
class Lair:
    """The hostile repository, the script that touches the canary, and the commits to ask for."""

    sample: Sample
    script: Path
    canary: Path

    def config(self, *pairs: str) -> None:
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            self.sample.git("config", key, value)

    def copy(self) -> Lair:
        root = self.sample.root.with_name("copy")
        shutil.copytree(self.sample.root, root, symlinks=True)
        return Lair(Sample.at(root), self.script, self.canary)

    def sings(self) -> bool:
        found = self.canary.exists()
        self.canary.unlink(missing_ok=True)
        return found


@pytest.fixture
def lair(tmp_path: Path) -> Lair:
    sample = Sample(tmp_path / "repo")
    script, canary = tmp_path / "trap.sh", tmp_path / "canary"
    script.write_text(f"#!/bin/sh\ntouch {canary}\nexit 1\n")
    script.chmod(0o755)
    sample.put(".gitattributes", b"*.txt filter=evil diff=evil merge=evil\n")
    sample.commit("one", a_txt=b"one\n")
    sample.put("-n", b"dash\n")
    sample.put("--output=canary", b"dash\n")
    sample.commit("two", a_txt=b"two\n")
    return Lair(sample, script, canary)


def ask_everything(root: Path) -> GitRepository:
    """Call every public method, on honest and on hostile arguments, and return the closed repository."""
    plain = {"GIT_GRAFT_FILE": os.devnull, "GIT_NO_REPLACE_OBJECTS": "1"}
    history = Sample.at(root).run("-c", "core.commitGraph=false", "rev-list", "--reverse", "--all", env=plain)
    first, second = history.stdout.decode().split()[:2]
    odd: list[str | bytes] = [
        "a.txt",
        "-n",
        "--output=canary",
        b"\xff\n",
        "--textconv",
        "\ud800",
        "",
        "x\0y",
        ":(exclude)a",
    ]
    discover(root)
    with GitRepository.open(root) as repository:
        properties = (repository.root, repository.git_dir, repository.object_format, repository.is_shallow)
        assert all(value is not None for value in properties)
        assert not repository.is_partial or repository.has_grafts in (True, False)
        assert repository.has_alternates in (True, False)
        for digits in (first, second[:8], "HEAD", "--output=canary", "abcdef1", "f" * 40):
            repository.resolve(digits)
        assert repository.reachable([first, second, "--output=canary", "f" * 40]) == {first, second}
        assert repository.head() is not None
        repository.commit(second)
        for path in odd:
            entry = repository.entry(second, path)
            if entry is not None:
                _may_fail(lambda oid=entry.oid: repository.blob(oid))  # type: ignore[misc]
            repository.worktree_file(path)
            repository.find_lines(second, [b"--output=canary"], path)
            repository.find_lines(first, [b"-Otouch canary"], path)
            repository.last_change(path, 1, 1, first)
            _may_fail(lambda path=path: repository.is_dirty(path))  # type: ignore[misc]
        for oid in ("--output=canary", "-n", "HEAD", f"{first}\n{second}", "f" * 40):
            _may_fail(lambda oid=oid: repository.commit(oid))  # type: ignore[misc]
            _may_fail(lambda oid=oid: repository.blob(oid))  # type: ignore[misc]
            _may_fail(lambda oid=oid: repository.entry(oid, "a.txt"))  # type: ignore[misc]
            repository.last_change("a.txt", 1, 1, oid)
        repository.is_dirty()
        repository.snapshot()
    return repository


def _may_fail(call: Callable[[], object]) -> None:
    try:
        call()
    except SourceError as error:
        assert str(error)


def dirty(lair: Lair) -> None:
    lair.sample.put("a.txt", b"three\n")


def on_terminal(lair: Lair, *arguments: str) -> None:
    """Run git with a terminal for its output, without which it starts no pager."""
    leader, follower = pty.openpty()
    try:
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.Popen(
            ["git", *arguments],
            cwd=lair.sample.root,
            env=env | IDENTITY | {"TERM": "xterm"},
            stdin=subprocess.DEVNULL,
            stdout=follower,
            stderr=follower,
        )
        done.wait(timeout=20)
    finally:
        os.close(follower)
        os.close(leader)


def lose(lair: Lair, name: str) -> None:
    oid = lair.sample.git("rev-parse", name)
    (lair.sample.root / ".git/objects" / oid[:2] / oid[2:]).unlink()


def plant_submodule(lair: Lair) -> None:
    inner = Sample(lair.sample.root / "lib")
    oid = inner.commit("inner", f_txt=b"x\n")
    lair.sample.git("update-index", "--add", "--cacheinfo", f"160000,{oid},lib")
    lair.sample.git("commit", "-q", "-m", "three")
    inner.git("config", "core.fsmonitor", str(lair.script))


# name -> (how it is set, how ordinary Git springs it)
TRAPS: dict[str, tuple[Trap, Trap]] = {
    "core.fsmonitor": (
        lambda lair: lair.config("core.fsmonitor", str(lair.script)),
        lambda lair: lair.sample.run("status"),
    ),
    "include.path": (
        lambda lair: (
            (
                lair.script.with_name("more.cfg").write_text(f"[core]\n\tfsmonitor = {lair.script}\n"),
                lair.config("include.path", str(lair.script.with_name("more.cfg"))),
            )
        ),
        lambda lair: lair.sample.run("status"),
    ),
    "core.hooksPath": (
        lambda lair: (
            (
                lair.script.with_name("hooks").mkdir(),
                shutil.copy(lair.script, lair.script.with_name("hooks") / "post-checkout"),
                shutil.copy(lair.script, lair.script.with_name("hooks") / "post-index-change"),
                lair.config("core.hooksPath", str(lair.script.with_name("hooks"))),
            )
        ),
        lambda lair: lair.sample.run("checkout", "-q", "HEAD~1"),
    ),
    "hook post-checkout": (
        lambda lair: shutil.copy(lair.script, lair.sample.root / ".git/hooks/post-checkout"),
        lambda lair: lair.sample.run("checkout", "-q", "HEAD~1"),
    ),
    "hook post-index-change": (
        lambda lair: shutil.copy(lair.script, lair.sample.root / ".git/hooks/post-index-change"),
        lambda lair: (os.utime(lair.sample.root / "a.txt", (5, 5)), lair.sample.run("status")),
    ),
    "filter.clean": (
        lambda lair: (lair.config("filter.evil.clean", str(lair.script)), dirty(lair)),
        lambda lair: lair.sample.run("add", "a.txt"),
    ),
    "filter.smudge": (
        lambda lair: lair.config("filter.evil.smudge", str(lair.script)),
        lambda lair: lair.sample.run("checkout", "-q", "HEAD~1"),
    ),
    "filter.process": (
        lambda lair: (lair.config("filter.evil.process", str(lair.script)), dirty(lair)),
        lambda lair: lair.sample.run("add", "a.txt"),
    ),
    "diff.textconv": (
        lambda lair: lair.config("diff.evil.textconv", str(lair.script)),
        lambda lair: lair.sample.run("show", "HEAD"),
    ),
    "diff.command": (
        lambda lair: lair.config("diff.evil.command", str(lair.script)),
        lambda lair: lair.sample.run("diff", "HEAD~1", "HEAD"),
    ),
    "diff.external": (
        lambda lair: lair.config("diff.external", str(lair.script)),
        lambda lair: lair.sample.run("diff", "HEAD~1", "HEAD", "--", ".gitattributes", "--", "-n"),
    ),
    "alias": (
        lambda lair: (
            [
                lair.config(f"alias.{name}", f"!{lair.script}")
                for name in ("st", "cat-file", "status", "rev-list", "ls-files", "config", "grep", "for-each-ref")
            ]
        ),
        lambda lair: lair.sample.run("st"),
    ),
    "credential.helper": (
        lambda lair: lair.config("credential.helper", str(lair.script)),
        lambda lair: lair.sample.run("credential", "fill", given=b"protocol=https\nhost=h\n\n"),
    ),
    "core.sshCommand": (
        lambda lair: (
            (
                lair.config("core.sshCommand", str(lair.script), "remote.origin.url", "ssh://h.invalid/x"),
                lair.config("remote.origin.promisor", "true", "extensions.partialClone", "origin"),
                lair.config("core.repositoryformatversion", "1"),
            )
        ),
        lambda lair: lair.sample.run("cat-file", "-p", "f" * 40),
    ),
    "promisor upload-pack": (
        lambda lair: (
            (
                lair.config("remote.origin.url", f"file://{lair.sample.root}"),
                lair.config("remote.origin.uploadpack", str(lair.script)),
                lair.config("remote.origin.promisor", "true", "extensions.partialClone", "origin"),
                lair.config("core.repositoryformatversion", "1"),
                lose(lair, "HEAD:a.txt"),
            )
        ),
        lambda lair: lair.sample.run("cat-file", "-p", "HEAD:a.txt"),
    ),
    "core.pager": (
        lambda lair: lair.config("core.pager", str(lair.script)),
        lambda lair: on_terminal(lair, "log"),
    ),
    "core.editor": (
        lambda lair: lair.config("core.editor", str(lair.script)),
        lambda lair: lair.sample.run("commit", "--amend"),
    ),
    "gpg.program": (
        lambda lair: lair.config(
            "gpg.program", str(lair.script), "log.showSignature", "true", "commit.gpgSign", "true"
        ),
        lambda lair: lair.sample.run("commit", "--allow-empty", "-m", "signed"),
    ),
    "submodule fsmonitor": (
        plant_submodule,
        lambda lair: lair.sample.run("status"),
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_nothing_that_the_repository_names_is_run_and_nothing_is_written(lair: Lair, name: str) -> None:
    set_trap, spring = TRAPS[name]
    set_trap(lair)
    lair.sings()
    copy = lair.copy()
    spring(copy)
    assert lair.sings(), "the trap must work with ordinary Git, or this test proves nothing"
    before = inventory(lair.sample.root)
    ask_everything(lair.sample.root)
    assert not lair.sings()
    assert inventory(lair.sample.root) == before
    assert not (lair.sample.root / "canary").exists()


def test_replaced_objects_are_not_served(lair: Lair) -> None:
    sample = lair.sample
    head = sample.git("rev-parse", "HEAD")
    blob = sample.git("rev-parse", "HEAD:a.txt")
    forged = sample.git("hash-object", "-w", "--stdin", given=b"forged\n")
    other = sample.git("commit-tree", "HEAD^{tree}", "-m", "forged subject")
    sample.git("replace", blob, forged)
    sample.git("replace", head, other)
    assert sample.git("show", "HEAD:a.txt") == "forged"
    assert sample.git("log", "-1", "--format=%s") == "forged subject"
    with sample.open() as repository:
        assert repository.blob(blob) == b"two\n"
        assert repository.commit(head).subject == "two"
        assert repository.reachable([other]) == frozenset()


def test_grafts_do_not_make_ancestors(lair: Lair) -> None:
    sample = lair.sample
    head = sample.git("rev-parse", "HEAD")
    dangling = sample.git("commit-tree", "HEAD^{tree}", "-m", "never merged")
    (sample.root / ".git/info/grafts").write_text(f"# forged\n{head} {dangling}\n")
    assert sample.run("merge-base", "--is-ancestor", dangling, "HEAD").returncode == 0
    with sample.open() as repository:
        assert repository.has_grafts
        assert repository.reachable([dangling]) == frozenset()
        assert repository.commit(head).parents != (dangling,)
    ask_everything(sample.root)


def test_a_store_that_alternates_name_cannot_forge(lair: Lair, tmp_path: Path) -> None:
    sample = lair.sample
    blob = sample.git("rev-parse", "HEAD:a.txt")
    other = Sample(tmp_path / "other")
    forged = other.git("hash-object", "-w", "--stdin", given=b"forged\n")
    stored = other.root / ".git/objects"
    (stored / blob[:2]).mkdir(exist_ok=True)
    shutil.copy(stored / forged[:2] / forged[2:], stored / blob[:2] / blob[2:])
    lose(lair, "HEAD:a.txt")
    (sample.root / ".git/objects/info/alternates").write_text(f"{stored}\n")
    assert sample.git("show", "HEAD:a.txt") == "forged"
    with sample.open() as repository:
        assert repository.has_alternates
        with pytest.raises(SourceError, match="does not hash"):
            repository.blob(blob)
    ask_everything(sample.root)


def test_a_commit_graph_cannot_forge_ancestry(lair: Lair) -> None:
    lair.sample.git("commit-graph", "write", "--reachable")
    graph = lair.sample.root / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    data = bytearray(graph.read_bytes())
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    graph.write_bytes(bytes(data))
    ask_everything(lair.sample.root)


def test_an_include_that_never_ends_does_not_stop_the_run(lair: Lair) -> None:
    fifo = lair.script.with_name("fifo")
    os.mkfifo(fifo)
    lair.config("include.path", str(fifo))
    with lair.sample.open() as repository:
        assert repository.head() is not None
        assert not repository.is_dirty()


def test_a_git_program_in_the_work_tree_is_not_run(lair: Lair, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(lair.script, lair.sample.root / "git")
    monkeypatch.chdir(lair.sample.root)
    path = f".:{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["git", "--version"], env={"PATH": path}, cwd=lair.sample.root, check=False)
    assert lair.sings()
    monkeypatch.setenv("PATH", path)
    with GitRepository.open(".") as repository:
        assert repository.is_dirty()
    assert not lair.sings()
