"""The language server where things go wrong: strange texts, strange editors, strange files, broken settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_RESULT, BASE_URL, base_sections
from tests.lsp.conftest import Write
from tests.lsp.lsp_client import Client, applied, covered, position_of, range_of

DANGLING = "### Copies\n\nEvery record is kept three times. [1] {} [9]"


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_astral_characters_and_other_separators(client: Client, write: Write, ends: str) -> None:
    """U+2028, form feeds and the like end no line in an editor, and an emoji takes two units."""
    folder = write(sections={5: DANGLING.format("😀😀 a\u2028b\x0cc\x85d 𝔘")})
    text = text_of(folder / "report.md").replace("\n", ends)
    (folder / "report.md").write_bytes(text.encode())
    report = client.open(folder / "report.md", text)
    assert covered(text, client.problem(report, "CIT101")["range"]) == "9"
    # Edits behind such characters reach the right place, one after another in one message.
    first = {"range": range_of(text, "[9]"), "text": "𝔙 [8]"}
    text = text.replace("[9]", "𝔙 [8]")
    second = {"range": range_of(text, "😀 a"), "text": ""}
    text = text.replace("😀 a", "")
    client.change(report, first, second)
    assert covered(text, client.problem(report, "CIT101")["range"]) == "8"
    beyond = {"start": {"line": 5000, "character": 0}, "end": {"line": 9000, "character": 7}}
    client.change(report, {"range": beyond, "text": f"{ends}More. [7]{ends}"})
    text += f"{ends}More. [7]{ends}"
    assert client.at("textDocument/hover", report, position_of(text, "[8]", 1)) is not None


def test_a_byte_order_mark_in_the_editor_s_text(client: Client, write: Write) -> None:
    folder = write(sections={2: base_sections()[2].replace("Retrieved sources: 1", "Retrieved sources: 4")})
    text = "\ufeff" + text_of(folder / "report.md")
    (folder / "report.md").write_bytes(text.encode())
    report = client.open(folder / "report.md", text)
    [action] = client.actions(report, client.problem(report, "OUT115")["range"], ["quickfix"])[:1]
    mended = applied(text, action["edit"]["documentChanges"][0]["edits"])
    assert mended == text.replace("Retrieved sources: 4", "Retrieved sources: 1")
    unmarked = client.open(folder / "report.md", text[1:])
    assert client.codes(unmarked) == ["OUT115"], "an editor that keeps the mark to itself shows the same text"


def test_an_editor_that_counts_bytes_and_knows_little(top: Path, write: Write) -> None:
    folder = write(sections={5: DANGLING.format("äö𝔘")})
    capabilities = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    with Client(top, capabilities=capabilities) as client:
        assert client.server["capabilities"]["positionEncoding"] == "utf-8"
        report = client.open(folder / "report.md")
        text = text_of(folder / "report.md")
        there = client.problem(report, "CIT101")["range"]["start"]
        line = text.split("\n")[there["line"]]
        assert line.encode()[there["character"] :] == b"9]"
        hover = client.at("textDocument/hover", report, {"line": there["line"], "character": there["character"]})
        assert hover["contents"]["kind"] == "plaintext"
        assert "\\" not in hover["contents"]["value"]
        [action, *_] = client.actions(report, client.problem(report, "CIT101")["range"])
        assert list(action["edit"]) == ["changes"]
        assert list(action["edit"]["changes"]) == [report]
        assert not client.requests, "it is asked for nothing that it cannot do"


def test_what_belongs_to_no_bundle_has_no_problems(client: Client, top: Path, write: Write) -> None:
    folder = top / "loose"
    folder.mkdir()
    (folder / "README.md").write_text("# Notes\n\nSomething [1].\n")
    (folder / "package.json").write_text("{not json")
    readme = client.open(folder / "README.md")
    other = client.open(folder / "package.json")
    assert (client.codes(readme), client.codes(other)) == ([], [])
    for uri in (
        readme,
        other,
        "untitled:Untitled-1",
        "file:///nowhere/report.md",
        "git:/a/report.md?x",
        "%%%",
        "file://host/x",
    ):
        position = {"line": 3, "character": 99}
        assert client.at("textDocument/hover", uri, position) is None
        assert client.at("textDocument/definition", uri, position) is None
        assert client.actions(uri, {"start": position, "end": position}) == []
    client.open(folder / "draft.md", "# New\n", wait=False)
    client.notify("textDocument/didChange", {"textDocument": {"uri": "untitled:x", "version": 3}, "contentChanges": []})
    report = client.open(write() / "report.md")
    assert client.codes(report) == []


def test_messages_that_make_no_sense_do_not_end_the_server(client: Client, write: Write) -> None:
    report = client.open(write() / "report.md")
    client.notify("textDocument/didOpen", {"nonsense": True})
    client.notify("textDocument/didChange", {"textDocument": {"uri": 5}, "contentChanges": "x"})
    client.notify("$/unknown", {})
    assert client.request("workspace/executeCommand", {"command": "rm", "arguments": []}, error=True)
    client.send({"id": "x", "method": "textDocument/hover", "params": {"textDocument": {}}})
    backwards = {"start": {"line": 9, "character": 0}, "end": {"line": 2, "character": 4}}
    client.change(report, {"range": backwards, "text": ""})
    client.change(report, "")
    client.change(report, "\ud800 lone")
    assert client.codes(report)
    assert client.at("textDocument/hover", report, {"line": 0, "character": 2}) is None


def test_hostile_words_are_shown_and_do_nothing(client: Client, write: Write) -> None:
    evil = "</div><img src=x onerror=alert(1)> [click](command:rm) ![i](https://evil.example/x) \u202e\x1b[31m ```"
    finding = {
        **BASE_FINDING,
        "title": evil,
        "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": f"{evil}\n```\n# x"}],
    }
    folder = write(findings=[finding])
    findings = client.open(folder / "findings.json")
    text = text_of(folder / "findings.json")
    value = client.at("textDocument/hover", findings, position_of(text, "single_fact"))["contents"]["value"]
    assert "\u202e" not in value
    assert "\x1b" not in value
    assert "<U+202E>" in value
    outside = value.split("````text")[0]
    assert "\\<img" in outside
    assert "\\[click\\]\\(command:rm\\)" in outside
    assert "````text" in value, "the fence is longer than any in the text"
    assert "\u202e" not in json.dumps(client.diagnostics[findings], ensure_ascii=False)


def test_symbolic_links_out_of_the_folder_are_not_read(client: Client, top: Path, write: Write) -> None:
    folder = write()
    secret = top / "secret.json"
    secret.write_text('{"findings": []}')
    (folder / "findings.json").unlink()
    (folder / "findings.json").symlink_to(secret)
    report = client.open(folder / "report.md")
    client.change(report, text_of(folder / "report.md") + "\n")
    record = (folder / "findings.json").as_uri()
    assert "IN001" in client.codes(record) + client.codes(report)


def test_a_file_that_is_not_utf_8_stays_unreadable_until_it_is_edited(client: Client, write: Write) -> None:
    folder = write()
    text = text_of(folder / "report.md").replace("Sponsorship", "Spönsorship")
    (folder / "report.md").write_bytes(text.encode("cp1252"))
    report = client.open(folder / "report.md", text)
    assert client.codes(report) == ["IN001"]
    client.change(report, text)
    assert "IN001" not in client.codes(report)


def test_settings_are_the_nearest_ones_and_faults_of_them_are_shown(client: Client, write: Write) -> None:
    folder = write(sections={5: DANGLING.format("")})
    (folder / ".git").mkdir(exist_ok=True)
    report = client.open(folder / "report.md")
    assert client.codes(report) == ["CIT101"]
    settings = folder / "evidence-lint.toml"
    settings.write_text('ignore = ["CIT101"]\n')
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 1}]})
    client.until(lambda: client.codes(report) == [], "a rule that is ignored")
    settings.write_text('severity = {CIT101 = "info"}\nignore = []\n')
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.until(lambda: client.codes(report) == ["CIT101"], "the rule")
    assert client.problem(report, "CIT101")["severity"] == 3
    (folder / "notes.md").write_text("# Notes\n")
    notes = client.open(folder / "notes.md")
    settings.write_text("ignor = [\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": report}})
    client.until(lambda: "settings" in client.codes(report), "the fault of the settings")
    assert client.problem(report, "settings")["message"].startswith("nothing was checked: ")
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.change(report, text_of(folder / "report.md"))
    assert client.codes(report) == ["settings", "CIT101"], "the last result stands"
    assert client.codes(notes) == [], "it is no fault of another file"
    settings.unlink()
    client.notify("textDocument/didSave", {"textDocument": {"uri": report}})
    client.until(lambda: client.codes(report) == ["CIT101"], "the rule, and no more than that")


RULE = """
import pathlib
pathlib.Path({!r}).touch()
print("to standard output")

