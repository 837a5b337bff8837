"""Results built from small bundles held in memory: real artifacts, real locations, real positions."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from evidence_lint.engine.fingerprint import Fingerprints
from evidence_lint.engine.locate import Locator
from evidence_lint.model.artifact import Artifact, Bundle, Medium
from evidence_lint.model.capture import Capture, CaptureOutcome, Hop
from evidence_lint.model.location import Location, Span
from evidence_lint.model.result import (
    BundleResult,
    Counts,
    EvidenceRow,
    FindingRow,
    RuleInfo,
    RunInfo,
    RunResult,
    Summary,
)
from evidence_lint.model.verdict import (
    Applicability,
    Edit,
    Excerpted,
    Fix,
    Outcome,
    Problem,
    Related,
    Severity,
    Skip,
    Suppression,
    Verdict,
)

HOSTILE = "\x1b[31mred\x00\x9b2J ]]> <script>alert(1)</script> | `x` @team 100% a:b,c\u202e\ud800\ufffe & \"'"

REPORT = """\
# Retry behaviour of the client

## 4. Key findings

- **Retries are bounded.** The client stops after three attempts. [1] *(High)*
- **Timeouts are not retried.** A timeout is final. [2][7] *(High)*
- 再試行は三回までです。**幅の広い文字**でも下線がずれてはいけません。 [3]

## 8. Sources

1. src/client.py, lines 10-12
2. https://docs.example/retries: "a timeout is final and never retried"
"""

FINDINGS = json.dumps(
    {
        "findings": [
            {"id": "finding-1", "title": "Retries are bounded.", "confidence": "high", "evidence": []},
            {"id": "finding-2", "title": "Timeouts are not retried.", "confidence": "high", "evidence": []},
        ]
    },
    indent=1,
)

CONTENT = json.dumps(
    [{"url": "https://docs.example/retries", "content": "By default a timeout is retried once. " * 20}]
)

RULES = {
    info.code: info
    for info in (
        RuleInfo(
            "CODE108",
            "code-excerpt-mismatch",
            "CODE",
            Severity.ERROR,
            "A code excerpt equals the lines of its pinned blob.",
            "Whoever copies code by hand changes it.",
            "Copy the lines again with `evidence-lint pin`.",
        ),
        RuleInfo(
            "WEB104",
            "excerpt-not-in-content",
            "WEB",
            Severity.ERROR,
            "The excerpt of a web citation occurs in the text of its page.",
            "A quotation that nobody wrote proves nothing.",
            "Quote the page word for word.",
        ),
        RuleInfo(
            "CIT101", "citation-dangling", "CIT", Severity.ERROR, "A citation has its entry.", "Why.", "Add the entry."
        ),
        RuleInfo(
            "OUT117",
            "partial-summary-unmarked",
            "OUT",
            Severity.WARNING,
            "A partial report says so.",
            "Readers rely on it.",
            "Say that it is partial.",
        ),
        RuleInfo("LIVE101", "live-required", "LIVE", Severity.ERROR, "A High claim is live.", "Why.", "Run online."),
        RuleInfo("IN008", "required-findings-missing", "IN", Severity.ERROR, "Records exist.", "Why.", "Add them."),
    )
}


def bundle(root: Path, report: str = REPORT, findings: str | None = FINDINGS, content: str | None = CONTENT) -> Bundle:
    """A bundle whose files need not exist."""
    folder = root / "docs" / "retries"
    artifacts = {
        "report": Artifact("report", folder / "report.md", Medium.MARKDOWN, report),
        "findings": Artifact(
            "findings",
            folder / "findings.json",
            Medium.JSON,
            findings,
            json.loads(findings) if findings is not None else None,
            present=findings is not None,
        ),
        "content": Artifact(
            "content",
            folder / "content.json",
            Medium.JSON,
            content,
            json.loads(content) if content is not None else None,
            present=content is not None,
        ),
    }
    return Bundle(folder, folder, "nine-section", "report", artifacts)


def at(text: str, part: str, artifact: str = "report") -> Location:
    """The place of a part of an artifact's text."""
    start = text.index(part)
    return Location(artifact, Span(start, start + len(part)))


