"""A bundle in parts that can be altered one at a time: the report as a structure, the records as JSON."""

from __future__ import annotations

import copy
import hashlib
import json
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from evidence_lint.model.report import contract_heading

Files = dict[str, bytes]
"""The files of a bundle by their names."""


@dataclass
class Cited:
    """Running text with the numbers that it cites; ``form`` is "" for the style of the report."""

    text: str
    cites: list[int] = field(default_factory=list)


@dataclass
class Stated(Cited):
    """A finding of section 4; ``row`` is the index of its record."""

    title: str = ""
    label: str = "Medium"
    downgrade: str = ""
    row: int = 0


@dataclass
class Topic:
    """A subtopic of section 5; ``row`` is the index of its record."""

    title: str
    paragraphs: list[Cited]


@dataclass
class Entry:
    """An entry of section 8: its kind, and the fields that it shows."""

    number: int
    kind: str
    shown: dict[str, str]
    extra: str = ""

    def line(self) -> str:
        """The text after ``[n] ``."""
        s = self.shown
        if self.kind == "web":
            text = f"{s['title']} — {s['url']} — {s['type']} (preclassified {s['tier']}) — date: {s['date']}; basis: "
            text += "host heuristics; sponsorship: unknown; methodology: unknown"
        elif self.kind == "code":
            text = f"code evidence `{s['id']}` — {s['path']}:{s['line']} — {s['excerpt']} — commit: {s['commit']}"
        elif self.kind == "commit":
            text = f"commit evidence `{s['id']}` — {s['commit']} — {s['subject']}"
        else:
            text = (
                f"test evidence `{s['id']}` — {s['framework']} / {s['target']} — {s['status']} (exit {s['exit']}) — "
                f"commit: {s['commit']}; tree: {s['tree']}; dirty: False; covers: {s['covers']}; "
                f"relevance: {s['relevance']} — {s['summary']}"
            )
        return text + self.extra


@dataclass
class Style:
    """How a report is written where the contract leaves it open."""

    bullet: str = "-"
    cites: str = "adjacent"
    setext: bool = False
    closing: bool = False
    code_marks: bool = True
    wrap: int = 0
    entry_bullet: str = ""
    gap: str = "\n\n"
    row_gap: str = "\n"
    cite_space: str = " "


@dataclass
class Report:
    """The nine sections."""

    preamble: str
    fields: dict[int, list[list[str]]]
    summary: list[Cited]
    findings: list[Stated]
    topics: list[Topic]
    consensus: list[Cited]
    debate: list[Cited]
    entries: list[Entry]
    gaps: list[str]
    order: list[int] = field(default_factory=lambda: list(range(1, 10)))
    headings: dict[int, str] = field(default_factory=lambda: {n: f"## {contract_heading(n)}" for n in range(1, 10)})
    bodies: dict[int, str] = field(default_factory=dict)
    subheadings: list[str] = field(default_factory=lambda: ["### Consensus", "### Debate / Contradictory Evidence"])
    style: Style = field(default_factory=Style)

    def value(self, section: int, words: str) -> list[str]:
        """The field of a section whose label holds the words."""
        return next(row for row in self.fields[section] if words in row[0].lower())

    def passages(self) -> list[Cited]:
        """Everything that cites, in order."""
        topics = [paragraph for topic in self.topics for paragraph in topic.paragraphs]
        return [*self.summary, *self.findings, *topics, *self.consensus, *self.debate]

    def text(self) -> str:
        """The report as Markdown."""
        parts = [self.preamble] if self.preamble else []
        for number in self.order:
            body = self.bodies.get(number, self.body(number))
            parts.append(f"{self._heading(number)}\n\n{body}")
        return self.style.gap.join(parts) + "\n"

    def _heading(self, number: int) -> str:
        heading = self.headings[number]
        plain = heading.removeprefix("## ")
        if heading.startswith("## ") and self.style.setext:
            escaped = plain.replace(")", "\\)", 1)
            return f"{escaped}\n{'-' * 12}"
        return f"{heading} ##" if heading.startswith("## ") and self.style.closing else heading

    def body(self, number: int) -> str:
        """The content of one section."""
        if number in self.fields:
            return "\n".join(self._item(f"{label}: {self._value(value)}") for label, value in self.fields[number])
        if number == 3:
            return "\n\n".join(self._cited(passage) for passage in self.summary)
        if number == 4:
            return self.style.row_gap.join(self.finding_line(finding) for finding in self.findings)
        if number == 5:
            return "\n\n".join(
                f"### {topic.title}\n\n" + "\n\n".join(self._cited(p) for p in topic.paragraphs)
                for topic in self.topics
            )
        if number == 6:
            rows = (self.consensus, self.debate)
            return "\n\n".join(
                f"{heading}\n\n" + "\n".join(self._item(self._cited(row)) for row in group)
                for heading, group in zip(self.subheadings, rows, strict=True)
            )
        if number == 8:
            mark = self.style.entry_bullet
            return "\n".join(f"{mark}[{entry.number}] {entry.line()}" for entry in self.entries)
        return "\n".join(self._item(line) for line in self.gaps)

    def finding_line(self, finding: Stated) -> str:
        """One bullet of section 4."""
        label = f" ({finding.label} confidence)" if finding.label else ""
        text = f"**{finding.title}**{label}: {self._cited(finding)}"
        return self._item(text + (f" Downgrade: {finding.downgrade}" if finding.downgrade else ""))

    def _item(self, text: str) -> str:
        mark = f"{self.style.bullet} "
        return textwrap.indent(self._wrapped(text), " " * len(mark)).replace(" " * len(mark), mark, 1)

    def _cited(self, passage: Cited) -> str:
        marks = cite_marks(passage.cites, self.style.cites)
        return self._wrapped(passage.text + (self.style.cite_space + marks if marks else ""))

    def _wrapped(self, text: str) -> str:
        if not self.style.wrap:
            return text
        return "\n".join(textwrap.wrap(text, self.style.wrap, break_long_words=False, break_on_hyphens=False) or [text])

    def _value(self, value: str) -> str:
        return value if self.style.code_marks else value.replace("`", "")


