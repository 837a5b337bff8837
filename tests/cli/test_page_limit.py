"""``limits.pages``: what a run may fetch in all, and what becomes of what it may not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_lint.cli.sources import LiveCaptures
from evidence_lint.errors import Unavailable
from evidence_lint.model.capture import CaptureLimits
from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_RESULT, base_sections
from tests.sources.web.local_servers import Server, by_path, reply
from tests.support.cli_support import lint, write_bundle

PAGE = "<html><head><title>Guide</title></head><body><p>Keep three copies of every record, always.</p></body></html>"


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(by_path({f"/{name}": reply(PAGE) for name in "abcd"}), "127.0.0.1", None)
    yield made
    made.close()


def test_no_more_pages_are_fetched_than_the_run_may(server: Server) -> None:
    captures = LiveCaptures(CaptureLimits(), ["127.0.0.0/8"], {}, 2)
    a, b, c = (f"http://127.0.0.1:{server.port}/{name}" for name in "abc")
    assert set(captures.get([a, f"{a}#part"])) == {a, f"{a}#part"}
    with pytest.raises(Unavailable, match=r"2 pages in all \(limits.pages\), and has fetched 1 of them; the 2"):
        captures.get([a, b, c])
    assert len(server.requests) == 1, "all or nothing"
    captures.get([b])
    captures.get([a, b])
    with pytest.raises(Unavailable) as told:
        captures.get([c])
    assert told.value.code == "page-limit"
    assert len(server.requests) == len(captures.made) == 2


def test_a_high_whose_page_may_not_be_fetched_is_not_earned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two pages are needed and one is allowed, so none is fetched and the High is not earned."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence-lint.toml").write_text("[limits]\npages = 1\n")
    other = "https://other.invalid/"
    (first,) = BASE_FINDING["evidence"]
    write_bundle(
        tmp_path / "docs",
        sections={4: base_sections()[4].replace("Medium", "High")},
        findings=[{**BASE_FINDING, "confidence": "high", "evidence": [first, {**first, "url": other}]}],
        results=[BASE_RESULT, {**BASE_RESULT, "url": other}],
        content=[BASE_PAGE, {**BASE_PAGE, "url": other}],
    )
    assert lint("check", "docs", "--live", "--format", "json") == 1
    document = json.loads(capfd.readouterr().out)
    (bundle,) = document["bundles"]
    assert document["captures"] == []
    failed = [row for row in bundle["verdicts"] if row["rule"] == "LIVE101" and row["outcome"] == "failed"]
    assert ["limits.pages" in json.dumps(row) for row in failed] == [True], bundle["verdicts"]
    assert bundle["findings"][0]["effective_confidence"] != "high"
