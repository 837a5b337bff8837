"""What is known of code and commit records once Git has been asked (chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from evidence_lint.model.location import Location
from evidence_lint.model.records import CodeRecord, CommitRecord, Row
from evidence_lint.witness.claims import EvidenceRef


class RepositoryFault(StrEnum):
    """Why a code or commit record does not hold; each is the name of a rule of family CODE."""

    ROOT_MISSING = "repository-root-missing"
    ROOT_NOT_FOUND = "repository-root-not-found"
    PATH_ESCAPE = "repository-path-escape"
    INCOMPLETE = "repository-evidence-incomplete"
    COMMIT_NOT_FOUND = "git-commit-not-found"
    BLOB_NOT_FOUND = "git-blob-not-found"
    LINE_OUT_OF_RANGE = "code-line-out-of-range"
    EXCERPT_MISMATCH = "code-excerpt-mismatch"
    PATH_NOT_FOUND = "repository-path-not-found"
    PATH_UNREADABLE = "repository-path-unreadable"
    LABEL_AMBIGUOUS = "commit-label-ambiguous"
    SUBJECT_MISMATCH = "commit-subject-mismatch"
    COMMIT_UNREADABLE = "git-commit-unreadable"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A fault with what a person needs to see: the place, what stands there, and where the excerpt does stand."""

    fault: RepositoryFault
    message: str
    location: Location
    help: str = ""
    origin: str = ""
    """``path:line @ commit``, or the work tree's path: where ``found`` stands."""
    expected: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    first_line: int | None = None
    elsewhere: tuple[str, ...] = ()
    """Places where the excerpt does stand, nearest first, as ``path:line``."""


@dataclass(frozen=True, eq=False)
class CodeEvidence:
    """A code record and what Git says about it.

    ``path`` is normalised (no ``.`` components or doubled slashes), ``lines`` the first and last line, 1-based and
    inclusive, of a usable record. ``pinned`` means that ``commit`` holds digits of an object id rather than a label;
    ``commit_id`` is the full id that they resolve to.
    """

    row: Row[CodeRecord]
    id: str
    path: str
    lines: tuple[int, int] | None
    excerpt: str
    pinned: bool
    commit_id: str | None
    diagnoses: tuple[Diagnosis, ...]
    cited_by: tuple[EvidenceRef, ...]
    unreachable: bool = False
    """The commit is reached by no ref (CODE112)."""
    changed_by: str | None = None
    """The commit after the pinned one that changed these lines, when they read differently at HEAD (CODE116)."""
    head_lines: tuple[str, ...] | None = None
    """What stands at these lines at HEAD when it differs; () when the path or lines are gone."""
    moved_to: int | None = None
    """The line at which the excerpt stands in the same file at HEAD, when it differs."""
    blob_window: str = ""
    """The text around the lines in the blob, for quotations (CIT115)."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.id or f"code@{self.row.pointer}"

    @property
    def location(self) -> Location:
        """The record."""
        return self.row.location

    @property
    def verified(self) -> bool:
        """Whether the record holds."""
        return not self.diagnoses

    @property
    def verified_and_pinned(self) -> bool:
        """Whether it holds in a pinned commit, so that it may carry High."""
        return self.verified and self.pinned and self.commit_id is not None


@dataclass(frozen=True, eq=False)
class CommitEvidence:
    """A commit record and what Git says about it."""

    row: Row[CommitRecord]
    id: str
    commit_id: str | None
    subject: str
    diagnoses: tuple[Diagnosis, ...]
    cited_by: tuple[EvidenceRef, ...]
    unreachable: bool = False

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.id or f"commit@{self.row.pointer}"

    @property
    def location(self) -> Location:
        """The record."""
        return self.row.location

    @property
    def verified(self) -> bool:
        """Whether the record holds."""
        return not self.diagnoses


RepositoryEvidence: TypeAlias = CodeEvidence | CommitEvidence
"""A record that Git alone can confirm."""
