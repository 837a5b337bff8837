"""``--format junit``: a test suite a bundle, a test case a verdict, as CI servers read them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

from evidence_lint.model.result import BundleResult, FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Verdict
from evidence_lint_plugins.formats.characters import xml_text
from evidence_lint_plugins.formats.rows import Row, counts_words, help_of, rows_of


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the XML. Passed checks are always listed where the run kept them, since CI servers count cases."""
    root = ET.Element("testsuites", name="evidence-lint")
    totals: Counter[str] = Counter()
    for result in run.bundles:
        totals += _suite(run, result, root)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(totals[name]))
    ET.indent(root)
    # Carriage returns need no care: characters.xml_text has replaced them.
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(run: RunResult, result: BundleResult, root: ET.Element) -> Counter[str]:
    suite = ET.SubElement(root, "testsuite", name=xml_text(run.places.display_path(result.bundle.path)))
    properties = ET.SubElement(suite, "properties")
    for name, words in counts_words(result.counts):
        ET.SubElement(properties, "property", name=f"evidence-lint.{name}", value=words)
    rows = rows_of(run, result, passed=True)
    count = Counter(tests=len(rows))
    for row in rows:
        # The schema knows neither file nor line of a case; the text of a failure begins with them.
        name, classname = xml_text(_name(row.verdict)), xml_text(_class(row))
        case = ET.SubElement(suite, "testcase", name=name, classname=classname)
        kind = _outcome(run, row, case)
        if kind:
            count[kind] += 1
    for name in ("tests", "failures", "errors", "skipped"):
        suite.set(name, str(count[name]))
    return count


def _name(verdict: Verdict) -> str:
    """The subject and the rule: what a node id says after the path."""
    subject = verdict.node.partition("::")[2] or verdict.node
    return f"{verdict.code} {subject}"


def _class(row: Row) -> str:
    return row.verdict.node.partition("::")[0]


def _outcome(run: RunResult, row: Row, case: ET.Element) -> str:
    verdict = row.verdict
    if verdict.outcome is Outcome.FAILED and verdict.severity.value == "error":
        failure = ET.SubElement(case, "failure", type=verdict.name, message=xml_text(row.message))
        failure.text = xml_text(_details(run, row))
        return "failures"
    if verdict.outcome is Outcome.FAILED:
        # A warning fails no build: the case passes, and its output says what was found.
        ET.SubElement(case, "system-out").text = xml_text(f"{verdict.severity.value}: {_details(run, row)}")
        return ""
    if verdict.outcome is Outcome.ERRORED:
        error = ET.SubElement(case, "error", type=verdict.name, message="the check itself broke")
        error.text = xml_text(row.message)
        return "errors"
    if verdict.outcome is Outcome.SKIPPED:
        ET.SubElement(case, "skipped", message=xml_text(row.message))
        return "skipped"
    if verdict.outcome is Outcome.SUPPRESSED:
        reason = verdict.suppression.reason if verdict.suppression is not None else "no reason was given"
        ET.SubElement(case, "skipped", message=xml_text(f"suppressed: {reason}"))
        return "skipped"
    return ""


def _details(run: RunResult, row: Row) -> str:
    place = row.position
    lines = [f"{place.path}:{place.line}:{place.column}: {row.message}"]
    if row.verdict.problem is not None:
        for related in row.verdict.problem.related:
            at = run.places.position(row.bundle.bundle, related.location)
            lines.append(f"{at.path}:{at.line}:{at.column}: {related.message}")
    help_text = help_of(run, row.verdict)
    if help_text:
        lines.append(f"help: {help_text}")
    return "\n".join(lines)
