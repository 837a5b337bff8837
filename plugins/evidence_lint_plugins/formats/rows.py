"""What every format needs of a result: verdicts with their places in a stable order, skips in groups, words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evidence_lint.model.location import Position
from evidence_lint.model.result import BundleResult, Counts, EvidenceRow, FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Verdict

_LISTED_RULES = 8


@dataclass(frozen=True, slots=True)
class Row:
    """A verdict, the bundle it is about and where it stands."""

    bundle: BundleResult
    verdict: Verdict
    position: Position

    @property
    def message(self) -> str:
        """What happened, in the words of the problem, the skip or the error; "" for a passed check."""
        verdict = self.verdict
        if verdict.problem is not None:
            return verdict.problem.message
        if verdict.skip is not None:
            return verdict.skip.message
        return verdict.error or ""

    @property
    def order(self) -> tuple[str, int, int, str, str, str]:
        """Path, line, column and code (chapter 10), then what tells equal ones apart."""
        place = self.position
        return (place.path, place.line, place.column, self.verdict.code, self.verdict.node, self.message)


@dataclass(frozen=True, slots=True)
class SkipGroup:
    """Checks that could not run for one reason."""

    code: str
    message: str
    count: int
    rules: tuple[str, ...]


def rows_of(run: RunResult, result: BundleResult, *, passed: bool = False) -> list[Row]:
    """Return the verdicts on a bundle, sorted; passed ones only where asked for."""
    kept = [v for v in result.verdicts if v.outcome is not Outcome.PASSED]
    if passed:
        known = {v.node: v for v in (*result.passed, *result.verdicts) if v.outcome is Outcome.PASSED}
        kept.extend(known.values())
    return sorted((_row(run, result, verdict) for verdict in kept), key=lambda row: row.order)


def all_rows(run: RunResult, options: FormatOptions) -> list[Row]:
    """Return the verdicts on all bundles in one order."""
    rows = [row for result in run.bundles for row in rows_of(run, result, passed=options.show_passed)]
    return sorted(rows, key=lambda row: row.order)


def _row(run: RunResult, result: BundleResult, verdict: Verdict) -> Row:
    location = verdict.location
    if location is None:
        artifact = result.bundle.artifacts.get(result.bundle.main)
        path = artifact.path if artifact is not None else result.bundle.path
        return Row(result, verdict, Position(run.places.display_path(path), 1, 1, 1, 1))
    return Row(result, verdict, run.places.position(result.bundle, location))


def help_of(run: RunResult, verdict: Verdict) -> str:
    """Return what a person can do: the problem's own help, else the rule's word on how to fix it."""
    if verdict.problem is None:
        return ""
    info = run.rules.get(verdict.code)
    return verdict.problem.help or (info.fix if info is not None else "")


def skip_groups(verdicts: Iterable[Verdict]) -> list[SkipGroup]:
    """Return the skipped checks by their reason, the most frequent first."""
    rules: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        if verdict.outcome is Outcome.SKIPPED:
            skip = verdict.skip
            key = (skip.code, skip.message) if skip is not None else ("unknown", "no reason was given")
            rules[key][verdict.code] += 1
    groups = [
        SkipGroup(code, message, sum(counter.values()), tuple(sorted(counter)))
        for (code, message), counter in rules.items()
    ]
    return sorted(groups, key=lambda group: (-group.count, group.code, group.message))


def listed(codes: Sequence[str]) -> str:
    """Return rule codes as words, the tail of a long list as a number."""
    if len(codes) <= _LISTED_RULES:
        return ", ".join(codes)
    return ", ".join(codes[: _LISTED_RULES - 1]) + f" and {len(codes) - _LISTED_RULES + 1} more"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return ``1 check``, ``2 checks``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def counts_words(counts: Counts) -> Iterator[tuple[str, str]]:
    """Yield pairs of a kind and words for every count; passed, failed and skipped are told even when they are 0."""
    yield "passed", f"{counts.passed} passed"
    yield "failed", f"{counts.failed} failed"
    for kind, number, words in (
        ("errored", counts.errored, f"{counts.errored} errored"),
        ("warnings", counts.warnings, counted(counts.warnings, "warning")),
        ("infos", counts.infos, f"{counts.infos} info"),
        ("suppressed", counts.suppressed, f"{counts.suppressed} suppressed"),
    ):
        if number:
            yield kind, words
    yield "skipped", f"{counts.skipped} skipped"


def summary_line(run: RunResult) -> str:
    """Return the run in one line."""
    words = ", ".join(text for _, text in counts_words(run.counts))
    return f"{counted(len(run.bundles), 'bundle')}, {counted(run.counts.ran, 'check')} ran: {words}"


def statistics(run: RunResult) -> list[tuple[str, str, int, int, int]]:
    """Return ``(code, name, failed, skipped, errored)`` of every rule that did not only pass, most failures first."""
    table: defaultdict[tuple[str, str], Counter[Outcome]] = defaultdict(Counter)
    for result in run.bundles:
        for verdict in result.verdicts:
            if verdict.outcome is not Outcome.PASSED:
                table[verdict.code, verdict.name][verdict.outcome] += 1
    rows = [
        (code, name, count[Outcome.FAILED], count[Outcome.SKIPPED], count[Outcome.ERRORED])
        for (code, name), count in table.items()
    ]
    return sorted(rows, key=lambda row: (-row[2], -row[4], -row[3], row[0]))


def evidence_words(evidence: Sequence[EvidenceRow]) -> str:
    """Return how much of the evidence verified: ``1 of 2``; a question mark where something is undecided."""
    if not evidence:
        return "none"
    verified = sum(row.verified is True for row in evidence)
    open_question = "?" if any(row.verified is None for row in evidence) else ""
    return f"{verified} of {len(evidence)}{open_question}"
