"""What refs and abbreviations mean: pins, labels, reachability, HEAD (chapter 5)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from evidence_lint.model.repository import CommitResolution, Resolution
from evidence_lint.sources.git_errors import GitFailed, RepositoryError
from evidence_lint.sources.git_layout import Layout, head_text, read_small

if TYPE_CHECKING:
    from evidence_lint.sources.git_objects import ObjectStore
    from evidence_lint.sources.git_process import GitRunner

_PIN = re.compile(r"[0-9a-fA-F]{7,64}")
_ABBREVIATION = re.compile(r"[0-9a-fA-F]{4,64}")
_DESCRIBED = re.compile(r".+-g(?P<digits>[0-9a-fA-F]{4,64})")
_STEPS = re.compile(r"(?:[~^][0-9]*|\^\{(?:commit)?\})+\Z")
_CANDIDATES_SHOWN = 32
_WALK_TIMEOUT = 180.0
# Where Git looks for a short name, in its order; the first that exists hides an object of that prefix.
_SHORT_NAMES = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")


@dataclass(frozen=True, slots=True)
class Revision:
    """The one commit that a revision of the user's means: ``name`` is what answers to it, spelt out in full."""

    name: str
    commit: str


class AmbiguousRevision(RepositoryError):
    """A revision that several things answer to. Who can push any one of them must not choose which is meant."""

    def __init__(self, name: str, meanings: Collection[str]) -> None:
        said = ", ".join(sorted(meanings))
        super().__init__(f"{name!r} may mean {len(meanings)} things: {said}; name the one that is meant in full")


