from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.engine.plugins import gather
from evidence_lint.errors import DefinitionError, PluginError
from evidence_lint.hooks import hookimpl
from evidence_lint.model.result import Format
from evidence_lint.provide import provide
from tests.support.engine_support import NOTE, NoteBundle, make_rule, notes_catalogue, plugin, yields

LOCAL = '''
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import Example, Expected
from evidence_lint.rule import rule


@rule("{code}", "{name}", passes=[Example("p", {{}})], fails=[Example("f", {{}}, (Expected("x"),))])
def check(bundle: Bundle):
    """A local rule.

    Why: a test.

    Fix: nothing.
    """
    yield from ()
'''


@pytest.fixture(autouse=True)
def no_modules_left() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("acme", "evidence_lint_local", "broken")):
            del sys.modules[name]


@dataclass
class Thing:
    value: str


def test_two_rules_of_one_code_or_name_are_refused() -> None:
    with pytest.raises(DefinitionError, match="'NOTE101' is the rule of both"):
        notes_catalogue([make_rule(yields(), name="one"), make_rule(yields(), name="two")])
    with pytest.raises(DefinitionError, match="'one' is the rule of both"):
        notes_catalogue([make_rule(yields(), name="one"), make_rule(yields(), "NOTE102", name="one")])


def test_two_dialects_of_one_name_are_refused() -> None:
    with pytest.raises(DefinitionError, match="2 dialects are called 'note'"):
        notes_catalogue([], dialects=[NOTE, NOTE])


def test_two_formats_of_one_name_are_refused() -> None:
    plugin("acme", evidence_lint_formats=lambda: [Format("json", "mine", lambda run, options: "")])
    with pytest.raises(DefinitionError, match="2 output formats are called 'json'"):
        load_catalogue(plugins=["acme"])


def test_an_unknown_hook_is_an_error_that_names_the_plugin() -> None:
    plugin("acme", evidence_lint_rulez=lambda: ())
    with pytest.raises(PluginError, match=r"hook that does not exist.*evidence_lint_rulez.*acme"):
        load_catalogue(plugins=["acme"])


def test_wrong_parameters_of_a_hook_are_an_error() -> None:
    plugin("acme", evidence_lint_formats=lambda mistake: [])
    with pytest.raises(PluginError, match="acme"):
        load_catalogue(plugins=["acme"])


def test_a_hook_without_its_marker_is_an_error() -> None:
    module = ModuleType("acme")

    def evidence_lint_rules() -> list[object]:
        return []

    evidence_lint_rules.__module__ = "acme"
    module.evidence_lint_rules = evidence_lint_rules  # type: ignore[attr-defined]
    sys.modules["acme"] = module
    with pytest.raises(PluginError, match="evidence_lint_rules lacks the marker @hookimpl"):
        load_catalogue(plugins=["acme"])


@pytest.mark.parametrize("returned", [5, [5]])
def test_what_a_hook_returns_is_checked(returned: object) -> None:
    plugin("acme", evidence_lint_rules=lambda: returned)
    with pytest.raises(PluginError, match="plug-in 'acme': evidence_lint_rules returned 5"):
        load_catalogue(plugins=["acme"])


def test_a_hook_that_breaks_names_its_plugin() -> None:
    def broken() -> list[object]:
        raise ZeroDivisionError("oops")

    plugin("acme", evidence_lint_rules=broken)
    with pytest.raises(PluginError, match=r"plug-in 'acme'.*ZeroDivisionError: oops"):
        load_catalogue(plugins=["acme"])


def test_a_hook_may_return_nothing() -> None:
    plugin("acme", evidence_lint_rules=lambda: None)
    assert load_catalogue(plugins=["acme"]).rules


def test_a_plugin_that_is_not_there_is_named() -> None:
    with pytest.raises(PluginError, match=r"plug-in 'acme\.missing' cannot be loaded: ModuleNotFoundError"):
        load_catalogue(plugins=["acme.missing"])


@pytest.mark.parametrize("text", ["1/0", "raise SystemExit(0)", "def f(:"])
def test_a_rule_file_that_breaks_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "acme_rules.py"
    path.write_text(text)
    with pytest.raises(PluginError, match=r"rule file .*acme_rules\.py cannot be loaded"):
        load_catalogue(rule_files=[path])
    mark = "".join(character if character.isalnum() else "_" for character in tmp_path.name)
    assert not [name for name in sys.modules if name.startswith("evidence_lint_local_") and mark in name]


def test_a_rule_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"absent\.py"):
        load_catalogue(rule_files=[tmp_path / "absent.py"])


