"""The nearest configuration file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from evidence_lint.config.discover import discover_settings, find_config, read_settings
from evidence_lint.errors import ConfigError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A Git work tree below a folder that has settings of its own."""
    (tmp_path / "evidence-lint.toml").write_text('select = ["OUTSIDE"]')
    top = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / "docs" / "auth").mkdir(parents=True)
    return top


def test_nearest_file_upwards(tree: Path) -> None:
    (tree / "evidence-lint.toml").write_text('select = ["TOP"]')
    assert discover_settings(tree / "docs" / "auth").select == ("TOP",)
    (tree / "docs" / "evidence-lint.toml").write_text('select = ["DOCS"]')
    settings = discover_settings(tree / "docs" / "auth" / "report.md")
    assert (settings.select, settings.folder) == (("DOCS",), tree / "docs")


def test_search_ends_at_the_top_of_the_work_tree(tree: Path) -> None:
    assert find_config(tree / "docs") is None
    assert discover_settings(tree / "docs").source is None


def test_own_file_goes_before_pyproject(tree: Path) -> None:
    (tree / "pyproject.toml").write_text('[tool.evidence-lint]\nselect = ["PY"]')
    assert discover_settings(tree).select == ("PY",)
    (tree / "evidence-lint.toml").write_text('select = ["OWN"]')
    assert discover_settings(tree).select == ("OWN",)


@pytest.mark.parametrize("text", ["[tool.ruff]\n", "", "this is no TOML", '# evidence-lint\nname = "x"\n'])
def test_pyproject_without_the_table_is_passed_over(tree: Path, text: str) -> None:
    (tree / "evidence-lint.toml").write_text('select = ["TOP"]')
    (tree / "docs" / "pyproject.toml").write_text(text)
    assert discover_settings(tree / "docs").select == ("TOP",)


def test_broken_pyproject_that_speaks_of_this_tool_is_an_error(tree: Path) -> None:
    (tree / "pyproject.toml").write_text("[tool.evidence-lint\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        discover_settings(tree)


def test_outside_a_work_tree_only_folders_that_others_cannot_write_are_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "shared" / "mine"
    folder.mkdir(parents=True)
    (tmp_path / "shared" / "evidence-lint.toml").write_text('rules = ["planted.py"]')
    assert discover_settings(folder).rules == ("planted.py",)
    (tmp_path / "shared").chmod(0o1777)
    assert discover_settings(folder).rules == ()


def test_named_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('\ufeffselect = ["IN"]')
    assert read_settings(path).select == ("IN",)
    link = tmp_path / "elsewhere" / "link.toml"
    link.parent.mkdir()
    link.symlink_to(path)
    assert read_settings(link).select == ("IN",)
    with pytest.raises(ConfigError, match="there is no such file"):
        read_settings(tmp_path / "nothing.toml")


def test_files_that_cannot_be_read(tree: Path) -> None:
    path = tree / "evidence-lint.toml"
    path.write_bytes(b'select = ["\xe9"]')
    with pytest.raises(ConfigError, match="is not UTF-8 at byte 12"):
        discover_settings(tree)
    path.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(ConfigError, match="over the limit"):
        discover_settings(tree)
    path.unlink()
    path.symlink_to(tree.parent / "evidence-lint.toml")
    with pytest.raises(ConfigError, match="symbolic link"):
        discover_settings(tree)