class Maker:
    """Makes the verdicts of one bundle as the engine does."""

    def __init__(self, made: Bundle, locator: Locator) -> None:
        self.bundle = made
        self.fingerprints = Fingerprints(made, locator)
        self.path = locator.display_path(made.artifacts[made.main].path)

    def verdict(self, code: str, outcome: Outcome, subject: str = "bundle", **more) -> Verdict:
        """A verdict of a rule of this module."""
        info = RULES[code]
        problem = more.get("problem")
        return Verdict(
            node=f"{self.path}::{subject}::{info.name}",
            code=code,
            name=info.name,
            outcome=outcome,
            severity=(problem.severity if problem and problem.severity else info.severity),
            fingerprint=self.fingerprints.of(info.name, problem) if problem else "",
            subject=more.pop("subject_location", Location("report")),
            **more,
        )

    def fail(self, code: str, message: str, location: Location, subject: str = "bundle", **more) -> Verdict:
        """A failed verdict."""
        return self.verdict(code, Outcome.FAILED, subject, problem=Problem(message, location, **more))


def result(verdicts: list[Verdict], made: Bundle, findings: tuple[FindingRow, ...] = (), passed: int = 41):
    """A bundle's result."""
    kept = tuple(v for v in verdicts if v.outcome is not Outcome.PASSED)
    good = tuple(v for v in verdicts if v.outcome is Outcome.PASSED)
    summary = Summary("codebase", "Partial", "Full", findings)
    return BundleResult(made, summary, kept, Counts.of(kept, passed + len(good)), passed=good)


def run(*results: BundleResult, locator: Locator, **more) -> RunResult:
    """A finished run."""
    return RunResult(tuple(results), more.pop("info", RunInfo("offline")), RULES, locator, **more)


def typical(root: Path) -> RunResult:
    """A run with one verdict of each kind."""
    locator = Locator(root)
    made = bundle(root)
    maker = Maker(made, locator)
    start = REPORT.index("[7]")
    verdicts = [
        maker.fail(
            "CIT101",
            "citation [7] has no entry in section 8",
            at(REPORT, "[7]"),
            "finding-2",
            help="Add an entry numbered 7, or cite an entry that exists.",
            fix=Fix("Remove the citation", (Edit("report", start, start + 3, ""),), Applicability.UNSAFE),
        ),
        maker.fail(
            "WEB104",
            "the excerpt does not stand on its page",
            at(REPORT, '"a timeout is final and never retried"'),
            "source-2",
            help="Quote the page word for word, or withdraw the finding.",
            related=(Related(Location("content", pointer="/0/content"), "the page as it was saved"),),
            shown=(
                Excerpted(
                    "https://docs.example/retries",
                    ("By default a timeout is retried once.",),
                    diff=(
                        ("insert", "By default"),
                        ("equal", "a timeout is"),
                        ("delete", "final and never retried"),
                        ("insert", "retried once."),
                    ),
                ),
            ),
        ),
        maker.fail(
            "CODE108",
            "the excerpt is not what stands at the pinned lines",
            Location("findings", pointer="/findings/0/title"),
            "finding-1",
            related=(Related(at(REPORT, "1. src/client.py, lines 10-12"), "cited here"),),
            shown=(
                Excerpted(
                    "src/client.py @ 3f2a9c1",
                    ("def send(request):", "    for attempt in range(5):", "        try_once(request)"),
                    10,
                ),
            ),
        ),
        maker.fail("OUT117", "section 3 does not say that the report is partial", at(REPORT, "## 4. Key findings")),
        maker.verdict("LIVE101", Outcome.SKIPPED, skip=Skip("offline", "this run makes no network requests")),
        maker.verdict(
            "LIVE101", Outcome.SKIPPED, "finding-2", skip=Skip("offline", "this run makes no network requests")
        ),
        maker.verdict("IN008", Outcome.SKIPPED, skip=Skip("no-repository", "no repository was found")),
        maker.verdict(
            "CODE108",
            Outcome.SUPPRESSED,
            "finding-2",
            problem=Problem("the excerpt is abbreviated", at(REPORT, "A timeout is final.")),
            suppression=Suppression("inline", "shortened on purpose", at(REPORT, "# Retry behaviour")),
        ),
        maker.verdict("IN008", Outcome.PASSED, "finding-1"),
    ]
    findings = (
        FindingRow(
            "finding-1",
            "Retries are bounded.",
            "high",
            "high",
            "medium",
            True,
            ("the excerpt of code-1 is not what the blob holds",),
            (
                EvidenceRow(
                    "code", False, {"id": "code-1", "path": "src/client.py", "excerpt": "for attempt in range(3):"}
                ),
            ),
            at(REPORT, "**Retries are bounded.** The client stops after three attempts."),
        ),
        FindingRow(
            "finding-2",
            "Timeouts are not retried.",
            "high",
            "high",
            None,
            False,
            ("no evidence verified",),
            (
                EvidenceRow(
                    "web",
                    None,
                    {"id": None, "url": "https://docs.example/retries", "excerpt": "a timeout is final"},
                ),
            ),
        ),
        FindingRow(None, None, None, None, None, None),
    )
    return run(
        result(verdicts, made, findings),
        locator=locator,
        captures=(capture(),),
        exit_status=1,
        notices=("policy read from origin/main",),
    )


