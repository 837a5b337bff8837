from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.web.local_servers import Server, by_path, reply
from tests.support.cli_support import lint, results

PAGE = "<html><head><title>Guide</title></head><body><p>Keep three copies of every record, always.</p></body></html>"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(by_path({"/a": reply(PAGE), "/b": reply(PAGE.replace("three", "four"))}), "127.0.0.1", None)
    yield made
    made.close()


def capture(server: Server, *arguments: str) -> int:
    return lint(
        "capture",
        "--allow-network",
        "127.0.0.0/8",
        *(a.replace("@", f"http://127.0.0.1:{server.port}") for a in arguments),
    )


def test_pages_become_records(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    assert capture(server, "@/a", "@/a#part", "@/a") == 0
    out, err = capfd.readouterr()
    rows = results(out)["items"]
    assert [row["title"] for row in rows] == ["Guide", "Guide"]
    assert "Keep three copies of every record, always." in rows[0]["content"]
    assert rows[0]["error"] == ""
    assert "never counts as T1" in err
    assert len(server.requests) == 1, "a fragment is no other page"


def test_rows_are_added_refused_and_replaced(server: Server, capfd: pytest.CaptureFixture[str], here: Path) -> None:
    old = {"url": f"http://127.0.0.1:{server.port}/a", "content": "old"}
    kept = [{"url": "https://kept.example", "content": "kept"}, {"url": 5}, {"no": "url"}]
    path = here / "content.json"
    path.write_text(json.dumps({"note": "mine", "items": [old, *kept, old]}))
    before = path.read_text()
    assert capture(server, "@/a", "-o", "content.json") == 4
    assert "has a row of http://127.0.0.1" in capfd.readouterr().err
    assert path.read_text() == before
    assert capture(server, "@/b", "@/a", "-o", "content.json", "--replace") == 0
    document = json.loads(path.read_text())
    assert document["note"] == "mine"
    assert [row.get("url") for row in document["items"]] == [
        old["url"],
        *[row.get("url") for row in kept],
        old["url"][:-1] + "b",
    ]
    assert "three copies" in document["items"][0]["content"]


def test_a_page_that_cannot_be_read_is_status_1(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    assert capture(server, "@/a", "@/gone") == 1
    out, err = capfd.readouterr()
    good, bad = results(out)["items"]
    assert good["content"]
    assert (bad["content"], "404" in bad["error"], "404" in err) == ("", True, True)


def test_private_networks_are_refused_unless_allowed(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("capture", f"http://127.0.0.1:{server.port}/a") == 1
    assert "not a public address" in capfd.readouterr().err
    assert server.connections == 0


@pytest.mark.parametrize("text", ["[", '"text"', '{"items": 5}', '{"items": [5]}', "\udcff"])
def test_a_file_that_holds_something_else_is_left_alone(
    server: Server, capfd: pytest.CaptureFixture[str], here: Path, text: str
) -> None:
    path = here / "content.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    assert capture(server, "@/a", "-o", "content.json") == 4
    assert path.read_bytes() == before
    assert server.connections == 0


def test_usage(capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("capture") == 4
    assert lint("capture", "--allow-network", "nonsense", "http://a.example/") == 4
    assert "nonsense" in capfd.readouterr().err
