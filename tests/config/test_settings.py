"""Settings: every key, per-path overrides, and errors that help."""

from __future__ import annotations

from datetime import date
from ipaddress import ip_network
from pathlib import Path

import pytest

from evidence_lint.config.load import load_settings, settings_table
from evidence_lint.config.settings import Settings
from evidence_lint.errors import ConfigError
from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.model.globs import path_matches
from evidence_lint.model.policy import Gate

OWN = Path("evidence-lint.toml")

FULL = """
select = ["ALL"]
extend-select = ["TEST"]
ignore = ["CIT118"]
exclude = ["drafts", "archive/**"]
fail-on = "warning"
baseline = "baseline.json"
suppressible = ["OUT120"]
rules = ["tools/rules.py"]
plugins = ["acme_rules"]

[severity]
CIT102 = "error"
WEB109 = "off"

[per-path."docs/old/**"]
ignore = ["LIVE"]
severity = {CIT102 = "info"}

[layout]
report = "*.final.md"
findings = ["{stem}.json", "findings.json"]

[limits]
artifact-bytes = "8 MiB"
page-bytes = 1000
pages = 50

[[authority]]
host = "WWW.Standards.Example.ORG."
level = "standards-body"
reason = "publishes the standard"
checked = 2026-07-01

[[authority]]
host = "docs.acme.example"
level = "project-owned"
reason = "own documentation"
checked = "2026-06-30"
project = "acme"

[gate]
highest-without-live = "medium"
max-medium = 0
required-rules = ["LIVE101"]
unsuppressible = ["IN", "WEB104"]

[network]
allow = ["10.0.0.0/8", "fd00::/8"]
concurrency = 8
per-host = 2
timeout = 20
"""


def error(text: str, path: Path = OWN) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        load_settings(text, path)
    assert str(raised.value).startswith(f"{path}: ")
    return raised.value


def test_every_key() -> None:
    settings = load_settings(FULL, OWN)
    assert settings.select == ("ALL",)
    assert settings.extend_select == ("TEST",)
    assert settings.ignore == ("CIT118",)
    assert settings.exclude == ("drafts", "archive/**")
    assert (settings.fail_on, settings.baseline) == ("warning", "baseline.json")
    assert (settings.suppressible, settings.rules, settings.plugins) == (
        ("OUT120",),
        ("tools/rules.py",),
        ("acme_rules",),
    )
    assert settings.severity == {"CIT102": "error", "WEB109": "off"}
    assert settings.layout == {"report": ("*.final.md",), "findings": ("{stem}.json", "findings.json")}
    assert (settings.limits.artifact_bytes, settings.limits.page_bytes, settings.limits.pages) == (8 << 20, 1000, 50)
    assert settings.authority_entries() == (
        AuthorityEntry("www.standards.example.org", "standards-body", "publishes the standard", date(2026, 7, 1), None),
        AuthorityEntry("docs.acme.example", "project-owned", "own documentation", date(2026, 6, 30), "acme"),
    )
    assert settings.gate.gate() == Gate("medium", 0, ("LIVE101",), ("IN", "WEB104"))
    assert settings.network.allow == (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    assert (settings.network.concurrency, settings.network.per_host, settings.network.timeout) == (8, 2, 20.0)
    assert (settings.source, settings.folder) == (OWN, Path())


def test_defaults() -> None:
    settings = Settings()
    assert (settings.select, settings.fail_on, settings.source, settings.folder) == ((), "error", None, None)
    assert settings.limits.artifact_bytes == 32 << 20
    assert (settings.network.concurrency, settings.network.per_host) == (16, 4)
    assert settings.gate.gate() == Gate()
    assert load_settings("", OWN).model_dump() == settings.model_dump()


def test_pyproject_has_them_in_its_table() -> None:
    path = Path("sub/pyproject.toml")
    text = '[project]\nname = "x"\n[tool.evidence-lint]\nselect = ["IN"]\n'
    settings = load_settings(text, path)
    assert (settings.select, settings.folder) == (("IN",), Path("sub"))
    assert settings_table("[tool.ruff]\n", path) is None
    assert load_settings("[tool.ruff]\n", path).select == ()
    assert load_settings(text, Path("other.toml")).select == ("IN",)


def test_overrides_apply_in_order() -> None:
    settings = load_settings(
        """
select = ["ALL"]
extend-select = ["TEST"]
ignore = ["CIT118"]
severity = {CIT102 = "error", OUT117 = "info"}
[per-path."docs/**"]
extend-select = ["LIVE"]
ignore = ["BUD"]
severity = {CIT102 = "warning"}
[per-path."old"]
select = ["IN"]
severity = {CIT102 = "off"}
[per-path."docs/old/**"]
extend-select = ["OUT"]
""",
        OWN,
    )
    plain = settings.for_path("src/report")
    assert (plain.select, plain.extend_select, plain.ignore) == (("ALL",), ("TEST",), ("CIT118",))
    assert plain.severity == {"CIT102": "error", "OUT117": "info"}
    docs = settings.for_path("docs/auth")
    assert (docs.select, docs.extend_select, docs.ignore) == (("ALL",), ("TEST", "LIVE"), ("CIT118", "BUD"))
    assert docs.severity == {"CIT102": "warning", "OUT117": "info"}
    old = settings.for_path("docs/old/auth")
    assert (old.select, old.extend_select) == (("IN",), ("OUT",))
    assert old.severity["CIT102"] == "off"


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ('selct = ["IN"]', "selct", "there is no such key; did you mean 'select'?"),
        ("zzzz = 1", "zzzz", "there is no such key"),
        ("[limits]\npage-byte = 1", "limits.page-byte", "there is no such key; did you mean 'page-bytes'?"),
        ("[limits]\npage_bytes = 1", "limits.page_bytes", "there is no such key; did you mean 'page-bytes'?"),
        (
            '[per-path."a/**"]\nignor = []',
            'per-path."a/**".ignor',
            "there is no such key; did you mean 'ignore'?",
        ),
        ('[[authority]]\nhots = "x"', "authority[0].host", "this key is required"),
        ('select = "IN"', "select", "an array is expected, not 'IN'"),
        ("select = [1]", "select[0]", "a string is expected, not 1"),
        ('fail-on = "warnings"', "fail-on", "did you mean 'warning'?"),
        ('severity = {A = "fatal"}', "severity.A", "'fatal' is not one of 'error', 'warning', 'info' or 'off'"),
        ("severity = []", "severity", "a table is expected, not []"),
        ("limits = 3", "limits", "a table is expected, not 3"),
        ('[limits]\nartifact-bytes = "3 MBs"', "limits.artifact-bytes", 'a text such as "32 MiB" is expected'),
        ("[limits]\nartifact-bytes = 0", "limits.artifact-bytes", "greater than 0"),
        ("[limits]\nartifact-bytes = 1.5", "limits.artifact-bytes", "a whole number is expected, not 1.5"),
        ("[network]\ntimeout = true", "network.timeout", "a number is expected, not True"),
        ("[network]\ntimeout = inf", "network.timeout", "less than or equal to 86400"),
        ("[network]\ntimeout = nan", "network.timeout", "not nan"),
        ('[network]\nallow = ["10.0.0.1/8"]', "network.allow[0]", "has host bits set"),
        ('[network]\nallow = ["everything"]', "network.allow[0]", 'a network such as "10.0.0.0/8" is expected'),
        ("[network]\nallow = [1]", "network.allow[0]", "not 1"),
        ('[[authority]]\nhost = "https://a.example"\nlevel = "news"\nreason = "r"', "authority[0].host", "a host name"),
        ('[[authority]]\nhost = "gov"\nlevel = "news"\nreason = "r"', "authority[0].host", "at least one dot"),
        ('[[authority]]\nhost = "a.b"\nlevel = "news"\nreason = ""', "authority[0].reason", "at least 1 character"),
        (
            '[[authority]]\nhost = "a.b"\nlevel = "news"\nreason = "r"\nchecked = "July"',
            "authority[0].checked",
            "a date such as 2026-07-01",
        ),
        ('baseline = "/etc/passwd"', "baseline", "a path relative to the configuration file"),
        ('rules = ["/tmp/x.py"]', "rules[0]", "a path relative to the configuration file"),
    ],
)
def test_wrong_keys_and_values(text: str, key: str, said: str) -> None:
    raised = error(text)
    assert raised.key == key
    assert said in str(raised)