from collections.abc import Iterator
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import Expected, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule


@rule("ZZZ101", "always-broken", passes=[research_example("x")], fails=[research_example("y", Expected("never"))])
def always_broken(bundle: Bundle) -> Iterator[Problem]:
    \"\"\"A rule that breaks.

    Why: to see it break.

    Fix: nothing.
    \"\"\"
    raise ValueError("on purpose")
    yield Problem("never", Location("report"))
"""


def test_local_rules_run_only_in_a_trusted_workspace(client: Client, top: Path, write: Write) -> None:
    folder = write()
    (folder / ".git").mkdir()
    trace = folder / "ran"
    (folder / "local.py").write_text(RULE.format(str(trace)))
    (folder / "evidence-lint.toml").write_text('rules = ["local.py"]\n')
    report = client.open(folder / "report.md")
    assert client.codes(report) == []
    assert not trace.exists()
    client.until(lambda: any("--trust-workspace" in line for line in client.log), "a word about the rules")
    with Client(top, "--trust-workspace") as trusting:
        uri = trusting.open(folder / "report.md")
        assert trusting.codes(uri) == ["ZZZ101"], trusting.diagnostics[uri]
        assert trace.exists()
        broken = trusting.problem(report, "ZZZ101")
        assert "broke, so it has not passed: ValueError: on purpose" in broken["message"]
        assert broken["range"]["start"] == {"line": 0, "character": 0}
        assert trusting.stop() == 0


def test_several_workspace_folders(top: Path, write: Write) -> None:
    first = write(sections={5: DANGLING.format("")})
    second = first.parent / "second"
    second.mkdir()
    for name in ("report.md", "findings.json", "results.json", "content.json"):
        (second / name).write_bytes((first / name).read_bytes())
    (second / ".git").mkdir()
    (second / "evidence-lint.toml").write_text('ignore = ["CIT101"]\n')
    with Client(top, folders=[first, second]) as client:
        one, two = client.open(first / "report.md"), client.open(second / "report.md")
        assert (client.codes(one), client.codes(two)) == (["CIT101"], [])
        event = {"added": [], "removed": [{"uri": second.as_uri(), "name": "second"}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.change(two, text_of(second / "report.md") + "\n")
        assert client.codes(two) == []


class Page(BaseHTTPRequestHandler):
    asked: int = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        body = BASE_PAGE["content"].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    Page.asked = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/guides/backups"
        server.shutdown()
        thread.join()


def test_pages_are_fetched_on_command_alone(top: Path, write: Write, site: str) -> None:
    folder = write(
        findings=[
            {
                **BASE_FINDING,
                "evidence": [{"kind": "web", "url": site, "excerpt": "Keep three copies of every record."}],
            }
        ],
        results=[{**BASE_RESULT, "url": site}],
        content=[{**BASE_PAGE, "url": site}],
        sections={8: base_sections()[8].replace(BASE_URL, site)},
    )
    (folder / ".git").mkdir()
    (folder / "evidence-lint.toml").write_text('[network]\nallow = ["127.0.0.0/8"]\n')
    with Client(top, "--trust-workspace") as client:
        report = client.open(folder / "report.md")
        client.change(report, text_of(folder / "report.md") + "\n")
        assert Page.asked == 0
        command = {"command": "evidence-lint.checkLive", "arguments": [report]}
        assert client.request("workspace/executeCommand", command) == {"checked": 1, "cancelled": 0}
        assert Page.asked == 1
        client.change(report, text_of(folder / "report.md"))
        assert Page.asked == 1
        assert client.request("workspace/executeCommand", {"command": "evidence-lint.checkLive"})["checked"] == 1
    with Client(top) as wary:
        wary.open(folder / "report.md")
        asked = Page.asked
        assert wary.request("workspace/executeCommand", command)["checked"] == 1
        assert Page.asked == asked, "a network that only the workspace opens stays closed"


def test_a_clear_message_without_the_extra(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n")
    done = subprocess.run(
        [sys.executable, "-m", "evidence_lint", "lsp"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=30,
    )
    assert done.returncode == 4
    assert "pip install 'evidence-lint[lsp]'" in done.stderr
    assert done.stdout == ""


def test_other_commands_import_nothing_of_it(tmp_path: Path) -> None:
    code = (
        "import sys; from evidence_lint.cli import run; run(['check', '--help']); run(['lsp', '--help']);"
        "print([name for name in sys.modules if name.split('.')[0] in {'pygls', 'lsprotocol', 'httpx', 'git'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip().endswith("[]")