def capture() -> Capture:
    """A capture with one hop."""
    return Capture(
        "https://docs.example/retries",
        "https://docs.example/retries",
        CaptureOutcome.OK,
        "the page was read",
        datetime(2026, 7, 1, tzinfo=UTC),
        hops=(Hop("https://docs.example/retries", ("93.184.216.34",), "93.184.216.34", 200, attempts=1),),
        status=200,
        media_type="text/html",
        title="Retries \udc80",
        size=1234,
    )


def hostile(root: Path) -> RunResult:
    """A run in which everything that a stranger can write is hostile."""
    locator = Locator(root)
    report = f"# T {HOSTILE}\n\n- claim {HOSTILE} [1]\r\n\ttabbed\u0301 [2]\n"
    folder = root / "docs" / "100% done #2"
    text = json.dumps({"x|`": HOSTILE})
    artifacts = {
        "report": Artifact("report", folder / "ü:,\n\udcff.md", Medium.MARKDOWN, report),
        "findings": Artifact("findings", folder / "findings.json", Medium.JSON, text, json.loads(text)),
        "absent": Artifact("absent", folder / "absent.json", Medium.JSON, None, present=False),
    }
    made = Bundle(folder, folder, "nine-section", "report", artifacts)
    maker = Maker(made, locator)
    line = Location("report", Span(report.index("- claim"), report.index("\r\n")))
    problem = Problem(
        f"message {HOSTILE}\nsecond line",
        line,
        help=f"help {HOSTILE}",
        related=(
            Related(Location("findings", pointer="/x|`"), f"related {HOSTILE}"),
            Related(Location("absent", pointer="/0"), "absent"),
            Related(Location("nowhere"), "an artifact that is none"),
        ),
        shown=(Excerpted(f"https://e.example/{HOSTILE}", (HOSTILE,), 3, (("delete", HOSTILE), ("insert", "x"))),),
        fix=Fix(f"fix {HOSTILE}", (Edit("report", 0, 1, HOSTILE),)),
    )
    verdicts = [
        maker.verdict("WEB104", Outcome.FAILED, f"s {HOSTILE}", problem=problem),
        maker.fail("IN008", "findings.json is absent", Location("absent")),
        maker.verdict("CIT101", Outcome.ERRORED, error=f"ValueError: {HOSTILE}"),
        maker.verdict("LIVE101", Outcome.SKIPPED, skip=Skip("offline", f"skip {HOSTILE}")),
        maker.verdict(
            "CODE108",
            Outcome.SUPPRESSED,
            problem=Problem(f"silenced {HOSTILE}", line),
            suppression=Suppression("record", HOSTILE, Location("findings", pointer="/x|`")),
        ),
    ]
    facts = {"id": HOSTILE, HOSTILE: [HOSTILE, float("nan"), 10**400], "excerpt": HOSTILE}
    finding = FindingRow(
        HOSTILE, HOSTILE, HOSTILE, "high", None, False, (HOSTILE,), (EvidenceRow("web", False, facts),)
    )
    return run(
        result(verdicts, made, (finding,)), locator=locator, exit_status=3, notices=(HOSTILE,), captures=(capture(),)
    )


def matches_snapshot(name: str, text: str) -> None:
    """Compare a text with the file of that name; SNAPSHOTS=write writes it instead, to be looked at and committed."""
    path = Path(__file__).parent / "snapshots" / name
    if os.environ.get("SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
