"""Repository evidence held against Git (chapter 5): code lines and commits, each record examined once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from evidence_lint.errors import SourceError, Unavailable
from evidence_lint.model.location import Location
from evidence_lint.model.records import CodeRecord, CommitRecord, Record, Records, Row
from evidence_lint.parse.record_fields import described
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness.base_folder import base_folder
from evidence_lint.witness.checkout import Checkout, FileAt, Refused
from evidence_lint.witness.claims import Claims, EvidenceKind, EvidenceRef
from evidence_lint.witness.code_claims import CodeClaim, is_pin, read_code_claim
from evidence_lint.witness.code_diagnosis import Budget, absent_file, diagnose, places_in_commit
from evidence_lint.witness.code_facts import (
    CodeEvidence,
    CommitEvidence,
    Diagnosis,
    RepositoryEvidence,
    RepositoryFault,
)
from evidence_lint.witness.paths import join, path_bytes

__all__ = [
    "CodeEvidence",
    "CommitEvidence",
    "Diagnosis",
    "RepositoryEvidence",
    "RepositoryFault",
    "cited_by",
    "examine_code",
    "examine_commits",
    "root_fault",
]

_AROUND = 20
_WINDOW = 20_000
_CHANGES_TRACED = 60


def examine_code(
    records: Records, claims: Claims, repository: RepositorySource | Unavailable
) -> Sequence[CodeEvidence]:
    """Hold every code record against the checkout; never raises on what a record or the repository holds.

    ``repository`` may be the reason why no checkout is at hand; then no record is verified.
    """
    citing = cited_by(claims, EvidenceKind.CODE)
    items = [read_code_claim(row) for row in records.code]
    root = root_fault(records, repository)
    if root is not None or isinstance(repository, Unavailable):
        told = (root,) if root is not None else ()
        return [_evidence(item, citing, (*told, *item.faults)) for item in items]
    checkout = Checkout(repository, base_folder(records, repository) if items else "")
    examination = _Examination(checkout, citing)
    # Records of one file follow each other, so that a file is read and split once.
    order = sorted(range(len(items)), key=lambda index: (items[index].commit.lower(), items[index].path, index))
    found = [(index, examination.code(items[index])) for index in order]
    return examination.with_history([evidence for _, evidence in sorted(found, key=itemgetter(0))])


def examine_commits(
    records: Records, claims: Claims, repository: RepositorySource | Unavailable
) -> Sequence[CommitEvidence]:
    """Hold every commit record against the checkout; as :func:`examine_code`."""
    citing = cited_by(claims, EvidenceKind.COMMIT)
    root = root_fault(records, repository)
    if root is not None or isinstance(repository, Unavailable):
        told = (root,) if root is not None else ()
        return [_unexamined(row, citing, told) for row in records.commits]
    checkout = Checkout(repository)
    found = [_commit(row, citing, checkout) for row in records.commits]
    lost = _unreachable(repository, (evidence.commit_id for evidence in found))
    return [replace(evidence, unreachable=evidence.commit_id in lost) for evidence in found]


def root_fault(records: Records, repository: RepositorySource | Unavailable) -> Diagnosis | None:
    """Why no repository record can be judged at all: no declared root, or no checkout to map it onto."""
    location = Location("code_evidence", pointer="/root" if records.root is not None else None)
    if records.root is None or not records.root.strip():
        return Diagnosis(
            RepositoryFault.ROOT_MISSING,
            "the repository evidence declares no root, so nothing says which repository it speaks about",
            location,
            "Write the absolute path of the checkout where the records were made into `root`.",
        )
    if isinstance(repository, Unavailable):
        return Diagnosis(
            RepositoryFault.ROOT_NOT_FOUND,
            f"no checkout is at hand for the repository {records.root[:200]!r}: {repository.message}",
            location,
            "Give the checkout with --repo; a declared root is a mere name and is never opened.",
        )
    return None


def cited_by(claims: Claims, kind: EvidenceKind) -> Mapping[str, tuple[EvidenceRef, ...]]:
    """The evidence entries of one kind by the id that they name."""
    found: dict[str, list[EvidenceRef]] = defaultdict(list)
    for ref in claims.refs:
        if ref.kind is kind and ref.id:
            found[ref.id].append(ref)
    return {name: tuple(refs) for name, refs in found.items()}


class _Examination:
    """Code records against one checkout."""

    def __init__(self, checkout: Checkout, citing: Mapping[str, tuple[EvidenceRef, ...]]) -> None:
        self._checkout = checkout
        self._citing = citing
        self._budget = Budget()

    def code(self, claim: CodeClaim) -> CodeEvidence:
        """Hold one record against its commit, or against the work tree."""
        commit: str | None = None
        if claim.pinned:
            resolved = self._checkout.resolve(claim.commit)
            if isinstance(resolved, Refused):
                fault = Diagnosis(resolved.fault, resolved.message, claim.row.at("commit"), resolved.help)
                return _evidence(claim, self._citing, (*claim.faults, fault))
            commit = resolved
        if claim.faults:
            return _evidence(claim, self._citing, claim.faults, commit)
        file = self._checkout.committed(commit, claim.path) if commit else self._checkout.worktree(claim.path)
        if isinstance(file, Refused):
            return _evidence(claim, self._citing, (self._absent(claim, file, commit),), commit)
        if not file.lines.holds(claim.line, claim.excerpt):
            fault = diagnose(claim, file, self._checkout, self._budget)
            return _evidence(claim, self._citing, (fault,), commit)
        evidence = _evidence(claim, self._citing, (), commit)
        return self._with_head(claim, evidence, file)

    def with_history(self, found: Sequence[CodeEvidence]) -> Sequence[CodeEvidence]:
        """Add what history says: commits that no ref reaches, and commits that changed the lines since."""
        lost = _unreachable(self._checkout.repository, (evidence.commit_id for evidence in found))
        traced = 0
        done: list[CodeEvidence] = []
        for evidence in found:
            changed = None
            if evidence.head_lines is not None and traced < _CHANGES_TRACED:
                traced += 1
                changed = self._changed_by(evidence)
            done.append(replace(evidence, unreachable=evidence.commit_id in lost, changed_by=changed))
        return done

    def _absent(self, claim: CodeClaim, refused: Refused, commit: str | None) -> Diagnosis:
        places: tuple[str, ...] = ()
        if refused.fault is RepositoryFault.BLOB_NOT_FOUND and commit is not None and not refused.help:
            places = places_in_commit(claim, commit, self._checkout, self._budget)
        return absent_file(claim, refused.message, refused.fault, refused.help, places)

    def _with_head(self, claim: CodeClaim, evidence: CodeEvidence, file: FileAt) -> CodeEvidence:
        evidence = replace(evidence, blob_window=file.lines.window(claim.line, claim.last, _AROUND, _WINDOW))
        try:
            head = self._checkout.repository.head()
        except SourceError:
            return evidence
        if file.commit is None or head is None or head == file.commit:
            return evidence
        now = self._checkout.committed(head, claim.path)
        if isinstance(now, Refused):
            gone = now.fault is RepositoryFault.BLOB_NOT_FOUND and not now.help
            return replace(evidence, head_lines=()) if gone else evidence
        if now.lines.data == file.lines.data or now.lines.holds(claim.line, claim.excerpt):
            return evidence
        there = tuple(now.lines.text[claim.line - 1 : claim.last])
        return replace(evidence, head_lines=there, moved_to=next(now.lines.occurrences(claim.excerpt), None))

    def _changed_by(self, evidence: CodeEvidence) -> str | None:
        if evidence.lines is None or evidence.commit_id is None:
            return None
        name = path_bytes(join(self._checkout.base, evidence.path)) or b""
        try:
            return self._checkout.repository.last_change(name, *evidence.lines, evidence.commit_id)
        except SourceError:
            return None


def _evidence(
    claim: CodeClaim,
    citing: Mapping[str, tuple[EvidenceRef, ...]],
    faults: tuple[Diagnosis, ...],
    commit: str | None = None,
) -> CodeEvidence:
    return CodeEvidence(
        row=claim.row,
        id=claim.id,
        path=claim.path,
        lines=(claim.line, claim.last) if claim.line and claim.excerpt else None,
        excerpt=claim.text,
        pinned=claim.pinned,
        commit_id=commit,
        diagnoses=faults,
        cited_by=_citing(claim.row, citing),
    )


def _commit(
    row: Row[CommitRecord], citing: Mapping[str, tuple[EvidenceRef, ...]], checkout: Checkout
) -> CommitEvidence:
    claimed = row.raw.get("commit") if isinstance(row.raw, dict) else None
    digits = claimed.strip() if isinstance(claimed, str) else ""
    if not is_pin(digits):
        stands = "absent" if claimed is None else described(claimed)
        fault = Diagnosis(
            RepositoryFault.COMMIT_NOT_FOUND,
            f"`commit` is {stands}, where the hexadecimal id of a commit (7 digits or more) is expected",
            row.at("commit"),
        )
        return _unexamined(row, citing, (fault,))
    resolved = checkout.resolve(digits)
    if isinstance(resolved, Refused):
        fault = Diagnosis(resolved.fault, resolved.message, row.at("commit"), resolved.help)
        return _unexamined(row, citing, (fault,))
    return _subject(row, citing, checkout, resolved)


def _subject(
    row: Row[CommitRecord], citing: Mapping[str, tuple[EvidenceRef, ...]], checkout: Checkout, oid: str
) -> CommitEvidence:
    try:
        commit = checkout.repository.commit(oid)
    except SourceError as error:
        fault = Diagnosis(
            RepositoryFault.COMMIT_UNREADABLE, f"commit {oid[:12]} cannot be read: {error}", row.at("commit")
        )
        return replace(_unexamined(row, citing, (fault,)), commit_id=oid)
    declared = row.value.subject if row.value is not None else None
    faults: tuple[Diagnosis, ...] = ()
    if not isinstance(declared, str) or declared.removesuffix("\n") != commit.subject:
        faults = (_other_subject(row, declared, oid, commit.subject, exact=commit.subject_exact),)
    return replace(_unexamined(row, citing, faults), commit_id=oid, subject=commit.subject)


def _other_subject(row: Row[CommitRecord], declared: object, oid: str, subject: str, *, exact: bool) -> Diagnosis:
    if not exact:
        message = f"the message of commit {oid[:12]} is not valid in its coding, so its subject cannot be compared"
        return Diagnosis(RepositoryFault.COMMIT_UNREADABLE, message, row.at("commit"))
    words = isinstance(declared, str) and bool(declared.strip())
    return Diagnosis(
        RepositoryFault.SUBJECT_MISMATCH,
        f"the subject of commit {oid[:12]} is {subject[:200]!r}"
        + (", not the one declared" if words else ", and the record declares none"),
        row.at("subject"),
        "Write the subject as `git log --format=%s` prints it.",
        origin=f"commit {oid[:12]}",
        expected=(declared,) if isinstance(declared, str) else (),
        found=(subject,),
    )


def _unexamined(
    row: Row[CommitRecord], citing: Mapping[str, tuple[EvidenceRef, ...]], faults: tuple[Diagnosis, ...]
) -> CommitEvidence:
    value = row.value
    name = (value.id or "").strip() if value is not None else ""
    return CommitEvidence(row, name, None, "", faults, _citing(row, citing))


def _citing(
    row: Row[CodeRecord] | Row[CommitRecord], citing: Mapping[str, tuple[EvidenceRef, ...]]
) -> tuple[EvidenceRef, ...]:
    value: Record | None = row.value
    name = getattr(value, "id", None)
    return citing.get(name.strip(), ()) if isinstance(name, str) else ()


def _unreachable(repository: RepositorySource, commits: Iterable[str | None]) -> frozenset[str]:
    """Those commits that no ref reaches; none when history cannot be walked, since that is no accusation."""
    wanted = {commit for commit in commits if commit is not None}
    if not wanted:
        return frozenset()
    try:
        return frozenset(wanted) - repository.reachable(wanted)
    except SourceError:
        return frozenset()
