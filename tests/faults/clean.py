"""Clean bundles: whole and realistic, of every kind; each passes without an error."""

from __future__ import annotations

import random
from typing import Any

from tests.faults.checkout import Checkout
from tests.faults.clean_report import ReportWriting
from tests.faults.draft import Draft, Entry, Stated, sha256
from tests.faults.language import Fact, make_fact, page_text
from tests.faults.repository_rows import RepositoryRows

KINDS = ("web", "codebase", "hybrid", "runtime")
MODES = {"quick": (5, 10, 5, 8), "standard": (15, 25, 10, 20), "deep": (30, 50, 15, 40)}
_HOSTS = [
    ("www.archives.example.gov", "T1", "government"),
    ("records.example.edu", "T2", "academic"),
    ("www.reuters.com", "T3", "news"),
    ("docs.halcyon-systems.com", "T4", "documentation"),
    ("handbook.marlin-archive.org", "T4", "documentation"),
    ("medium.com", "T5", "blog"),
    ("www.port-authority.govt.nz", "T1", "government"),
]
_TITLES = ["Handbook — part {n}", "Guide: chapter {n}", "Notes | edition {n}", "api::retention {n}", "Report [{n}]"]


class CleanBundle(ReportWriting):
    """Makes one bundle; all choices come from the generator's own random source."""

    def __init__(self, rng: random.Random, checkout: Checkout, kind: str) -> None:
        self.rng = rng
        self.checkout = checkout
        self.kind = kind
        self.mode = rng.choice(list(MODES))
        self.language = rng.choice(["en", "en", "zh"])
        self.edition = rng.choice(["base", "base", "2026-09"])
        self.web = kind in {"web", "hybrid"}
        self.pages: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        self.facts: dict[str, list[Fact]] = {}
        self.rows = RepositoryRows(rng, checkout)
        self.entries: list[Entry] = []
        self.findings: list[dict[str, Any]] = []
        self.stated: list[Stated] = []
        self.gaps: list[str] = []
        self.partial: list[str] = []
        self.omitted = 0

    def make(self) -> Draft:
        """The draft of the bundle."""
        if self.web:
            self._pages()
            for url in self.facts:
                self._web_finding(url)
        if self.kind in {"codebase", "hybrid"}:
            self._code_findings()
        if self.kind == "runtime":
            self._runtime_finding()
            self._code_findings()
        if self.edition == "base":
            self._omitted_finding()
        self._failed_page()
        return Draft(
            kind="codebase" if self.kind == "runtime" else self.kind,
            mode=self.mode,
            language=self.language,
            edition=self.edition,
            report=self._report(),
            records=self._records(),
            checkout=self.checkout,
        )

    def _pages(self) -> None:
        hosts = self.rng.sample(_HOSTS, {"quick": 2, "standard": 3, "deep": 4}[self.mode])
        for number, (host, tier, kind) in enumerate(hosts, start=1):
            facts: list[Fact] = []
            while len(facts) < 3:
                fact = make_fact(self.rng, self.language)
                if all(fact.title != other.title for rows in [*self.facts.values(), facts] for other in rows):
                    facts.append(fact)
            path = self.rng.choice(
                [f"/guides/part-{number}", f"/a/{number}?page=2&view=full", f"/wiki/Terms_({number})"]
            )
            url = f"https://{host}{path}"
            title = self.rng.choice(_TITLES).format(n=number)
            words = self.rng.choice([250, 600, 2500])
            text = page_text(self.rng, self.language, title, [fact.excerpt for fact in facts], words)
            page = {
                "url": url,
                "title": title,
                "content": text,
                "word_count": len(text.split()),
                "error": "",
                "final_url": url,
                "http_status": 200,
                "fetched_at": "2025-03-06T09:00:00+00:00",
                "capture_method": "deep-research-fetch",
            }
            if self.rng.random() < 0.7:
                page["content_sha256"] = sha256(text)
            self.pages.append(page)
            self.results.append(
                {
                    "query": f"query {number}",
                    "title": title,
                    "url": url,
                    "normalized_url": url,
                    "domain": host,
                    "source_type": kind,
                    "snippet": "",
                    "date": "2025-01-0" + str(number),
                    "source_tier": tier,
                    "classification_basis": "heuristic",
                    "sponsorship": "unknown",
                    "methodology": "unknown",
                }
            )
            self.facts[url] = facts
            shown = {"title": title, "url": url, "type": kind, "tier": tier, "date": "2025-01-0" + str(number)}
            self.entries.append(Entry(len(self.entries) + 1, "web", shown))

    def _evidence(self, url: str, fact: Fact) -> dict[str, Any]:
        return {"kind": "web", "url": url, "excerpt": self._excerpt(url, fact)}

    def _excerpt(self, url: str, fact: Fact) -> str:
        """The sentence, or the sentence with the one after or before it, as the page has them."""
        text = next(page["content"] for page in self.pages if page["url"] == url)
        if self.rng.random() < 0.7:
            return fact.excerpt
        at = text.index(fact.excerpt)
        paragraph_end = text.find("\n\n", at)
        whole = text[at : paragraph_end if paragraph_end > 0 else len(text)]
        return whole.replace("\n", " ") if self.rng.random() < 0.5 else whole

    def _add(self, fact: Fact, row: dict[str, Any], stated: Stated) -> None:
        if self.edition == "2026-09":
            row["support_review"] = {
                "stance": "supports",
                "rationale": "The cited words state the claim in full, number and all.",
                "reviewed_by": "R. Viewer",
                "derived_numbers": False,
            }
        stated.row = len(self.findings)
        self.findings.append(row)
        self.stated.append(stated)

    def _web_finding(self, url: str) -> None:
        fact = self.facts[url][0]
        label = self.rng.choice(["Medium", "Medium", "Low"])
        evidence = [self._evidence(url, fact)]
        claim_type = self.rng.choice(["single_fact", "comparison", "trend"])
        row = {"title": fact.title, "claim_type": claim_type, "confidence": label.lower(), "analysis": fact.claim}
        row["evidence"] = evidence
        statement = fact.claim
        if self.rng.random() < 0.5:
            quote = fact.quote
            statement += f" 原文写道：“{quote}”。" if self.language == "zh" else f' In its words: "{quote}".'
        self._add(fact, row, Stated(statement, [self._number_of(url)], fact.title, label))

    def _code_findings(self) -> None:
        for _ in range(1 if self.mode == "quick" else self.rng.randint(2, 3)):
            record, title, claim = self.rows.code(pinned=True)
            number = self._entry(record)
            row = {"title": title, "claim_type": "code_fact", "confidence": "high", "analysis": claim}
            row["evidence"] = [{"kind": "code", "id": record["id"]}]
            self._add(Fact(title, "", claim, ""), row, Stated(claim, [number], title, "High"))
        self._independent_finding()
        if self.rng.random() < 0.4 and self.mode != "quick":
            self._unpinned_finding()

    def _independent_finding(self) -> None:
        """A recommendation that rests on a line of code and on a commit."""
        record, title, claim = self.rows.code(pinned=True)
        commit = self.rows.commit()
        title = f"Keep it as it is: {title}"
        claim = f"{claim} The history of the repository agrees."
        numbers = [self._entry(record), self._entry(commit)]
        row = {"title": title, "claim_type": "recommendation", "confidence": "high", "analysis": claim}
        row["evidence"] = [{"kind": "code", "id": record["id"]}, {"kind": "commit", "id": commit["id"]}]
        self._add(Fact(title, "", claim, ""), row, Stated(claim, numbers, title, "High"))

    def _unpinned_finding(self) -> None:
        record, title, claim = self.rows.code(pinned=False)
        number = self._entry(record)
        row = {"title": title, "claim_type": "code_fact", "confidence": "high", "analysis": claim}
        row["evidence"] = [{"kind": "code", "id": record["id"]}]
        reason = "the cited line is not pinned to a commit"
        on_line = self.rng.random() < 0.5
        self._add(Fact(title, "", claim, ""), row, Stated(claim, [number], title, "Medium", reason if on_line else ""))
        if not on_line:
            self.gaps.append(f"Confidence downgrades: finding #{len(self.findings)} went from High to Medium, {reason}")
        self.partial.append("a finding was downgraded")

    def _runtime_finding(self) -> None:
        for _ in range(1 if self.mode == "quick" else self.rng.randint(1, 2)):
            codes, receipt, identifier, title, claim = self.rows.runtime()
            numbers = [self._entry(record) for record in [*codes, receipt]]
            row = {"id": identifier, "title": title, "claim_type": "runtime_behavior", "confidence": "high"}
            row |= {"analysis": claim, "evidence": [{"kind": r["kind"], "id": r["id"]} for r in [*codes, receipt]]}
            self._add(Fact(title, "", claim, ""), row, Stated(claim, numbers, title, "High"))

    def _entry(self, record: dict[str, Any]) -> int:
        for entry in self.entries:
            if entry.shown.get("id") == record["id"]:
                return entry.number
        self.entries.append(Entry(len(self.entries) + 1, record["kind"], self.rows.shown(record)))
        return len(self.entries)

    def _omitted_finding(self) -> None:
        """A finding that nothing verifies, left out and told."""
        if self.rng.random() > 0.4:
            return
        fact = make_fact(self.rng, self.language)
        evidence: list[Any] = []
        if self.web:
            url = next(iter(self.facts))
            evidence = [{"kind": "web", "url": url, "excerpt": f"It was never written that {fact.quote}"}]
        row = {"title": f"{fact.title} (unproven)", "claim_type": "trend", "confidence": "low", "analysis": fact.claim}
        at = self.rng.choice([0, len(self.findings)])
        for stated in self.stated:
            stated.row += stated.row >= at
        self.findings.insert(at, {**row, "evidence": evidence})
        self.gaps = [gap.replace(f"#{len(self.findings) - 1} ", f"#{len(self.findings)} ") if at == 0 else gap
                     for gap in self.gaps]  # fmt: skip
        self.gaps.append(f"Unverified findings: finding #{at + 1} was omitted, since no evidence carried it")
        self.omitted = 1
        self.partial.append("a finding was omitted")

    def _failed_page(self) -> None:
        if self.web and self.rng.random() < 0.3:
            url = "https://docs.halcyon-systems.com/unreachable"
            self.pages.append({"url": url, "title": "", "content": "", "word_count": 0, "error": "timeout"})
            self.results.append({"query": "query", "title": "Unreachable", "url": url, "normalized_url": url})
            self.gaps.append("Extraction failures: one page could not be read (timeout)")
            self.partial.append("a page could not be read")

    def _records(self) -> dict[str, Any]:
        sections: list[dict[str, Any]] = []
        statements: list[list[dict[str, Any]]] = [[], []]
        self._rows_of_analysis(sections, statements)
        records: dict[str, Any] = {
            "findings": {
                "findings": self.findings,
                "analysis_sections": sections,
                "consensus": statements[0],
                "debate": statements[1],
                "gaps": list(self.gaps),
            }
        }
        if self.web:
            records["results"] = {"results": self.results}
            records["content"] = {"items": self.pages, "budget_exhausted": False}
        if self.rows.rows:
            records["code_evidence"] = {"root": self.rows.root, "evidence": self.rows.rows}
        low, high, pages, sources = MODES[self.mode]
        records["session"] = {
            "schema": "deep-research/session-v1",
            "session_id": f"{self.rng.getrandbits(128):032x}",
            "request": "What do the sources say?",
            "research_kind": "codebase" if self.kind == "runtime" else self.kind,
            "mode": self.mode,
            "budget": {
                "retrieval_min": low,
                "retrieval_max": high,
                "content_max": pages,
                "report_sources_max": sources,
            },
            "created_at": "2025-03-06T06:00:00+00:00",
            "updated_at": "2025-03-06T10:00:00+00:00",
            "usage": {
                "retrieval_calls": len(self.results),
                "content_extractions": len(self.pages),
                "report_sources": len(self.entries),
            },
            "events": [{"type": "search", "calls": 1}],
        }
        return records


def clean_bundle(seed: str, checkout: Checkout, kind: str) -> Draft:
    """The clean bundle of a seed and kind."""
    return CleanBundle(random.Random(f"bundle-{seed}-{kind}"), checkout, kind).make()