def test_all_faults_are_told_at_once() -> None:
    lines = str(error('selct = []\nfail-on = "x"\n')).splitlines()
    assert lines == [
        "evidence-lint.toml: fail-on: 'x' is not one of 'error', 'warning' or 'never'",
        "evidence-lint.toml: selct: there is no such key; did you mean 'select'?",
    ]


def test_keys_of_pyproject_are_dotted_from_its_top() -> None:
    raised = error("[tool.evidence-lint.limits]\npges = 1\n", Path("pyproject.toml"))
    assert raised.key == "tool.evidence-lint.limits.pges"
    assert "did you mean 'pages'?" in str(raised)
    assert error("[tool]\nevidence-lint = 1\n", Path("pyproject.toml")).key == "tool.evidence-lint"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb == 2\n", "(at line 2, column 4)"),
        ("a = 1\nb = [1,", "(at line 2, column 8, the end of the file)"),
        ("select = []\nselect = []\n", "line 2"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("a = " + "9" * 5000, "not readable"),
    ],
)
def test_texts_that_are_no_toml(text: str, said: str) -> None:
    assert said in str(error(text))


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("drafts", "drafts/a", True),
        ("drafts", "docs/drafts/a/b", True),
        ("/drafts", "docs/drafts", False),
        ("*.tmp.md", "a/b.tmp.md", True),
        ("docs/*", "docs/a/b", True),
        ("docs/*.md", "docs/a/b.md", False),
        ("docs/**/old", "docs/old/x", True),
        ("docs/**/old", "docs/a/b/old", True),
        ("docs/**", "docs", True),
        ("**/x.md", "x.md", True),
        ("docs/**", "docsx/a", False),
        ("./docs/", "docs/a", True),
        ("", "a", False),
        ("[ab]/c", "b/c", True),
        ("**", "anything/at/all", True),
    ],
)
def test_path_patterns(pattern: str, path: str, fits: bool) -> None:
    assert path_matches(pattern, path) is fits


def test_path_patterns_are_cheap() -> None:
    assert not path_matches("/".join(["**", "a"] * 30 + ["b"]), "/".join(["a"] * 1000))
    assert not path_matches("*a" * 30 + "b", "a" * 3000)
