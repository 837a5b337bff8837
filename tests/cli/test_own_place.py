"""Whose configuration may run code: the one that was named, or that stands where the user does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli_support import faulty, lint, write_bundle
from tests.support.repositories import Builder

CODE = "open({marker!r}, 'w').close()\nraise SystemExit(0)\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own project; the test runs in it."""
    folder = Builder(tmp_path / "mine").root
    write_bundle(folder / "docs/good")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "ran"


def trap(folder: Path, marker: Path, setting: str = 'rules = ["trap.py"]') -> Path:
    """A bundle whose folder has a configuration that names code."""
    faulty(folder)
    (folder / "trap.py").write_text(CODE.format(marker=str(marker)))
    (folder / "evidence-lint.toml").write_text(setting + "\n")
    return folder


def foreign(tmp_path: Path, marker: Path) -> Path:
    return trap(Builder(tmp_path / "foreign").root, marker)


def foreign_below(tmp_path: Path, marker: Path) -> Path:
    folder = foreign(tmp_path, marker)
    return faulty(folder / "deep/b")


def loose(tmp_path: Path, marker: Path) -> Path:
    return trap(tmp_path / "loose", marker)


def below(tmp_path: Path, marker: Path) -> Path:
    return trap(tmp_path / "mine/docs/bad", marker)


def nested(tmp_path: Path, marker: Path) -> Path:
    return trap(Builder(tmp_path / "mine/vendored").root, marker)


def linked(tmp_path: Path, marker: Path) -> Path:
    (tmp_path / "mine/link").symlink_to(loose(tmp_path, marker))
    return tmp_path / "mine/link"


Place = Callable[[Path, Path], Path]
PLACES = pytest.mark.parametrize("place", [foreign, foreign_below, loose, below, nested, linked])


@PLACES
@pytest.mark.parametrize("command", [["check", "--offline"], ["baseline", "write", "--offline"]])
def test_what_lies_with_the_examined_runs_nothing(
    here: Path, marker: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], place: Place, command: list[str]
) -> None:
    folder = place(tmp_path, marker)
    for path in (folder, folder / "report.md"):
        assert lint(*command, path) == 4
        told = capfd.readouterr().err
        assert "evidence-lint.toml: rules: a configuration may run code" in told
        assert "--config FILE" in told
    assert not marker.exists()


@PLACES
def test_doctor_runs_nothing_either(
    here: Path, marker: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], place: Place
) -> None:
    assert lint("doctor", place(tmp_path, marker)) == 1
    assert "a configuration may run code" in capfd.readouterr().out
    assert not marker.exists()


@pytest.mark.parametrize(
    ("setting", "key"),
    [
        ('plugins = ["trap"]', "plugins"),
        ('[network]\nallow = ["10.0.0.0/8"]', "network.allow"),
        ('rules = ["trap.py"]\nplugins = ["trap"]', "rules, plugins"),
    ],
)
def test_plugins_and_open_networks_are_refused_too(
    here: Path, marker: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, setting: str, key: str
) -> None:
    folder = trap(here / "docs/bad", marker, setting)
    monkeypatch.syspath_prepend(folder)
    assert lint("check", "--offline", folder) == 4
    assert f"evidence-lint.toml: {key}: " in capfd.readouterr().err
    assert not marker.exists()


def test_what_does_nothing_holds_anywhere(here: Path, marker: Path, capfd: pytest.CaptureFixture[str]) -> None:
    trap(here / "docs/bad", marker, 'ignore = ["WEB", "EVID"]')
    lint("check", "--offline", "docs/bad", "--format", "concise")
    out = capfd.readouterr().out
    assert "note: configuration docs/bad/evidence-lint.toml: ignores WEB, EVID" in out
    assert "WEB104" not in out


@pytest.mark.parametrize("start", [".", "docs/bad", "docs/bad/inner"])
def test_where_the_user_stands_code_runs(
    here: Path, marker: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], start: str
) -> None:
    folder = trap(here if start == "." else here / "docs/bad", marker)
    (folder / "inner").mkdir()
    monkeypatch.chdir(here / start)
    assert lint("check", "--offline", here / "docs/bad" if start != "." else "docs/good") == 4
    assert "trap.py cannot be loaded: SystemExit" in capfd.readouterr().err
    assert marker.exists()


def test_a_folder_of_another_work_tree_is_not_above(
    here: Path, marker: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """From inside a nested repository the outer one's code does not run, as it would not for a path in it."""
    trap(here, marker)
    inner = Builder(here / "vendored").root
    monkeypatch.chdir(inner)
    assert lint("check", "--offline", "..") == 4
    assert "a configuration may run code" in capfd.readouterr().err
    assert not marker.exists()


def test_a_configuration_that_is_named_runs_its_code(
    here: Path, marker: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = foreign(tmp_path, marker)
    assert lint("check", "--offline", folder, "--isolated") == 1
    assert not marker.exists()
    assert lint("check", "--offline", folder, "--config", folder / "evidence-lint.toml") == 4
    assert "trap.py cannot be loaded: SystemExit" in capfd.readouterr().err
    assert marker.exists()


@pytest.mark.parametrize("command", [["rules"], ["explain", "WEB104"]])
def test_rules_and_explain_go_by_the_current_folder(
    here: Path, marker: Path, tmp_path: Path, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    below(tmp_path, marker)
    assert lint(*command) == 0
    assert not marker.exists()
    assert lint(*command, "--config", "docs/bad/evidence-lint.toml") == 4
    assert marker.exists()
    capfd.readouterr()
