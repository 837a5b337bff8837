"""Finding a repository, and a quarantine from which Git can read it.

Git runs what a repository's configuration names: ``core.fsmonitor``, filters, a promisor remote's upload-pack.
Overriding the dangerous keys one by one means knowing them all, in every version of Git. So the repository's
configuration is never given to Git: each opened repository gets a *quarantine*, a temporary Git directory of
ours with a configuration of ours, which borrows the repository's refs and index through symbolic links and its
objects through ``GIT_OBJECT_DIRECTORY``. It has no hooks, filters, remotes, aliases, includes or grafts, a
missing object has nowhere to be fetched from, and Git writes no lock or index beside the examined files.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from evidence_lint.sources.git_errors import GitFailed, RepositoryNotFound
from evidence_lint.sources.git_process import GitRunner

_FILE_LIMIT = 1 << 20
_TRUE = ("true", "yes", "on", "1")
_LINKED = ("packed-refs", "shallow", "reftable")

# Keys that say how bytes are stored, and run nothing. Everything else of the configuration is left out.
_HARMLESS = frozenset(
    {
        "core.autocrlf",
        "core.eol",
        "core.filemode",
        "core.ignorecase",
        "core.precomposeunicode",
        "core.symlinks",
        "extensions.objectformat",
        "extensions.refstorage",
    }
)
_KNOWN_EXTENSIONS = frozenset(
    {
        "compatobjectformat",
        "noop",
        "noop-v1",
        "objectformat",
        "partialclone",
        "preciousobjects",
        "refstorage",
        "relativeworktrees",
        "worktreeconfig",
    }
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a repository's parts are: ``git_dir`` is the work tree's own, ``common_dir`` the shared one."""

    git_dir: Path
    common_dir: Path
    work_tree: Path | None


@dataclass(frozen=True, slots=True)
class Format:
    """What the configuration says of the format; ``harmless`` is copied into the quarantine."""

    object_format: str = "sha1"
    is_partial: bool = False
    harmless: dict[str, str] = field(default_factory=dict[str, str])


