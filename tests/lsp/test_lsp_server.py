"""The language server in a real process, as an editor meets it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from evidence_lint.model.example import BASE_CODE_FINDING, BASE_FINDING, BASE_URL, COMMIT, base_sections
from tests.lsp.conftest import Write
from tests.lsp.lsp_client import WAIT, Client, applied, covered, position_of, range_of

EXAMPLES = Path(__file__).parents[2] / "examples"
FABRICATED = {**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies."}]}
PROBLEM = "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def test_what_the_server_says_of_itself(client: Client) -> None:
    offered = client.server["capabilities"]
    assert offered["positionEncoding"] == "utf-16"
    assert offered["textDocumentSync"] == {"openClose": True, "change": 2, "save": True}
    assert offered["hoverProvider"] is True
    assert offered["codeActionProvider"]["codeActionKinds"] == ["quickfix", "source.fixAll.evidence-lint"]
    assert offered["executeCommandProvider"]["commands"] == ["evidence-lint.checkLive"]
    assert client.server["serverInfo"]["name"] == "evidence-lint"
    client.until(lambda: client.requests, "registration of watched files")
    assert client.requests[0]["method"] == "client/registerCapability"


def test_a_fault_comes_and_goes_with_the_text(client: Client, write: Write) -> None:
    report = write() / "report.md"
    text = text_of(report)
    uri = client.open(report)
    assert client.codes(uri) == []
    client.change(uri, {"range": range_of(text, "record. [1]"), "text": "record. [7]"})
    assert "CIT101" in client.codes(uri)
    dangling = client.problem(uri, "CIT101")
    changed = text.replace("record. [1]", "record. [7]", 1)
    assert covered(changed, dangling["range"]) == "7"
    assert dangling["severity"] == 1
    assert dangling["source"] == "evidence-lint"
    assert dangling["message"].startswith("[7] has no entry in section 8")
    assert dangling["relatedInformation"][0]["location"]["uri"] == uri
    client.change(uri, {"range": range_of(changed, "record. [7]"), "text": "record. [1]"})
    assert client.codes(uri) == []
    assert text_of(report) == text, "the server writes no file"


def test_unsaved_texts_win_over_files_in_both_files(client: Client, write: Write) -> None:
    folder = write()
    report = client.open(folder / "report.md")
    findings = client.open(folder / "findings.json")
    assert (client.codes(report), client.codes(findings)) == ([], [])
    text = text_of(folder / "findings.json")
    faulty = text.replace("Keep three copies of every record.", "Keep nine copies of every record.")
    client.change(findings, faulty)
    client.until(lambda: "WEB104" in client.codes(findings), "a problem in the record")
    client.until(lambda: "CIT113" in client.codes(report), "what the report states and is now unproven")
    where = client.problem(report, "CIT113")["relatedInformation"][0]["location"]
    assert where["uri"] == findings
    assert "nine copies" in covered(faulty, where["range"])
    # The file on disk changes to the same fault; the buffer is mended and wins.
    (folder / "findings.json").write_text(faulty)
    client.change(findings, text)
    assert client.codes(findings) == []
    client.until(lambda: client.codes(report) == [], "a clean report")
    # Once closed, the file counts.
    client.notify("textDocument/didClose", {"textDocument": {"uri": findings}})
    client.until(lambda: "CIT113" in client.codes(report), "the fault of the file")
    client.until(lambda: "WEB104" in client.codes(findings), "what is wrong in a file that is not open")


def test_closing_the_last_file_clears_everything(client: Client, write: Write) -> None:
    folder = write(findings=[FABRICATED])
    report = client.open(folder / "report.md")
    record = (folder / "findings.json").as_uri()
    assert client.codes(report)
    client.until(lambda: client.codes(record) == ["WEB104"], "a problem in the record")
    client.notify("textDocument/didClose", {"textDocument": {"uri": report}})
    client.until(lambda: not client.codes(report) and not client.codes(record), "cleared diagnostics")


def test_saving_and_a_change_from_outside_check_again(client: Client, write: Write) -> None:
    folder = write()
    report = client.open(folder / "report.md")
    good = text_of(folder / "findings.json")
    (folder / "findings.json").write_text(good.replace("Keep three", "Keep nine"))
    record = (folder / "findings.json").as_uri()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": record, "type": 2}]})
    client.until(lambda: "CIT113" in client.codes(report), "the fault of the file")
    (folder / "findings.json").write_text(good)
    client.notify("textDocument/didSave", {"textDocument": {"uri": report}})
    client.until(lambda: client.codes(report) == [], "a clean report")


def test_malformed_json_while_typing_recovers(client: Client, write: Write) -> None:
    folder = write()
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    for length in (1, len(text) // 3, len(text) // 2, len(text) - 2):
        client.change(findings, text[:length])
        assert client.codes(findings) == ["IN002"], text[:length]
        assert client.at("textDocument/definition", findings, {"line": 0, "character": 0}) is None
    client.change(findings, "")
    assert client.codes(findings) == ["IN002"]
    client.change(findings, text)
    assert client.codes(findings) == []


def test_an_absent_record_is_shown_at_the_report(client: Client, write: Write) -> None:
    folder = write()
    (folder / "results.json").unlink()
    report = client.open(folder / "report.md")
    told = [row for row in client.diagnostics[report]["diagnostics"] if "results.json" in row["message"]]
    assert told
    assert told[0]["range"]["start"] == {"line": 0, "character": 0}
    assert covered(text_of(folder / "report.md"), told[0]["range"]) == "## 1) Research Question"
    # Written in the editor and not saved, it is there.
    client.open(folder / "results.json", json.dumps({"results": [{"title": "Backup guide", "url": BASE_URL}]}))
    client.until(lambda: not client.codes(report), "a clean report")


def test_hover_over_a_citation_and_a_finding(client: Client, write: Write) -> None:
    folder = write(findings=[{**BASE_FINDING, "confidence": "high"}], sections={4: PROBLEM})
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    shown = client.at("textDocument/hover", report, position_of(text, "record. [1]", 9))
    value = shown["contents"]["value"]
    assert shown["contents"]["kind"] == "markdown"
    assert covered(text, shown["range"]) == "1"
    assert value.startswith("**Source 1**")
    assert "content \\#1" in value or "content #1" in value
    assert "✅ verified: web evidence https\\://www\\.example.gov/guides/backups" in value
    assert "```text\nKeep three copies of every record.\n```" in value
    assert "One copy must be stored in another building." in value, "the passage around it"
    finding = client.at("textDocument/hover", report, position_of(text, "Three copies are"))["contents"]["value"]
    assert "Confidence: stated **high**, requested **high**, effective **medium**" in finding
    assert "\n- " in finding, "the reasons"
    record = text_of(folder / "findings.json")
    over = client.at("textDocument/hover", (folder / "findings.json").as_uri(), position_of(record, "Keep three"))
    assert over is None or "verified" in over["contents"]["value"]


def test_hover_over_a_mismatch_shows_what_the_page_says(client: Client, write: Write) -> None:
    wrong = {
        **BASE_FINDING,
        "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies of every record."}],
    }
    folder = write(findings=[wrong])
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    value = client.at("textDocument/hover", findings, position_of(text, "Keep nine"))["contents"]["value"]
    assert "**WEB104**" in value
    assert "❌ not verified" in value
    assert "Keep nine copies of every record." in value
    assert "Keep three copies of every record." in value


def test_jumps_between_report_and_records(client: Client, write: Write) -> None:
    folder = write()
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    [entry] = client.at("textDocument/definition", report, position_of(text, "record. [1]", 9))
    assert entry["uri"] == report
    assert covered(text, entry["range"]).startswith("[1] Backup guide")
    rows = client.at("textDocument/definition", report, position_of(text, "[1] Backup guide", 6))
    assert [Path(row["uri"]).name for row in rows] == ["content.json", "results.json"]
    content = text_of(folder / "content.json")
    assert json.loads(covered(content, rows[0]["range"]))["url"] == BASE_URL
    [record] = client.at("textDocument/definition", report, position_of(text, "Three copies are"))
    findings = text_of(folder / "findings.json")
    assert json.loads(covered(findings, record["range"]))["id"] == "finding-copies"
    [back] = client.at("textDocument/definition", record["uri"], position_of(findings, "single_fact"))
    assert covered(text, back["range"]) == "Three copies are required"
    pages = client.at("textDocument/definition", record["uri"], position_of(findings, BASE_URL))
    assert [Path(row["uri"]).name for row in pages] == ["content.json", "results.json"]
    [listed] = client.at("textDocument/definition", rows[0]["uri"], position_of(content, BASE_URL))
    assert listed == entry


def test_references_of_a_source(client: Client, write: Write) -> None:
    folder = write()
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    position = position_of(text, "[1] Backup guide", 6)
    found = client.at("textDocument/references", report, position, context={"includeDeclaration": False})
    assert [Path(row["uri"]).name for row in found] == ["report.md", "report.md", "findings.json"]
    assert [covered(text, row["range"]) for row in found[:2]] == ["1", "1"]
    whole = client.at("textDocument/references", report, position, context={"includeDeclaration": True})
    assert len(whole) == len(found) + 3
    content = (folder / "content.json").as_uri()
    same = client.at(
        "textDocument/references", content, {"line": 3, "character": 8}, context={"includeDeclaration": False}
    )
    assert same == found


def test_repository_evidence(client: Client, write: Write) -> None:
    folder = write(kind="codebase")
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    assert client.codes(findings) == []
    [record] = client.at("textDocument/definition", findings, position_of(text, "code-1"))
    code = text_of(folder / "code_evidence.json")
    assert json.loads(covered(code, record["range"]))["path"] == "store/copies.py"
    value = client.at("textDocument/hover", findings, position_of(text, "code-1"))["contents"]["value"]
    assert "✅ verified: code evidence code-1" in value
    assert "store/copies.py:1" in value
    assert "```text\n    1 COPIES = 3\n```" in value
    uri = client.open(folder / "code_evidence.json")
    client.change(uri, code.replace("COPIES = 3", "COPIES = 9"))
    assert client.codes(uri) == ["CODE108"]
    value = client.at("textDocument/hover", uri, position_of(code, "COPIES = 3"))["contents"]["value"]
    assert "COPIES = 3" in value, "what the commit holds"


def test_a_fix_applied_gives_the_fixed_text(client: Client, write: Write) -> None:
    folder = write(sections={2: base_sections()[2].replace("Retrieved sources: 1", "Retrieved sources: 4")})
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    problem = client.problem(report, "OUT115")
    actions = client.actions(report, problem["range"], ["quickfix"])
    [fix] = [action for action in actions if action["title"].startswith("OUT115")]
    assert fix["isPreferred"] is True
    assert fix["diagnostics"][0]["code"] == "OUT115"
    [change] = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": report, "version": 1}
    mended = applied(text, change["edits"])
    assert mended == text.replace("Retrieved sources: 4", "Retrieved sources: 1")
    client.change(report, mended)
    assert client.codes(report) == []
    assert client.actions(report, problem["range"]) == []


def test_all_safe_fixes_at_once(client: Client, top: Path) -> None:
    folder = top / "faulty"
    shutil.copytree(EXAMPLES / "faulty-web", folder)
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    anywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    [action] = client.actions(report, anywhere, ["source.fixAll"])
    assert action["kind"] == "source.fixAll.evidence-lint"
    edits = action["edit"]["documentChanges"][0]["edits"]
    assert len(edits) == 4
    assert all(edit["range"]["start"]["line"] == edit["range"]["end"]["line"] for edit in edits)
    client.change(report, applied(text, edits))
    assert not {"OUT114", "OUT115", "OUT118", "CIT118"} & set(client.codes(report))
    assert "CONF101" in client.codes(report), "an unsafe fix is left to a person"
    unsafe = client.actions(report, client.problem(report, "CONF101")["range"], ["quickfix"])
    assert any("unsafe" in action["title"] and not action["isPreferred"] for action in unsafe)
    assert client.actions(report, anywhere, ["refactor"]) == []


def test_a_suppression_counts_once_it_has_a_reason(client: Client, write: Write) -> None:
    folder = write(sections={5: "### Copies\n\nEvery record is kept three times. [1] And more. [9]"})
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")
    problem = client.problem(report, "CIT101")
    actions = client.actions(report, problem["range"], ["quickfix"])
    [suppress] = [action for action in actions if action["title"].startswith("Suppress CIT101")]
    edited = applied(text, suppress["edit"]["documentChanges"][0]["edits"])
    assert "<!-- evidence-lint: ignore[CIT101] -->\nEvery record" in edited
    client.change(report, edited)
    assert {"CIT101", "META103"} <= set(client.codes(report)), "without a reason it silences nothing"
    client.change(report, edited.replace("[CIT101] -->", "[CIT101] under way -->"))
    assert client.codes(report) == []


def test_a_suppression_in_a_record(client: Client, write: Write) -> None:
    folder = write(findings=[FABRICATED])
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    actions = client.actions(findings, client.problem(findings, "WEB104")["range"])
    [suppress] = [action for action in actions if action["title"].startswith("Suppress WEB104")]
    edited = applied(text, suppress["edit"]["documentChanges"][0]["edits"])
    entry: dict[str, Any] = json.loads(edited)["findings"][0]["evidence"][0]
    assert entry["evidence_lint"] == {"ignore": ["WEB104"], "reason": ""}
    client.change(findings, edited.replace('"reason": ""', '"reason": "a test"'))
    assert client.codes(findings) == []


def test_a_record_s_block_gets_one_rule_more(client: Client, write: Write) -> None:
    block = {"ignore": ["CIT113"], "reason": "a test"}
    entry = {"evidence_lint": block, "kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies."}
    folder = write(findings=[{**BASE_FINDING, "evidence": [entry]}])
    findings = client.open(folder / "findings.json")
    actions = client.actions(findings, client.problem(findings, "WEB104")["range"])
    [suppress] = [action for action in actions if action["title"].startswith("Suppress WEB104")]
    edited = applied(text_of(folder / "findings.json"), suppress["edit"]["documentChanges"][0]["edits"])
    made = json.loads(edited)["findings"][0]["evidence"][0]["evidence_lint"]
    assert made == {"ignore": ["WEB104", "CIT113"], "reason": "a test"}
    assert not any(action["title"].startswith("Suppress META") for action in actions)


def test_hover_where_something_is_missing(client: Client, write: Write) -> None:
    extra = "- **Nobody recorded this** (Low confidence): It stands in no record. [6]"
    folder = write(sections={4: f"{base_sections()[4]}\n{extra}"}, results=[])
    report = client.open(folder / "report.md")
    text = text_of(folder / "report.md")

    def value(needle: str, into: int) -> str:
        shown: str = client.at("textDocument/hover", report, position_of(text, needle, into))["contents"]["value"]
        return shown

    assert "\\[6\\] has no entry in the index" in value("record. [6]", 9)
    assert "No record of findings.json bears this title" in value("Nobody recorded", 0)
    assert "❌ not verified" in value("Three copies are", 0), "the page was never retrieved"
    assert client.at("textDocument/hover", report, position_of(text, "Depth mode")) is None


def test_commits_and_receipts_are_records_too(client: Client, write: Write) -> None:
    commit = {"id": "commit-1", "kind": "commit", "commit": COMMIT, "subject": "feat: keep four copies"}
    finding = {**BASE_CODE_FINDING, "evidence": [{"kind": "commit", "id": "commit-1"}, {"kind": "test", "id": "no"}]}
    folder = write(kind="codebase", findings=[finding], code=[commit])
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    value = client.at("textDocument/hover", findings, position_of(text, "commit-1"))["contents"]["value"]
    assert "❌ not verified: commit evidence commit-1" in value
    assert "keep three copies" in value, "what Git says"
    [record] = client.at("textDocument/definition", findings, position_of(text, "commit-1"))
    assert json.loads(covered(text_of(folder / "code_evidence.json"), record["range"]))["id"] == "commit-1"
    assert client.at("textDocument/definition", findings, position_of(text, '"no"')) is None


def test_two_reports_that_share_their_records(client: Client, top: Path) -> None:
    folder = top / "two"
    shutil.copytree(EXAMPLES / "clean-web", folder)
    text = text_of(folder / "report.md")
    (folder / "report.md").rename(folder / "one.report.md")
    (folder / "two.report.md").write_text(text)
    one, two = client.open(folder / "one.report.md"), client.open(folder / "two.report.md")
    findings = client.open(folder / "findings.json")
    record = text_of(folder / "findings.json")
    excerpt = json.loads(record)["findings"][0]["evidence"][0]["excerpt"]
    client.change(findings, record.replace(excerpt, "Nobody ever wrote this sentence anywhere."))
    client.until(lambda: "CIT113" in client.codes(one) and "CIT113" in client.codes(two), "both reports")
    rows = client.diagnostics[findings]["diagnostics"]
    told = [(row["code"], json.dumps(row["range"])) for row in rows]
    assert "WEB104" in client.codes(findings)
    assert len(told) == len(set(told)), "what both say of their common file is said once"


def test_shutting_down(top: Path) -> None:
    with Client(top, capabilities={}) as client:
        assert client.server["capabilities"]["positionEncoding"] == "utf-16"
        assert client.stop() == 0
        assert client.process.stderr is not None
        assert b"Traceback" not in client.process.stderr.read()


def test_an_editor_that_dies_takes_the_server_with_it(top: Path, write: Write) -> None:
    report = write() / "report.md"
    with Client(top) as client:
        client.open(report, wait=False)
        assert client.process.stdin is not None
        client.process.stdin.close()
        client.process.wait(WAIT)
        assert client.process.returncode is not None


def test_code_findings_need_no_network(client: Client, write: Write) -> None:
    high = {**BASE_CODE_FINDING, "confidence": "high"}
    folder = write(kind="codebase", findings=[high])
    assert client.codes(client.open(folder / "report.md")) == []
