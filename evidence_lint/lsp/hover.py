"""What an editor shows over a citation, an index entry, a finding or a record: the evidence, and what it earned.

Everything is from the last check; nothing is read or fetched for a hover. All foreign text is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_lint.lsp.lookup import Found, Lookup
from evidence_lint.lsp.words import Page
from evidence_lint.model.artifact import JSON
from evidence_lint.model.records import Record, Row
from evidence_lint.model.report import StatedFinding
from evidence_lint.model.result import EvidenceRow
from evidence_lint.model.verdict import Excerpted, Verdict
from evidence_lint.witness.claims import Claim
from evidence_lint.witness.code_facts import CodeEvidence, Diagnosis
from evidence_lint.witness.index import EntryTarget
from evidence_lint.witness.units import Unit
from evidence_lint.witness.web import WebEvidence

_MOST_UNITS = 8
_MOST_REASONS = 10
_MOST_ROWS = 5
_AROUND = 120
_FACTS = ("id", "path", "line", "commit", "match", "live", "tier", "fault")


def hover_text(found: Found | None, verdicts: Sequence[Verdict], lookup: Lookup, *, markdown: bool) -> str:
    """The text of a hover; "" when there is nothing to show. ``verdicts`` are the failed ones at the place."""
    page = Page(markdown)
    for verdict in verdicts:
        _problem(page, verdict)
    if found is not None:
        _found(page, found, lookup)
    return page.text


def _found(page: Page, found: Found, lookup: Lookup) -> None:
    if found.unit is not None:
        page.rule()
        _units(page, [found.unit], lookup)
        _rows(page, found.rows)
    elif found.stated is not None or found.claim is not None:
        _finding(page, found.claim, found.stated, lookup)
    elif found.citation is not None and not found.targets:
        page.rule()
        page.say(f"{page.escaped(f'[{found.citation.number}]')} has no entry in the index")
    elif found.targets or found.rows:
        for target in found.targets:
            _entry(page, target)
        _rows(page, found.rows)
        _units(page, lookup.units_naming(found.rows), lookup)


def _problem(page: Page, verdict: Verdict) -> None:
    problem = verdict.problem
    if problem is None or not (problem.shown or problem.help):
        return
    page.rule()
    page.say(f"{page.strong(verdict.code)} {page.escaped(problem.message)}")
    if problem.help:
        page.say(page.escaped(problem.help))
    for shown in problem.shown:
        _shown(page, shown)


def _entry(page: Page, target: EntryTarget) -> None:
    page.rule()
    page.say(f"{page.strong(f'Source {target.entry.number}')} {page.escaped(target.entry.text)}")
    if not target.resolved:
        page.say("No saved record answers to this entry.")
    elif target.ambiguous:
        page.say("Several records share this id, so none of them counts.")


def _rows(page: Page, rows: Sequence[Row[Record]]) -> None:
    words = [f"{page.escaped(row.artifact)} #{row.number}: {page.escaped(_title(row))}" for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        words.append(f"{len(rows) - _MOST_ROWS} more")
    if words:
        page.say("Records:")
        page.points(words)


def _title(row: Row[Record]) -> str:
    names = ("id", "title", "url", "path", "subject", "command")
    values = (getattr(row.value, name, None) for name in names)
    return " · ".join(value for value in values if isinstance(value, str) and value.strip()) or "(unnamed)"


def _finding(page: Page, claim: Claim | None, stated: StatedFinding | None, lookup: Lookup) -> None:
    page.rule()
    row = lookup.finding_row(claim, stated)
    title = (claim.title if claim is not None else "") or (stated.title if stated is not None else "")
    page.say(page.strong(title or "(without a title)"))
    if stated is not None and claim is None:
        page.say("No record of findings.json bears this title, so nothing backs it.")
    if row is not None:
        levels = (
            ("stated", row.stated_confidence),
            ("requested", row.requested_confidence),
            ("effective", "unusable" if row.usable is False else row.effective_confidence),
        )
        page.say("Confidence: " + ", ".join(f"{name} {page.strong(word or 'undecided')}" for name, word in levels))
        page.points([page.escaped(reason) for reason in row.reasons[:_MOST_REASONS]])
    if claim is not None:
        _units(page, lookup.units_of(claim), lookup)


def _units(page: Page, units: Sequence[Unit], lookup: Lookup) -> None:
    for unit in units[:_MOST_UNITS]:
        _unit(page, unit, lookup.evidence_row(unit))
    if len(units) > _MOST_UNITS:
        page.say(f"… and {len(units) - _MOST_UNITS} more evidence units.")


def _unit(page: Page, unit: Unit, row: EvidenceRow | None) -> None:
    verified = row.verified if row is not None else unit.verified
    mark = {True: "✅ verified", False: "❌ not verified", None: "❔ undecided"}[verified]
    kind = unit.ref.kind.value if unit.ref.kind is not None else "unknown"
    facts: Mapping[str, JSON] = row.facts if row is not None else {}
    words = [f"{name} {page.escaped(_word(facts[name]))}" for name in _FACTS if facts.get(name) not in (None, "")]
    name = unit.ref.url or unit.ref.id
    page.say(f"{mark}: {kind} evidence {page.escaped(name)}" + (f" ({', '.join(words)})" if words else ""))
    if unit.ref.excerpt:
        page.quote(unit.ref.excerpt)
    if row is not None and row.shown:
        for shown in row.shown:
            _shown(page, shown)
    elif unit.web is not None:
        _passage(page, unit.web)
    elif unit.code is not None:
        _code(page, unit.code)
    elif unit.commit is not None:
        _diagnoses(page, unit.commit.diagnoses)


def _word(value: JSON) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _passage(page: Page, web: WebEvidence) -> None:
    """What the saved page says there, with a little around it; on a mismatch the passage that is most like it."""
    if web.page is None or not web.page.extracted:
        page.say("The text of the page is not saved.")
        return
    text = web.page.text.original
    if web.match is not None:
        page.say("The saved page says:")
        page.quote(_around(text, web.match.start, web.match.end))
        return
    nearest = web.page.text.nearest(web.ref.excerpt) if web.ref.excerpt else None
    if nearest is None:
        page.say("Nothing in the saved page is like the excerpt.")
        return
    page.say("The excerpt does not stand in the saved page. Most like it is:")
    page.quote(_around(text, nearest.start, nearest.end))


def _around(text: str, start: int, end: int) -> str:
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")


def _code(page: Page, code: CodeEvidence) -> None:
    if code.verified:
        place = f"{code.path}:{code.lines[0]}" if code.lines is not None else code.path
        page.say(f"{page.escaped(place)} holds:")
        page.quote(code.excerpt)
        if code.head_lines is not None:
            page.say("At HEAD these lines read differently.")
    _diagnoses(page, code.diagnoses)


def _diagnoses(page: Page, diagnoses: Sequence[Diagnosis]) -> None:
    for diagnosis in diagnoses:
        page.say(page.escaped(diagnosis.message))
        if diagnosis.found:
            page.say(f"{page.escaped(diagnosis.origin)} holds:" if diagnosis.origin else "There stands:")
            page.quote("\n".join(diagnosis.found))


def _shown(page: Page, shown: Excerpted) -> None:
    page.say(page.escaped(shown.origin))
    if shown.lines:
        first = shown.first_line
        numbered = (f"{first + index:>5} {line}" for index, line in enumerate(shown.lines)) if first else shown.lines
        page.quote("\n".join(numbered))
    elif shown.diff:
        page.quote(" ".join(text for operation, text in shown.diff if operation != "delete"))
