"""Reading a bundle that was found."""

from __future__ import annotations

import json
from pathlib import Path

from evidence_lint.dialect import LoadOptions
from evidence_lint.model.artifact import FaultKind
from evidence_lint.model.bundle import RECORD_ARTIFACTS, ResearchBundle
from evidence_lint.model.report import TITLES
from evidence_lint_plugins.nine_section.discovery import find_bundles
from evidence_lint_plugins.nine_section.loader import load, record_urls, verbatim_texts

REPORT = "# T\n\n" + "\n".join(f"## {number}) {title}\n\nx\n" for number, title in enumerate(TITLES, start=1))


def loaded(folder: Path, options: LoadOptions | None = None, **records: object) -> ResearchBundle:
    for name, data in records.items():
        (folder / f"{name}.json").write_text(data if isinstance(data, str) else json.dumps(data))
    options = options or LoadOptions()
    (candidate,) = find_bundles(folder, options)
    return load(candidate, options)


def test_a_whole_bundle(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("\ufeff" + REPORT)
    (tmp_path / "validation.json").write_text('{"ok": true}')
    bundle = loaded(tmp_path, findings={"findings": [{"title": "T"}]}, results=[], content={"items": []})
    assert (bundle.path, bundle.folder, bundle.main, bundle.dialect) == (tmp_path, tmp_path, "report", "nine-section")
    assert set(bundle.artifacts) == {"report", *RECORD_ARTIFACTS}
    assert bundle.artifacts["report"].bom
    assert bundle.report is not None
    assert [section.number for section in bundle.report.sections] == list(range(1, 10))
    assert bundle.records.findings[0].pointer == "/findings/0"
    assert bundle.records.absent == {"code_evidence", "session"}
    assert not bundle.artifacts["session"].present
    assert bundle.artifacts["session"].path == tmp_path / "session.json"


def test_an_absent_report_leaves_the_records(tmp_path: Path) -> None:
    bundle = loaded(tmp_path, findings={"findings": [{}]})
    assert bundle.report is None
    assert not bundle.artifacts["report"].present
    assert len(bundle.records.findings) == 1


def test_faults_of_files_stand_in_the_artifacts(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_bytes(b"\xff")
    (tmp_path / "content.json").symlink_to("/etc/hostname")
    bundle = loaded(tmp_path, findings='{"findings": [], "findings": []}', results="x" * 100)
    assert bundle.report is None
    kinds = {name: [fault.kind for fault in bundle.artifacts[name].faults] for name in bundle.artifacts}
    assert kinds["report"] == [FaultKind.UNREADABLE]
    assert kinds["content"] == [FaultKind.UNREADABLE]
    assert kinds["findings"] == [FaultKind.INVALID_JSON]
    assert kinds["results"] == [FaultKind.INVALID_JSON]
    assert bundle.records.broken == {"findings", "results", "content"}


def test_the_size_limit_is_the_configured_one(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(REPORT)
    bundle = loaded(tmp_path, LoadOptions(max_bytes=10), findings={"findings": []})
    assert [fault.kind for fault in bundle.artifacts["report"].faults] == [FaultKind.UNREADABLE]
    assert bundle.records.broken == {"findings"}


def test_texts_and_urls_that_the_index_may_quote(tmp_path: Path) -> None:
    bundle = loaded(
        tmp_path,
        findings={
            "findings": [{"evidence": [{"kind": "web", "url": "https://a.example/f"}, "x", {"url": 3}]}, 4],
            "consensus": [{"evidence": [{"url": "https://a.example/c"}]}],
        },
        results=[{"url": "https://a.example/r", "normalized_url": "https://a.example/n"}, 1],
        content=[{"url": "https://a.example/p", "final_url": " "}],
        code_evidence={
            "evidence": [
                {"kind": "code", "id": "c", "excerpt": "one"},
                {"kind": "code", "id": "c", "excerpt": "two"},
                {"kind": "code", "id": "d", "excerpt": 3},
                {"kind": "code", "excerpt": "no id"},
                {"kind": "commit", "id": "k", "subject": "s"},
                {"kind": "test", "id": "t", "summary": "2 passed", "stdout_summary": " "},
            ]
        },
    )
    assert verbatim_texts(bundle.records) == {"c": ("one", "two"), "d": (), "k": ("s",), "t": ("2 passed",)}
    assert record_urls(bundle.records) == {f"https://a.example/{name}" for name in "fcrnp"}
