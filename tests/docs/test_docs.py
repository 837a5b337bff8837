"""The documentation is true: commands do what it shows, links lead somewhere, the site builds without network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from evidence_lint.cli import _COMMANDS
from evidence_lint.config.settings import Settings
from evidence_lint.engine.catalogue import load_catalogue

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "docs")]

import generate  # noqa: E402 - docs/generate.py
from console_support import ANY, Reader, agrees, fences, steps, updated  # noqa: E402
from pages import settings as settings_page  # noqa: E402
from pages.rules import built_in  # noqa: E402

FOLLOWED = (
    "README.md",
    "docs/index.md",
    *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("how-to/*.md")),
)
WRITTEN = sorted(
    path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")) if path.is_file()
)


@pytest.mark.parametrize("page", [*FOLLOWED, pytest.param("docs/tutorial.md", marks=pytest.mark.slow)])
def test_a_reader_sees_what_the_page_shows(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for step, real in Reader(tmp_path).follow(text):
        assert "internal error" not in real, f"$ {step.command}\n{real}"
        if step.shown.strip():
            assert agrees(step.shown, real), f"$ {step.command}\n--- shown\n{step.shown}\n--- real\n{real}"


def test_the_reader_is_no_yes_man() -> None:
    assert agrees("a\n…\nd\n", "a\nb\nc\nd\n")
    assert agrees("3 checks ran\n", "417 checks ran\n")
    assert not agrees("a\nd\n", "a\nb\nd\n")
    assert not agrees("a\n", "b\n")
    assert not agrees("1 failed\n", "2 failed\n")
    [step] = steps(next(fences("```console\n$ one \\\n  two\nout\n```\n")))
    assert (step.command, step.shown) == ("one \\\n  two", "out\n")


def test_no_output_waits_to_be_filled_in() -> None:
    waiting = [
        f"{page}: {step.command}"
        for page in (*FOLLOWED, "docs/tutorial.md")
        for fence in fences((ROOT / page).read_text(encoding="utf-8"))
        if fence.language == "console"
        for step in steps(fence)
        if step.shown.strip() == ANY
    ]
    assert waiting == []


def test_outputs_can_be_written_into_a_page() -> None:
    page = "```console\n$ echo one\n…\n$ echo two\nfalse\n$ true\n```\n"
    assert updated(page) == "```console\n$ echo one\none\n$ echo two\ntwo\n$ true\n```\n"


@pytest.fixture(scope="module")
def generated() -> Mapping[str, str]:
    return generate.pages()


def test_every_rule_has_a_page_with_its_examples(generated: Mapping[str, str]) -> None:
    rules = built_in()
    assert {rule.code for rule in rules} <= {rule.code for rule in load_catalogue().rules}
    assert {path for path in generated if path.startswith("rules/")} == {
        "rules/index.md",
        *(f"rules/{rule.code}.md" for rule in rules),
    }
    for rule in rules:
        page = generated[f"rules/{rule.code}.md"]
        assert page.startswith(f"# {rule.code} {rule.name}\n")
        assert page.count("\n## Passes: ") == len(rule.examples.passes)
        assert page.count("\n## Fails: ") == len(rule.examples.fails)


def test_every_command_key_and_schema_is_described(generated: Mapping[str, str]) -> None:
    headings = set(re.findall(r"^#{2,3} (.+)$", generated["reference/command-line.md"], re.MULTILINE))
    assert set(_COMMANDS) <= headings
    assert {key.name for key in settings_page.keys("Settings")} == {
        field.alias or name for name, field in Settings.model_fields.items()
    }
    assert all(key.meaning and key.type for key in settings_page.keys("Settings"))
    listed = subprocess.run(
        [sys.executable, "-m", "evidence_lint", "schema"], capture_output=True, text=True, check=True
    ).stdout.split()
    for name in listed:
        assert f"reference/schemas/{name}.md" in generated
        printed = subprocess.run(
            [sys.executable, "-m", "evidence_lint", "schema", name], capture_output=True, text=True, check=True
        ).stdout
        assert generated[f"reference/schemas/{name}.json"] == printed


def test_generated_text_can_be_written_and_read(generated: Mapping[str, str], tmp_path: Path) -> None:
    written = list(generate.write(tmp_path))
    assert len(written) == len(generated)
    assert all(path.read_text(encoding="utf-8") for path in written)


def test_no_generated_page_is_kept_in_the_repository(generated: Mapping[str, str]) -> None:
    assert [path for path in generated if (ROOT / "docs" / path).exists()] == []


def test_rule_codes_and_names_in_the_text_exist() -> None:
    rules = {rule.code: rule.name for rule in built_in()}
    families = {code.rstrip("0123456789") for code in rules}
    unknown = [
        f"{path.relative_to(ROOT)}: {code}"
        for path in WRITTEN
        for code in re.findall(r"`([A-Z]{2,8}[0-9]{3})`", path.read_text(encoding="utf-8"))
        if code.rstrip("0123456789") in families and code not in rules and code != "CIT199"
    ]
    assert unknown == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_files_that_are_read_on_their_own_lead_to_files(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert links
    missing = [link for link in links if not urlsplit(link).scheme and not (ROOT / urlsplit(link).path).exists()]
    assert missing == []


# The site

_NO_NETWORK = """
import socket, sys
def refuse(*_, **__):
    raise RuntimeError("the build asked for the network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from mkdocs.__main__ import cli
cli(sys.argv[1:])
"""
_LOADS = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
_HARMLESS_RELATIONS = {"canonical", "next", "prev"}


@dataclass
class Page(HTMLParser):
    """The anchors of a built page, where it links to, and what a browser would load for it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        attribute = _LOADS.get(tag)
        if attribute in values and values.get("rel") not in _HARMLESS_RELATIONS:
            self.loaded.append(values[attribute])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-c", _NO_NETWORK, "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def built(site: Path) -> Mapping[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_the_site_holds_every_page(built: Mapping[Path, Page], site: Path, generated: Mapping[str, str]) -> None:
    names = {path.relative_to(site).as_posix() for path in built}
    wanted = {path.removesuffix(".md") + ".html" for path in generated if path.endswith(".md")}
    assert wanted <= names
    assert {path for path in generated if path.endswith(".json")} <= {
        path.relative_to(site).as_posix() for path in site.rglob("*.json")
    }
    assert not list(site.rglob("*.py"))


@pytest.mark.slow
def test_every_link_and_anchor_of_the_site_resolves(built: Mapping[Path, Page], site: Path) -> None:
    assert list(_broken(built, site)) == []


def _broken(built: Mapping[Path, Page], site: Path) -> Iterator[str]:
    for path, page in built.items():
        if path.name == "404.html":
            continue
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link}"
            elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].anchors:
                yield f"{path.relative_to(site)}: {link} (no such anchor)"


@pytest.mark.slow
def test_a_page_loads_nothing_from_elsewhere(built: Mapping[Path, Page], site: Path) -> None:
    foreign = {link for page in built.values() for link in page.loaded if urlsplit(link).netloc}
    assert foreign == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\s*['\"]?(?:https?:)?//[^)]*\)|@import[^;]*//", styles) == []
