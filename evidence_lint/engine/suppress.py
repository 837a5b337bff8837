"""Applying suppressions and a baseline to a bundle's verdicts. Only failures are silenced, never errors or skips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evidence_lint.engine.baseline import Baseline
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.select import EVERYTHING
from evidence_lint.errors import SelectionError
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Position
from evidence_lint.model.suppression import AfterRun, BaselineEntry, SuppressionMark, SuppressionUse
from evidence_lint.model.verdict import Outcome, Suppression, Verdict
from evidence_lint.parse.suppressions import find_marks
from evidence_lint.sources.places import place_below

_UNDECIDED = frozenset({Outcome.SKIPPED, Outcome.ERRORED})


def baseline_path(bundle: Bundle, folder: Path) -> str:
    """A report's path as a baseline in ``folder`` names it: relative to it where it lies below, else absolute."""
    main = bundle.artifacts[bundle.main].path
    return str(place_below(main, folder) or main.absolute())


@dataclass(frozen=True)
class SuppressionPolicy:
    """What may be suppressed.

    ``matching`` gives the codes of the rules that a selector names, and raises :class:`SelectionError` for an unknown
    one. ``never`` are codes that nothing silences. ``by_author`` are the codes that inline comments and records may
    silence; None allows all but ``never``.
    """

    matching: Callable[[str], Collection[str]]
    never: frozenset[str] = frozenset()
    by_author: frozenset[str] | None = None
    baseline: Baseline = field(default_factory=Baseline)
    baseline_folder: Path = field(default_factory=Path.cwd)
    required: tuple[str, ...] = ()


@dataclass
class _Mark:
    """A mark while it is applied: the codes that each of its selectors silences, and which selectors did."""

    mark: SuppressionMark
    codes: dict[str, frozenset[str]]
    unknown: list[str]
    refused: list[str]
    used: set[str]

    def silences(self, code: str) -> bool:
        """Note the use of the first selector that names the rule, when the mark has a reason."""
        for selector, codes in self.codes.items():
            if code in codes:
                self.used.add(selector)
                return bool(self.mark.reason)
        return False


class Suppressor:
    """Applies a policy to one bundle after another."""

    def __init__(self, policy: SuppressionPolicy, locator: Locator) -> None:
        self._policy = policy
        self._locator = locator

    def apply(
        self, bundle: Bundle, verdicts: Sequence[Verdict], vacuous: Collection[str] = (), *, narrowed: bool = False
    ) -> tuple[list[Verdict], AfterRun]:
        """Return the verdicts with the silenced ones marked, and what META rules need to know.

        ``vacuous`` are the codes of selected rules that had nothing to look at. In a run that was ``narrowed`` to some
        checks nobody can say that a suppression silences nothing, or that a known failure is gone.
        """
        marks = [self._prepared(mark) for name in bundle.artifacts for mark in find_marks(bundle.artifacts[name])]
        path = baseline_path(bundle, self._policy.baseline_folder)
        known = {entry.fingerprint: entry for entry in self._policy.baseline.of(path)}
        matched: set[str] = set()
        amended: list[Verdict] = []
        for verdict in verdicts:
            suppression = None
            if verdict.outcome is Outcome.FAILED:
                suppression = self._by_mark(bundle, verdict, marks) or self._by_baseline(verdict, known, matched)
            amended.append(
                verdict
                if suppression is None
                else replace(verdict, outcome=Outcome.SUPPRESSED, suppression=suppression)
            )
        left = [entry for fingerprint, entry in known.items() if fingerprint not in matched]
        return amended, self._after(verdicts, marks, left, frozenset(vacuous), narrowed=narrowed)

    def _prepared(self, mark: SuppressionMark) -> _Mark:
        codes: dict[str, frozenset[str]] = {}
        unknown: list[str] = []
        refused: list[str] = []
        for selector in mark.selectors:
            try:
                # There is no suppression of everything: it would hide what nobody has seen yet.
                named = frozenset(self._policy.matching(selector if selector.upper() != EVERYTHING else ""))
            except SelectionError:
                unknown.append(selector)
                continue
            allowed = named - self._policy.never
            if self._policy.by_author is not None:
                allowed &= self._policy.by_author
            if not allowed:
                refused.append(selector)
            codes[selector] = allowed
        return _Mark(mark, codes, unknown, refused, set())

    def _by_mark(self, bundle: Bundle, verdict: Verdict, marks: Sequence[_Mark]) -> Suppression | None:
        problem = verdict.problem
        if problem is None:
            return None
        for candidate in marks:
            if self._covers(bundle, candidate.mark, verdict) and candidate.silences(verdict.code):
                return Suppression(candidate.mark.kind, candidate.mark.reason, candidate.mark.location)
        return None

    def _covers(self, bundle: Bundle, mark: SuppressionMark, verdict: Verdict) -> bool:
        location = verdict.problem.location if verdict.problem is not None else None
        if location is None or location.artifact != mark.location.artifact:
            return False
        if mark.pointer is not None:
            there = location.pointer
            # A block at the top of a document belongs to no record, and covers none.
            below = bool(mark.pointer) and there is not None and there.startswith(mark.pointer + "/")
            return below or there == mark.pointer
        if mark.lines is None:
            return False
        position = self._locator.position(bundle, location)
        return position.line <= mark.lines[1] and mark.lines[0] <= self._last_line(bundle, location.artifact, position)

    def _last_line(self, bundle: Bundle, artifact: str, position: Position) -> int:
        """The last line on which a mark still speaks about a problem: of the paragraph or bullet that it begins in.

        A problem may stand on a whole section, and a mark somewhere in it is meant for something smaller.
        """
        last = position.end_line - (position.end_column == 1 and position.end_line > position.line)
        for number, text in self._locator.source_lines(bundle, artifact, position.line, last):
            if not text.strip() or (number == position.line and text.lstrip().startswith("#")):
                return max(position.line, number - (not text.strip()))
        return max(position.line, last)

    def _by_baseline(self, verdict: Verdict, known: dict[str, BaselineEntry], matched: set[str]) -> Suppression | None:
        entry = known.get(verdict.fingerprint)
        if entry is None or entry.rule != verdict.code or verdict.code in self._policy.never:
            return None
        matched.add(verdict.fingerprint)
        return Suppression("baseline", f"known since the baseline {self._policy.baseline.name}")

    def _after(
        self,
        verdicts: Sequence[Verdict],
        marks: Sequence[_Mark],
        left: Sequence[BaselineEntry],
        vacuous: frozenset[str],
        *,
        narrowed: bool,
    ) -> AfterRun:
        undecided = [v for v in verdicts if v.outcome in _UNDECIDED]
        ran = frozenset(v.code for v in verdicts if v.outcome not in _UNDECIDED) | vacuous
        skipped = {v.code: v.skip.message if v.skip else v.error or "" for v in reversed(undecided)}
        # A rule that was skipped on one subject might have found there what is suppressed or known.
        decided = frozenset[str]() if narrowed else ran - skipped.keys()
        uses = tuple(
            SuppressionUse(
                mark.mark,
                used=tuple(s for s in mark.codes if s in mark.used),
                unused=tuple(
                    s
                    for s, codes in mark.codes.items()
                    if s not in mark.used and s not in mark.refused and codes & ran and not codes & ran - decided
                ),
                unknown=tuple(mark.unknown),
                refused=tuple(mark.refused),
            )
            for mark in marks
        )
        return AfterRun(
            suppressions=uses,
            stale=tuple(entry for entry in left if entry.rule in decided),
            baseline=self._policy.baseline.name,
            ran=ran,
            skipped=skipped,
            required=self._policy.required,
        )
