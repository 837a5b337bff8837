"""Why lines do not match, in words: what stands there, and where the excerpt does stand (chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from evidence_lint.errors import SourceError
from evidence_lint.model.repository import ExcerptPlace, PlaceKind
from evidence_lint.witness.checkout import Checkout, FileAt
from evidence_lint.witness.code_claims import CodeClaim
from evidence_lint.witness.code_facts import Diagnosis, RepositoryFault
from evidence_lint.witness.code_lines import difference
from evidence_lint.witness.paths import join, path_bytes

_LINES_SHOWN = 40
_LINE_SHOWN = 400
_PLACES = 5


@dataclass(slots=True)
class Budget:
    """How many searches of a whole repository a run may still pay for; a message is poorer without, not wrong."""

    searches: int = 40

    def spend(self) -> bool:
        """Take one, if there is one left."""
        self.searches -= 1
        return self.searches >= 0


def diagnose(claim: CodeClaim, file: FileAt, checkout: Checkout, budget: Budget) -> Diagnosis:
    """Say why the excerpt is not what stands at its lines."""
    if file.lines.lfs is not None:
        return _pointer_file(claim, file)
    if file.lines.undecodable:
        return Diagnosis(
            RepositoryFault.PATH_UNREADABLE,
            f"{file.place} is no text: it is neither UTF-8 nor in a coding that it declares or that can be detected",
            claim.row.at("path"),
        )
    elsewhere = tuple(_elsewhere(claim, file, checkout, budget))
    if claim.last > file.lines.count:
        return _outside(claim, file, elsewhere)
    return _mismatch(claim, file, elsewhere)


def absent_file(
    claim: CodeClaim, message: str, fault: RepositoryFault, advice: str, places: tuple[str, ...]
) -> Diagnosis:
    """Say that the file is not there, and where the excerpt does stand."""
    return Diagnosis(fault, message, claim.row.at("path"), advice or _absent_advice(fault, places), elsewhere=places)


def places_in_commit(claim: CodeClaim, commit: str, checkout: Checkout, budget: Budget) -> tuple[str, ...]:
    """Where the excerpt stands in a commit whose file cannot be had."""
    if not budget.spend():
        return ()
    full = join(checkout.base, claim.path)
    return tuple(_place(found, commit, full) for found in _search(claim, commit, full, checkout))


def _pointer_file(claim: CodeClaim, file: FileAt) -> Diagnosis:
    pointer = file.lines.lfs
    assert pointer is not None
    return Diagnosis(
        RepositoryFault.EXCERPT_MISMATCH,
        f"{file.place} is a Git LFS pointer to {pointer.size} bytes that are not in the repository",
        claim.row.at("excerpt"),
        "Cite a file whose text is in Git itself.",
        origin=file.origin(1),
        expected=_shown(claim.excerpt),
        found=_shown(file.lines.text),
        first_line=1,
    )


def _outside(claim: CodeClaim, file: FileAt, elsewhere: tuple[str, ...]) -> Diagnosis:
    count = file.lines.count
    has = "is empty" if not count else f"has {count} line{'s' if count != 1 else ''}"
    named = f"line {claim.line} is" if claim.last == claim.line else f"lines {claim.line}–{claim.last} are"
    start = max(1, min(claim.line, count - 2))
    return Diagnosis(
        RepositoryFault.LINE_OUT_OF_RANGE,
        f"{named} not in {file.place}, which {has}",
        claim.row.at("line"),
        _advice(elsewhere),
        origin=file.origin(start),
        expected=_shown(claim.excerpt),
        found=_shown(file.lines.text[start - 1 :]),
        first_line=start,
        elsewhere=elsewhere,
    )


def _mismatch(claim: CodeClaim, file: FileAt, elsewhere: tuple[str, ...]) -> Diagnosis:
    found = file.lines.text[claim.line - 1 : claim.last]
    several = claim.last != claim.line
    named = f"lines {claim.line}–{claim.last} of" if several else f"line {claim.line} of"
    link = " (a symbolic link, which is never followed)" if file.link else ""
    how = difference(claim.excerpt, found)
    return Diagnosis(
        RepositoryFault.EXCERPT_MISMATCH,
        f"the excerpt is not {named} {file.place}{link}" + (f": {how}" if how else ""),
        claim.row.at("excerpt"),
        _advice(elsewhere),
        origin=file.origin(claim.line),
        expected=_shown(claim.excerpt),
        found=_shown(found),
        first_line=claim.line,
        elsewhere=elsewhere,
    )


def _advice(elsewhere: tuple[str, ...]) -> str:
    if elsewhere:
        return f"The excerpt stands at {', '.join(elsewhere)}. Cite the place that the claim rests on."
    return "Quote the lines as they stand in the file, whole and unchanged."


def _absent_advice(fault: RepositoryFault, places: tuple[str, ...]) -> str:
    if fault is RepositoryFault.PATH_UNREADABLE:
        return ""
    return _advice(places) if places else "Give the path of the file as the cited state of the repository has it."


def _elsewhere(claim: CodeClaim, file: FileAt, checkout: Checkout, budget: Budget) -> Iterator[str]:
    here = [f"{file.path}:{line}" for line in islice(file.lines.occurrences(claim.excerpt), _PLACES)]
    yield from here
    if here or not budget.spend():
        return
    try:
        commit = file.commit or checkout.repository.head()
    except SourceError:
        return
    if commit is not None:
        for found in _search(claim, commit, file.path, checkout):
            yield _place(found, file.commit, file.path)


def _search(claim: CodeClaim, commit: str, path: str, checkout: Checkout) -> tuple[ExcerptPlace, ...]:
    lines = [line.encode("utf-8", "surrogatepass") for line in claim.excerpt]
    try:
        return checkout.repository.find_lines(commit, lines, path_bytes(path) or b"")
    except SourceError:
        return ()


def _place(found: ExcerptPlace, commit: str | None, path: str) -> str:
    name = found.path.decode("utf-8", "backslashreplace")
    if found.commit == commit:
        return f"{name}:{found.line}"
    at_head = " (HEAD)" if found.kind is PlaceKind.SAME_PATH_AT_HEAD or name == path else ""
    return f"{name}:{found.line} @ {found.commit[:12]}{at_head}"


def _shown(lines: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return tuple(line if len(line) <= _LINE_SHOWN else line[:_LINE_SHOWN] + "…" for line in lines[:_LINES_SHOWN])