class RefStore:
    """Refs and abbreviations of one repository, as they were when first asked for."""

    def __init__(self, runner: GitRunner, objects: ObjectStore, layout: Layout, *, promised: str) -> None:
        self._runner = runner
        self._objects = objects
        self._layout = layout
        self._promised = promised
        self._resolved: dict[str, CommitResolution] = {}
        self._reached: set[str] = set()
        self._unreached: set[str] = set()

    @cached_property
    def refs(self) -> dict[str, str]:
        """Full ref names and the ids (perhaps of a tag object) that they hold."""
        rows = self._runner.run("for-each-ref", "--format=%(objectname) %(refname)").splitlines()
        pairs = (row.decode("utf-8", "surrogateescape").split(" ", 1) for row in rows)
        return {name: oid for oid, name in pairs}

    @cached_property
    def head(self) -> str | None:
        """The commit that is checked out."""
        return self._at(head_text(self._layout.git_dir))

    def _at(self, text: bytes) -> str | None:
        """The commit that the text of a HEAD stands for."""
        said = text.strip()
        if said.startswith(b"ref:"):
            oid = self.refs.get(said[4:].strip().decode("utf-8", "surrogateescape"))
        else:
            oid = said.decode("ascii", "replace")
        return oid if oid is not None and self._objects.type_of(oid) == "commit" else None

    def revision(self, name: str) -> Revision | None:
        """The commit that a revision means (``origin/main``, ``HEAD~2``, a tag, an id), or None.

        Git takes the first of several refs that a short name fits, a tag before a branch, and no more than warns. Here
        the name must fit one thing alone, else :class:`AmbiguousRevision` is raised. For what the user names, never for
        what a record says: a pin is digits, and :meth:`resolve` reads those.
        """
        steps = _STEPS.search(name)
        base, end = (name[: steps.start()], steps[0]) if steps is not None else (name, "")
        meanings = self._meanings(base)
        if len(meanings) > 1:
            raise AmbiguousRevision(base, meanings)
        if not meanings:
            return None
        full = next(iter(meanings)) + end
        try:
            said = self._runner.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{full}^{{commit}}")
        except GitFailed:
            return None
        commit = said.decode("ascii", "replace").strip()
        return Revision(full, commit) if commit else None

    def _meanings(self, base: str) -> set[str]:
        """Full names of refs, and ids of commits and tags, that a name without ``~`` and ``^`` fits."""
        if base.startswith("refs/") and base in self.refs:
            return {base}  # spelt out: no other ref can stand before it
        if self._objects.is_full_id(base.lower()):
            return {base.lower()}  # an id to Git as well, whatever refs exist
        found = {full for form in _SHORT_NAMES if (full := form.format(base)) in self.refs}
        if base in {"HEAD", "@"} and self.head is not None:
            found.add("HEAD")
        described = _DESCRIBED.fullmatch(base)
        digits = described["digits"] if described is not None else base
        if _ABBREVIATION.fullmatch(digits):
            kinds = {oid: self._objects.type_of(oid) for oid in self._with_prefix(digits.lower())}
            found |= {oid for oid, kind in kinds.items() if kind in {"commit", "tag"}}
        return found

    def resolve(self, digits: str) -> CommitResolution:
        """Tell which commit the digits pin.

        The digits must begin the id of exactly one object, and that object must be a commit. Git's own
        ``core.disambiguate=commit`` would pick the one commit among several objects; chapter 5 calls every shared
        prefix ambiguous, and so does ``git rev-parse``, the command by which a reader would look a pin up.
        """
        if digits not in self._resolved:
            self._resolved[digits] = self._resolve(digits)
        return self._resolved[digits]

    def _resolve(self, digits: str) -> CommitResolution:
        if not _PIN.fullmatch(digits):
            return CommitResolution(digits, Resolution.NOT_A_PIN)
        prefix = digits.lower()
        oids = self._with_prefix(prefix)
        candidates = tuple((oid, self._objects.type_of(oid) or "unknown") for oid in oids[:_CANDIDATES_SHOWN])
        # A full id is an object id to Git whatever refs exist; a shorter one is a ref's name first.
        labels = () if self._objects.is_full_id(prefix) and oids else self._labels(digits)
        hidden = any(not (self._objects.peel(self.refs[name]) or "").startswith(prefix) for name in labels)
        if hidden:
            state = Resolution.LABEL
        elif not oids:
            state = self._absent(prefix)
        elif len(oids) > 1:
            state = Resolution.AMBIGUOUS
        elif candidates[0][1] != "commit":
            state = Resolution.NOT_A_COMMIT
        else:
            return CommitResolution(digits, Resolution.OK, oids[0], candidates, labels)
        return CommitResolution(digits, state, None, candidates, labels)

    def _with_prefix(self, prefix: str) -> list[str]:
        if len(prefix) > self._objects.digits:
            return []
        if len(prefix) == self._objects.digits:
            return [prefix] if self._objects.type_of(prefix) is not None else []
        # --disambiguate looks at objects alone, never at refs. It prints nothing for none.
        listing = self._runner.run("rev-parse", f"--disambiguate={prefix}")
        return sorted(set(listing.decode("ascii").split()))

    def _labels(self, digits: str) -> tuple[str, ...]:
        names = {form.format(spelt) for spelt in (digits, digits.lower()) for form in _SHORT_NAMES}
        found = [name for name in self.refs if name in names]
        if not found:
            # A clone has the branches of its origin under this name only, and the label is meant all the same.
            ends = tuple(f"/{spelt}" for spelt in {digits, digits.lower()})
            remote = [name for name in self.refs if name.startswith("refs/remotes/") and name.endswith(ends)]
            found = remote if not self._with_prefix(digits.lower()) else []
        return tuple(sorted(found))

    def _absent(self, prefix: str) -> Resolution:
        if len(prefix) <= self._objects.digits and self._promised:
            shallow = self._promised.startswith("shallow")
            return Resolution.ABSENT_SHALLOW if shallow else Resolution.ABSENT_PARTIAL
        return Resolution.NOT_FOUND

    def reachable(self, oids: Collection[str]) -> frozenset[str]:
        """Return those of the commits that a branch, tag, remote branch, or HEAD of any worktree reaches.

        One walk for all of them, newest first, that stops at the last one found. ``for-each-ref --contains`` would
        walk once for each, and ``rev-list <commits> --not --all`` may err where commit dates are not in order.
        """
        wanted = {oid for oid in oids if oid not in self._reached and oid not in self._unreached}
        wanted = {oid for oid in wanted if self._objects.type_of(oid) == "commit"}
        if wanted:
            found = self._walk(wanted)
            self._reached |= found
            self._unreached |= wanted - found
        return frozenset(oid for oid in oids if oid in self._reached)

    def _walk(self, wanted: set[str]) -> set[str]:
        tips = self._tips()
        found = wanted & tips
        left = wanted - found
        if not left or not tips:
            return found
        given = "".join(f"{oid}\n" for oid in sorted(tips)).encode("ascii")
        walk = self._runner.stream("rev-list", "--ignore-missing", "--stdin", given=given, timeout=_WALK_TIMEOUT)
        with walk as rows:
            for row in rows:
                oid = row.decode("ascii")
                if oid in left:
                    left.discard(oid)
                    found.add(oid)
                    if not left:
                        break
        return found

    def _tips(self) -> set[str]:
        # refs/replace is not history, and anyone can point it at anything.
        tips = {oid for name, oid in self.refs.items() if not name.startswith("refs/replace/")}
        common = self._layout.common_dir
        for folder in (common, self._layout.git_dir, *sorted(common.glob("worktrees/*"))):
            if (oid := self._at(head_text(folder))) is not None:
                tips.add(oid)
        peeled = {self._objects.peel(oid) for oid in tips}
        return {oid for oid in peeled if oid is not None}


def has_lines(layout: Layout, name: str) -> bool:
    """Whether a list file below the common directory (``info/grafts``) has more than comments."""
    rows = read_small(layout.common_dir / name).splitlines()
    return any(row.strip() and not row.startswith(b"#") for row in rows)