def cite_marks(numbers: list[int], form: str) -> str:
    """Citation markers in one of the forms that occur."""
    if not numbers:
        return ""
    if form == "comma":
        return f"[{', '.join(map(str, numbers))}]"
    if form == "range" and len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"[{numbers[0]}-{numbers[-1]}]"
    return ("" if form in {"adjacent", "range"} else " ").join(f"[{n}]" for n in numbers)


@dataclass
class Draft:
    """A whole bundle. ``raw`` are changes of the written files; ``dumps`` writes JSON."""

    kind: str
    mode: str
    language: str
    edition: str
    report: Report
    records: dict[str, Any]
    checkout: Any
    raw: list[Callable[[Files], None]] = field(default_factory=list)
    dumps: Callable[[Any], str] = lambda data: json.dumps(data, ensure_ascii=False, indent=2)

    def copy(self) -> Draft:
        """A deep copy that shares the checkout."""
        return copy.deepcopy(self, {id(self.checkout): self.checkout})

    def files(self) -> Files:
        """The files of the bundle."""
        made = {f"{name}.json": self.dumps(data).encode() for name, data in self.records.items()}
        made["report.md"] = self.report.text().encode()
        for change in self.raw:
            change(made)
        return made

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The rows of findings.json."""
        return self.records["findings"]["findings"]

    @property
    def pages(self) -> list[dict[str, Any]]:
        """The rows of content.json."""
        return self.records.get("content", {}).get("items", [])

    @property
    def results(self) -> list[dict[str, Any]]:
        """The rows of results.json."""
        return self.records.get("results", {}).get("results", [])

    @property
    def repository(self) -> list[dict[str, Any]]:
        """The rows of code_evidence.json."""
        return self.records.get("code_evidence", {}).get("evidence", [])

    def record(self, identifier: str) -> dict[str, Any]:
        """The repository record of an id."""
        return next(row for row in self.repository if row["id"] == identifier)

    def page(self, url: str) -> dict[str, Any]:
        """The saved page of a URL."""
        return next(row for row in self.pages if row["url"] == url)

    def stated(self, row: int) -> Stated | None:
        """The published finding of a record."""
        return next((finding for finding in self.report.findings if finding.row == row), None)

    def claims(self) -> list[dict[str, Any]]:
        """Every row of findings.json that names evidence and is published: findings, sections, statements."""
        data = self.records["findings"]
        published = [row for number, row in enumerate(data["findings"]) if self.stated(number) is not None]
        return [*published, *data["analysis_sections"], *data["consensus"], *data["debate"]]

    def entry_of(self, evidence: dict[str, Any]) -> Entry:
        """The entry of the index for a piece of evidence."""
        if evidence["kind"] == "web":
            return next(entry for entry in self.report.entries if entry.shown.get("url") == evidence["url"])
        return next(entry for entry in self.report.entries if entry.shown.get("id") == evidence["id"])


def sha256(text: str) -> str:
    """The hash as records carry it."""
    return hashlib.sha256(text.encode()).hexdigest()
