"""The report of a clean bundle, written from its findings, pages and records."""

from __future__ import annotations

import random
from typing import Any

from tests.faults.draft import Cited, Entry, Report, Stated, Topic
from tests.faults.language import Fact, remark
from tests.faults.repository_rows import RepositoryRows


class ReportWriting:
    """What :class:`~tests.faults.clean.CleanBundle` knows, and how a report is made of it."""

    rng: random.Random
    kind: str
    mode: str
    language: str
    edition: str
    pages: list[dict[str, Any]]
    results: list[dict[str, Any]]
    facts: dict[str, list[Fact]]
    rows: RepositoryRows
    entries: list[Entry]
    findings: list[dict[str, Any]]
    stated: list[Stated]
    gaps: list[str]
    partial: list[str]
    omitted: int
    topics: list[Topic]
    consensus: list[Cited]
    debate: list[Cited]

    def _number_of(self, url: str) -> int:
        return next(entry.number for entry in self.entries if entry.shown.get("url") == url)

    def _rows_of_analysis(self, sections: list[dict[str, Any]], statements: list[list[dict[str, Any]]]) -> None:
        for topic in self.topics:
            text = " ".join(paragraph.text for paragraph in topic.paragraphs)
            sections.append(
                {"title": topic.title, "content": text, "evidence": self._evidence_for(topic.paragraphs[0])}
            )
        for group, rows in zip(statements, (self.consensus, self.debate), strict=True):
            for row in rows:
                if row.cites:
                    group.append({"statement": row.text, "evidence": self._evidence_for(row)})

    def _evidence_for(self, passage: Cited) -> list[dict[str, Any]]:
        """Evidence for what a passage cites: its own fact of a page, or the record."""
        found: list[dict[str, Any]] = []
        for number in passage.cites:
            entry = self.entries[number - 1]
            if entry.kind != "web":
                found.append({"kind": entry.kind, "id": entry.shown["id"]})
                continue
            url = entry.shown["url"]
            fact = next(fact for fact in self.facts[url] if fact.claim in passage.text)
            found.append({"kind": "web", "url": url, "excerpt": fact.excerpt})
        return found

    def _report(self) -> Report:
        self.topics = []
        self.consensus = []
        self.debate = []
        zh = self.language == "zh"
        for url in self.facts:
            facts, number = self.facts[url], self._number_of(url)
            self.topics.append(
                Topic(f"Subtopic {number}", [Cited(facts[1].claim, [number]), Cited(remark(self.rng, self.language))])
            )
            target = self.consensus if number % 2 else self.debate
            target.append(Cited(facts[2].claim, [number]))
        codes = [entry for entry in self.entries if entry.kind == "code"]
        if codes:
            words = (
                "代码中的定义与上面的发现一致。" if zh else "The definition in the code agrees with the findings above."
            )
            self.topics.append(Topic("Code", [Cited(words, [codes[0].number])]))
        nothing = [Cited("No statement with evidence was recorded.")]
        opening = ("部分结果：" if zh else "Partial result: ") if self.partial else ""
        summary = [Cited(opening + (" " if not zh else "").join(s.text for s in self.stated[:2]))]
        cited = {
            (e["kind"], e.get("url") or e.get("id")) for s in self.stated for e in self.findings[s.row]["evidence"]
        }
        cited |= {(e["kind"], e.get("url") or e.get("id")) for p in [p for t in self.topics for p in t.paragraphs]
                  + self.consensus + self.debate for e in self._evidence_for(p)}  # fmt: skip
        return Report(
            preamble=self.rng.choice(["", "# Research report\n\nThe short answer stands in section 3."]),
            fields=self._fields(len(cited)),
            summary=summary,
            findings=self.stated,
            topics=self.topics,
            consensus=self.consensus or nothing,
            debate=self.debate or nothing,
            entries=self.entries,
            gaps=[*self.gaps, "Source-quality unknowns: sponsorship and methodology of web pages"],
        )

    def _fields(self, cited: int) -> dict[int, list[list[str]]]:
        level = "Partial" if self.partial else "Full"
        chain = "partially satisfied" if self.partial else "satisfied"
        tiers = [entry.shown["tier"] for entry in self.entries if entry.kind == "web"]
        kind = "codebase" if self.kind == "runtime" else self.kind
        two = [
            ["Execution mode", f"`{self.mode}`"],
            ["Degradation level", f"`{level}`"],
            ["Retrieval plan / subtopics", "one query per subtopic"],
            ["Dedup strategy", "the first record of each address is kept"],
            ["Retrieved sources", str(len(self.results))],
            ["Content items processed", str(len(self.pages))],
            ["Successfully extracted", str(sum(bool(page["content"]) for page in self.pages))],
            ["Repository evidence units", str(len(self.rows.rows))],
            ["Cited evidence units", str(cited)],
            ["Validation checks performed", "inputs, excerpts, records, confidence, degradation"],
            ["Live Web captures / validator-derived T1 references", "0 / 0"],
        ]
        if self.edition == "2026-09":
            states = f"attested {len(self.stated)}, qualified 0, unreviewed 0, disputed 0, blocked 0"
            two.append(["Claim support (one state a finding)", f"`attested` — {states}"])
        single = sum(len(self.findings[stated.row]["evidence"]) == 1 for stated in self.stated)
        return {
            1: [
                ["Normalized question", "What do the sources say?" if self.language == "en" else "资料怎么说？"],
                ["Research kind", f"`{kind}`"],
                ["Depth mode", f"`{self.mode}`"],
                ["Evidence chain requirements", "typed records for every claim"],
            ],
            2: two,
            7: [
                ["Source tier T1–T5 distribution", ", ".join(f"T{n}: {tiers.count(f'T{n}')}" for n in range(1, 6))],
                [
                    "Classification basis, effective final URLs, and live-capture count",
                    "host heuristics; no live capture",
                ],
                ["Potential sponsorship / conflicts of interest", "unknown"],
                ["Methodology quality and unknowns", "unknown unless a source line says otherwise"],
                ["Single-source findings", str(single)],
                ["Unverified findings omitted", str(self.omitted)],
                ["Evidence chain status", f"`{chain}`"],
            ],
        }
