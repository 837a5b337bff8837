"""The page: self-contained, everything escaped, its policy true of what is in it."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.html import render
from evidence_lint_plugins.formats.html_views import safe_url
from tests.plugins.formats import format_support as made


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=["typical", "hostile"])
def page(request, tmp_path):
    return render(getattr(made, request.param)(tmp_path), FormatOptions(show_passed=True))


def test_policy_names_exactly_what_is_there(page):
    tree = LexborHTMLParser(page)
    policy = tree.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
    assert policy.startswith("default-src 'none'; ")
    for name, directive in (("style", "style-src"), ("script", "script-src")):
        [text] = re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_nothing_is_loaded_and_nothing_is_injected(page):
    page.encode("utf-8")
    tree = LexborHTMLParser(page)
    assert len(tree.css("script")) == 1
    assert tree.css("img, iframe, object, embed, link, base, audio, video, source, svg") == []
    for node in tree.css("*"):
        assert not any(name.startswith("on") or name in {"style", "src", "srcset"} for name in node.attributes)
        href = node.attributes.get("href") or ""
        assert not href or href.startswith(("https://", "http://", "#"))
    assert "alert(1)" not in tree.css_first("script").text()
    assert not set(page) & set("\x1b\x00\x9b\u202e\ufffe\r")


def test_small_and_readable_by_machines(page):
    assert len(page.encode()) < 60_000
    tree = LexborHTMLParser(page)
    assert tree.css_first("html").attributes["lang"] == "en"
    levels = [int(node.tag[1]) for node in tree.css("h1, h2, h3, h4, h5, h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    for control in tree.css("select, input"):
        assert control.parent.tag == "label"


def test_findings_and_checks(tmp_path):
    tree = LexborHTMLParser(render(made.typical(tmp_path), FormatOptions()))
    findings = tree.css("details.finding")
    assert [node.attributes["data-confidence"] for node in findings] == ["medium", "unusable", "undecided"]
    assert "for attempt in range(3):" in findings[0].css_first("blockquote").text()
    kinds = [node.attributes["data-kind"] for node in tree.css("details.verdict")]
    assert kinds == ["error"] * 3 + ["warning", "suppressed"] + ["skipped"] * 3
    [web] = [node for node in tree.css("details.verdict") if node.attributes["data-rule"] == "WEB104"]
    assert [node.text() for node in web.css("del")] == ["final and never retried"]
    assert [node.text() for node in web.css("ins")] == ["By default", "retried once."]
    assert web.css_first("mark").text() == '"a timeout is final and never retried"'
    assert web.css_first("a").attributes["href"] == "https://docs.example/retries"


def test_empty_run(tmp_path):
    text = render(made.run(locator=made.Locator(tmp_path)), FormatOptions())
    assert "Nothing was checked." in text


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://user@evil.example/",
        "//evil.example",
        "https://",
        "https://a.example/\u202e",
        "https://a.example/ x",
        "http://[::1",
        "",
    ],
)
def test_no_link_to_what_is_no_plain_web_address(url):
    assert safe_url(url) is None
    assert safe_url("https://a.example/x?y=1#z") == "https://a.example/x?y=1#z"


def test_evidence_stands_beside_its_source(tmp_path):
    locator = made.Locator(tmp_path)
    diff = (("equal", "a timeout is"), ("delete", "final"), ("insert", "retried once"))
    web = made.EvidenceRow(
        "web",
        True,
        {"url": "https://docs.example/retries", "excerpt": "a timeout is final", "tier": "T1", "big": 10**400},
        shown=(made.Excerpted("https://docs.example/retries", ("passage",), diff=diff),),
    )
    code = made.EvidenceRow("code", True, {}, shown=(made.Excerpted("a.py @ 1234567", ("x = 1", "y = 2"), 7),))
    plain = made.EvidenceRow("web", True, {"excerpt": "quoted", "url": "javascript:alert(1)", "dated": {"a": [True]}})
    finding = made.FindingRow("f", "t", "high", "high", "high", True, ("r",), (web, code, plain), claim="the claim")
    run = made.run(made.result([], made.bundle(tmp_path), (finding,)), locator=locator)
    tree = LexborHTMLParser(render(run, FormatOptions()))
    first, second, third = tree.css(".evidence")
    assert [node.text().split() for node in first.css("blockquote")] == [
        ["a", "timeout", "is", "final"],
        ["a", "timeout", "is", "retried", "once"],
    ]
    assert [node.text() for node in second.css(".number")] == ["7", "8"]
    assert third.css("a") == []
    assert "The excerpt stands there as it is quoted." in third.text()
    assert tree.css_first(".claim").text() == "the claim"
    assert "Every check passed." in tree.css_first("main").text()