def read_small(path: Path) -> bytes:
    """Read a regular file of at most 1 MiB; anything else (absent, FIFO, larger) reads as empty."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    with open(descriptor, "rb") as handle:  # noqa: PTH123 - it is a descriptor
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _FILE_LIMIT:
            return b""
        return handle.read(_FILE_LIMIT)


def _layout_of(git_dir: Path, work_tree: Path | None) -> Layout | None:
    """Describe ``git_dir`` if it is one: HEAD, objects and refs, the latter perhaps in a common directory."""
    common = read_small(git_dir / "commondir").rstrip(b"\r\n")
    common_dir = (git_dir / os.fsdecode(common)).resolve() if common else git_dir
    if not (git_dir / "HEAD").is_file() and not (git_dir / "HEAD").is_symlink():
        return None
    if not (common_dir / "objects").is_dir() or not (common_dir / "refs").is_dir():
        return None
    return Layout(git_dir, common_dir, work_tree)


def _layout_at(folder: Path) -> Layout | None:
    """Describe the work tree whose top is ``folder``; a ``.git`` file leads to where its directory is.

    As for Git, that may be anywhere (a linked worktree, a submodule, ``--separate-git-dir``). No commit can bring
    a ``.git`` with it, so who can plant one here owns the checkout already.
    """
    dot_git = folder / ".git"
    if dot_git.is_dir():
        return _layout_of(dot_git.resolve(), folder)
    said = read_small(dot_git)
    if not said.startswith(b"gitdir:"):
        return None
    target = os.fsdecode(said[len(b"gitdir:") :].strip())
    layout = _layout_of((folder / target).resolve(), folder) if target and "\0" not in target else None
    if layout is None:
        raise RepositoryNotFound(f"{dot_git} names {target!r}, which is no Git directory")
    return layout


def find_layout(path: Path, *, allow_bare: bool) -> Layout | None:
    """Find the work tree that holds ``path``, else (with ``allow_bare``) the bare repository at ``path``.

    The top is the folder that holds ``.git``, whatever ``core.worktree`` says: a configuration must not move
    the root to ``/``. A bare repository counts only when it is named itself, since a work tree may well contain
    a folder that looks like one.
    """
    try:
        return _find(path.resolve(), allow_bare)
    except (OSError, ValueError, RuntimeError) as error:
        raise RepositoryNotFound(f"{str(path)!r} cannot be looked at: {error}") from error


def _find(path: Path, allow_bare: bool) -> Layout | None:
    if path.name == ".git" and path.is_dir():
        path = path.parent
    if allow_bare and not (path / ".git").exists() and (bare := _layout_of(path, None)) is not None:
        return bare
    for folder in (path, *path.parents):
        if (layout := _layout_at(folder)) is not None:
            return layout
    return None


def read_format(layout: Layout) -> Format:
    """Read what is needed of the configuration, without its includes; fails on a format nobody knows."""
    config = layout.common_dir / "config"
    text = read_small(config)
    if not text:
        if config.exists() and not (config.is_file() and config.stat().st_size == 0):
            raise RepositoryNotFound(f"{config} is no ordinary file of at most {_FILE_LIMIT} bytes")
        return Format()
    # No repository is at hand for this command: it parses what it is given, and looks at nothing else.
    nowhere = {"GIT_DIR": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    runner = GitRunner(nowhere, Path("/"))
    try:
        listing = runner.run("config", "--file", "-", "--no-includes", "--null", "--list", given=text)
    except GitFailed as error:
        raise RepositoryNotFound(f"{config} cannot be read: {error}") from error
    values: dict[str, str] = {}
    partial = False
    for row in listing.split(b"\0"):
        name, given, value = row.decode("utf-8", "surrogateescape").partition("\n")
        value = value if given else "true"  # a key without "=" is true, one with nothing behind it is false
        section, _, key = name.partition(".")
        if section == "extensions" and key not in _KNOWN_EXTENSIONS:
            raise RepositoryNotFound(f"{config} asks for the extension {key!r}, which is not supported")
        partial |= name == "extensions.partialclone" or (
            section == "remote" and key.endswith(".promisor") and value.lower() in _TRUE
        )
        if name in _HARMLESS and re.fullmatch(r"[A-Za-z0-9]*", value):
            values[name] = value
    return Format(values.get("extensions.objectformat", "sha1").lower(), partial, values)


def build_quarantine(layout: Layout, form: Format) -> Path:
    """Make the quarantine (see the module); the caller removes the folder."""
    shim = Path(tempfile.mkdtemp(prefix="evidence-lint-git-"))
    try:
        _furnish(shim, layout, form)
    except OSError:
        shutil.rmtree(shim, ignore_errors=True)
        raise
    return shim


def _furnish(shim: Path, layout: Layout, form: Format) -> None:
    (shim / "info").mkdir()
    (shim / "refs").symlink_to(layout.common_dir / "refs")
    for name in _LINKED:
        if (layout.common_dir / name).exists():
            (shim / name).symlink_to(layout.common_dir / name)
    for shared in layout.git_dir.glob("sharedindex.*"):
        (shim / shared.name).symlink_to(shared)
    (shim / "info" / "exclude").write_bytes(read_small(layout.common_dir / "info" / "exclude"))
    (shim / "HEAD").write_bytes(head_text(layout.git_dir) or b"ref: refs/heads/none\n")
    version = 1 if any(name.startswith("extensions.") for name in form.harmless) else 0
    rows = ["[core]", f"\trepositoryformatversion = {version}", "\tbare = false", "\tcommitGraph = false"]
    rows += ["\thooksPath = /dev/null", "\tbigFileThreshold = 32m", "[protocol]", "\tallow = never"]
    for name, value in form.harmless.items():
        section, _, key = name.partition(".")
        rows += [f"[{section}]", f"\t{key} = {value}"]
    (shim / "config").write_text("\n".join(rows) + "\n", encoding="ascii")


def head_text(git_dir: Path) -> bytes:
    """The content of HEAD (``ref: …`` or an id), empty when it is neither."""
    head = git_dir / "HEAD"
    if head.is_symlink() and (target := str(head.readlink())).startswith("refs/"):
        return b"ref: " + os.fsencode(target) + b"\n"
    said = read_small(head)
    return said if re.fullmatch(rb"(ref:\s*refs/[^\n\0]+|[0-9a-f]{40}|[0-9a-f]{64})\s*", said) else b""


def quarantine_environment(layout: Layout, shim: Path) -> dict[str, str]:
    """The ``GIT_*`` variables under which every command on this repository runs."""
    return {
        "GIT_DIR": str(shim),
        "GIT_OBJECT_DIRECTORY": str(layout.common_dir / "objects"),
        "GIT_INDEX_FILE": str(layout.git_dir / "index"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": str(shim / "no-grafts"),
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_WORK_TREE": str(layout.work_tree if layout.work_tree is not None else shim),
        # The directory is always named, so Git's own check of its owner does not apply; should a later Git
        # check here too, this trusts the one checkout that was asked for, in these processes alone.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": str(layout.work_tree if layout.work_tree is not None else layout.git_dir),
    }


def owner_is_foreign(layout: Layout) -> bool:
    """Whether another user owns the checkout or its Git directory (Git's ``safe.directory`` question)."""
    mine = {os.geteuid()}
    if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdigit():
        mine.add(int(os.environ["SUDO_UID"]))
    places = (layout.git_dir, layout.work_tree or layout.git_dir)
    return any(place.stat().st_uid not in mine for place in places)