def test_a_rule_file_without_rules_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "acme_rules.py"
    path.write_text("from evidence_lint.rule import rule\n")
    with pytest.raises(PluginError, match="defines no rule and no provider"):
        load_catalogue(rule_files=[path])


def test_a_rule_file_is_loaded_once(tmp_path: Path) -> None:
    path = tmp_path / "acme_rules.py"
    path.write_text(LOCAL.format(code="ACME101", name="acme-rule"))
    catalogue = load_catalogue(rule_files=[path, path])
    found = catalogue.rule("acme101")
    assert found is not None
    assert found is catalogue.rule("ACME-rule")


def test_rule_files_of_one_name_do_not_meet(tmp_path: Path) -> None:
    for number, folder in enumerate(("a", "b"), start=1):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "acme.py").write_text(LOCAL.format(code=f"ACME10{number}", name=f"acme-{number}"))
    catalogue = load_catalogue(rule_files=[tmp_path / "a/acme.py", tmp_path / "b/acme.py"])
    assert {"ACME101", "ACME102"} <= {rule.code for rule in catalogue.rules}


def test_a_rule_file_may_not_take_a_code_that_is_used(tmp_path: Path) -> None:
    path = tmp_path / "acme_rules.py"
    path.write_text(LOCAL.format(code="WEB104", name="acme-rule"))
    with pytest.raises(DefinitionError, match="'WEB104' is the rule of both"):
        load_catalogue(rule_files=[path])


def test_a_later_plugin_replaces_a_provider() -> None:
    @provide
    def one(note: NoteBundle) -> Thing:
        """One."""
        return Thing("one")

    @provide
    def two(note: NoteBundle) -> Thing:
        """Two."""
        return Thing("two")

    plugin("acme_one", evidence_lint_providers=lambda: [one], evidence_lint_dialects=lambda: [NOTE])
    plugin("acme_two", evidence_lint_providers=lambda: [two])
    catalogue = load_catalogue(plugins=["acme_one", "acme_two"], entry_point_plugins=False)
    assert catalogue.graph.provider(Thing) is two


def _distribution(folder: Path, name: str, value: str) -> None:
    info = folder / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[evidence_lint]\n{name} = {value}\n")


def test_installed_plugins_come_after_the_built_in_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its name sorts before "plugins": it must replace what those bring, all the same.
    _distribution(tmp_path, "acme", "acme_installed")
    (tmp_path / "acme_installed.py").write_text(
        "from evidence_lint.hooks import hookimpl\n"
        "@hookimpl\ndef evidence_lint_extractors():\n    return [('text/html', 'mine')]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    catalogue = load_catalogue()
    names = [name for name, _ in catalogue.manager.list_name_plugin()]
    assert names[-1] == "acme_installed"
    html = [row for row in gather(catalogue.manager, "evidence_lint_extractors", tuple) if row[0] == "text/html"]
    assert html[-1] == ("text/html", "mine")
    del sys.modules["acme_installed"]


def test_an_installed_plugin_that_cannot_be_loaded_names_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _distribution(tmp_path, "acme", "acme_missing")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError, match=r"'acme_missing' \(entry point 'acme'\) cannot be loaded"):
        load_catalogue()


def test_code_of_a_distrusted_folder_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flag = tmp_path / "ran"
    (tmp_path / "acme_local.py").write_text(f"open({str(flag)!r}, 'w').close()\n")
    _distribution(tmp_path, "acme", "acme_local")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError, match="lies in the work tree"):
        load_catalogue(distrusted=tmp_path)
    with pytest.raises(PluginError, match="lies in the work tree"):
        load_catalogue(distrusted=tmp_path, plugins=["acme_local"], entry_point_plugins=False)
    assert not flag.exists()


def test_an_environment_in_the_distrusted_folder_is_not_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / ".venv/lib/python3/site-packages"
    _distribution(site, "acme", "acme_site")
    (site / "acme_site.py").write_text("")
    monkeypatch.syspath_prepend(site)
    catalogue = load_catalogue(distrusted=tmp_path)
    assert catalogue.manager.has_plugin("acme_site")
    del sys.modules["acme_site"]


def test_objects_can_be_plugins_of_a_collector() -> None:
    seen: list[str] = []

    class Observer:
        @hookimpl
        def evidence_lint_bundle(self, result: object, done: int, total: int) -> None:
            seen.append(f"{done}/{total}")

    catalogue = load_catalogue()
    catalogue.manager.register(Observer())
    catalogue.manager.hook.evidence_lint_bundle(result=None, done=1, total=2)
    assert seen == ["1/2"]
