from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli_support import faulty, lint, outcomes, results, write_bundle
from tests.support.repositories import Builder

POLICY = """\
baseline = "baseline.json"
rules = ["checks/acme.py"]

[gate]
required-rules = ["WEB104"]
"""
RULE = '''
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import Example, Expected
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule


@rule("ACME101", "acme-rule", passes=[Example("p", {})], fails=[Example("f", {}, (Expected("x"),))])
def check(bundle: Bundle):
    """A local rule.

    Why: a test.

    Fix: nothing.
    """
    yield Problem("the house rule", Location(bundle.main))
'''
EMPTY = json.dumps({"schema": "evidence-lint/baseline-v1", "entries": []})


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """A project whose ``main`` has a policy, with a faulty report in a pull request."""
    built = Builder(tmp_path / "project")
    built.commit({"evidence-lint.toml": POLICY, "checks/acme.py": RULE, "baseline.json": EMPTY})
    built.git("checkout", "-q", "-b", "pull-request")
    faulty(built.root / "docs/one")
    built.commit()
    monkeypatch.chdir(built.root)
    return built


def gate(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 1) -> dict[str, object]:
    got = lint("check", "docs", "--offline", "--policy-from", "main", "--format", "json", *arguments)
    out, err = capfd.readouterr()
    assert got == status, (out, err)
    return results(out)


def changes(document: dict[str, object]) -> list[str]:
    rows = document["bundles"][0]["verdicts"]  # type: ignore[index]
    return [row["message"] for row in rows if row["rule"] == "META105"]


def test_the_policy_of_the_revision_is_in_force(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    document = gate(capfd)
    assert {"WEB104", "ACME101"} <= outcomes(document)
    assert changes(document) == []
    commit = repository.git("rev-parse", "main")
    assert document["run"]["policy"] == {  # type: ignore[index]
        "source": "main:evidence-lint.toml",
        "revision": "main",
        "commit": commit,
    }
    notice = document["notices"][0]  # type: ignore[index]
    assert notice.startswith(f"policy main:evidence-lint.toml, as of commit {commit} (refs/heads/main): ")
    assert "runs local rules checks/acme.py" in notice


def test_a_pull_request_cannot_move_the_gate(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    root = repository.root
    honest = gate(capfd)
    mark = "<!-- evidence-lint: ignore[WEB104, CIT] no time -->\n"
    faulty(root / "docs/one", mark, {"ignore": ["WEB", "CIT", "EVID"], "reason": "no time"})
    (root / "evidence-lint.toml").write_text(
        'ignore = ["WEB", "CIT"]\nfail-on = "never"\nbaseline = "baseline.json"\nexclude = ["docs"]\n'
        'rules = ["checks/acme.py", "checks/mine.py"]\n[severity]\nALL = "info"\n'
    )
    (root / "docs/one/evidence-lint.toml").write_text('select = ["IN"]\n')
    (root / "checks/acme.py").write_text("raise SystemExit(0)\n")
    (root / "checks/mine.py").write_text(f"open({str(root / 'ran')!r}, 'w').close()\n")
    rows = [row for bundle in honest["bundles"] for row in bundle["verdicts"]]  # type: ignore[attr-defined]
    known = [{"path": "docs/one/report.md", "rule": r["rule"], "fingerprint": r["fingerprint"]} for r in rows]
    (root / "baseline.json").write_text(json.dumps({"schema": "evidence-lint/baseline-v1", "entries": known}))
    repository.commit()
    assert lint("check", "docs", "--offline", "--config", "docs/one/evidence-lint.toml") == 0, "the trick works without"
    capfd.readouterr()
    document = gate(capfd)
    assert outcomes(honest) <= outcomes(document)
    assert outcomes(document, "suppressed") == set()
    assert "META102" in outcomes(document), "what it may not suppress is told"
    assert not (root / "ran").exists()
    told = "\n".join(changes(document))
    for word in (
        "ignore",
        "fail-on",
        "exclude",
        "severity",
        "rules",
        "checks/acme.py differs",
        "baseline.json differs",
    ):
        assert word in told, word


def test_a_nested_configuration_of_the_work_tree_is_told(
    repository: Builder, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository.root / "docs/evidence-lint.toml").write_text('select = ["IN"]\n')
    document = gate(capfd)
    assert "WEB104" in outcomes(document)
    assert any("select" in change for change in changes(document))


def test_a_broken_configuration_of_the_work_tree_is_told(
    repository: Builder, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository.root / "evidence-lint.toml").write_text("select = [")
    assert "it cannot be read" in changes(gate(capfd))[0]


def test_links_of_the_work_tree_choose_nothing(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The revision holds laxer files elsewhere; a link to them must not make them the policy."""
    root = repository.root
    known = json.dumps({"schema": "evidence-lint/baseline-v1", "entries": []})
    repository.git("checkout", "-q", "main")
    repository.commit(
        {"examples/lax/evidence-lint.toml": 'select = ["IN"]\n', "old/baseline.json": known[:-1] + ',"x":1}'}
    )
    repository.git("checkout", "-q", "pull-request")
    repository.git("merge", "-q", "main")
    (root / "docs/one").rename(root / "examples/lax/one")
    (root / "docs/one").symlink_to("../examples/lax/one")
    (root / "baseline.json").unlink()
    (root / "baseline.json").symlink_to("old/baseline.json")
    got = lint("check", "docs/one", "--offline", "--policy-from", "main", "--format", "json")
    document = results(capfd.readouterr().out)
    assert got == 1
    assert document["run"]["policy"]["source"] == "main:evidence-lint.toml"
    assert any("baseline.json differs" in change for change in changes(document))


def test_a_device_in_the_work_tree_is_not_read(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    (repository.root / "baseline.json").unlink()
    (repository.root / "baseline.json").symlink_to("/dev/zero")
    assert any("baseline.json differs" in change for change in changes(gate(capfd)))


def test_suppressible_rules_may_be_suppressed(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.commit({"evidence-lint.toml": 'suppressible = ["WEB104"]\n'})
    repository.git("checkout", "-q", "pull-request")
    faulty(repository.root / "docs/one", block={"ignore": ["WEB104"], "reason": "known"})
    document = gate(capfd)
    assert outcomes(document, "suppressed") == {"WEB104"}


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"evidence-lint.toml": "selct = []"}, "main:evidence-lint.toml: selct: there is no such key"),
        ({"evidence-lint.toml": 'baseline = "gone.json"'}, "main:gone.json: the revision has no such baseline"),
        ({"evidence-lint.toml": 'rules = ["gone.py"]'}, "main:gone.py: rules: the revision has no such rule file"),
        ({"evidence-lint.toml": 'baseline = "../../x.json"'}, "lies outside the repository"),
        ({"baseline.json": "{}"}, "main:baseline.json: not a baseline"),
        ({"evidence-lint.toml": b"\xff"}, "main:evidence-lint.toml: not UTF-8"),
    ],
)
def test_a_broken_policy_is_status_4(
    repository: Builder, capfd: pytest.CaptureFixture[str], files: dict[str, str | bytes], told: str
) -> None:
    repository.git("checkout", "-q", "main")
    repository.commit(files)
    repository.git("checkout", "-q", "pull-request")
    assert lint("check", "docs", "--offline", "--policy-from", "main") == 4
    assert told in capfd.readouterr().err


@pytest.mark.parametrize("revision", ["origin/main", "no-such", "--help", "-x", "", "main:docs", "HEAD~99"])
def test_a_revision_that_is_not_here_is_status_4(
    repository: Builder, capfd: pytest.CaptureFixture[str], revision: str
) -> None:
    assert lint("check", "docs", "--offline", f"--policy-from={revision}") == 4
    assert "there is no such revision" in capfd.readouterr().err


def test_a_shallow_clone_says_what_to_do(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert lint("check", "docs", "--offline", "--policy-from", "origin/main") == 4
    err = capfd.readouterr().err
    assert "The clone is shallow: fetch it first (in CI: fetch-depth: 0)" in err


def test_outside_a_repository_is_status_4(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bundle(tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    assert lint("check", "docs", "--offline", "--policy-from", "main") == 4
    assert "lies in no Git work tree" in capfd.readouterr().err


def test_a_pyproject_of_other_tools_is_passed_over(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.commit({"docs/pyproject.toml": "[project\nbroken", "pyproject.toml": "[tool.ruff]\nline-length = 9\n"})
    repository.git("checkout", "-q", "pull-request")
    assert gate(capfd)["run"]["policy"]["source"] == "main:evidence-lint.toml"  # type: ignore[index]


def test_a_pyproject_may_hold_the_policy(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.git("rm", "-q", "evidence-lint.toml")
    repository.commit({"pyproject.toml": '[tool.evidence-lint]\nselect = ["IN"]\n'})
    repository.git("checkout", "-q", "pull-request")
    document = gate(capfd, status=0)
    assert document["run"]["policy"]["source"] == "main:pyproject.toml"  # type: ignore[index]


def test_each_key_of_a_table_is_told_by_itself(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    (repository.root / "evidence-lint.toml").write_text(
        POLICY.replace('["WEB104"]', "[]") + 'max-medium = 9\nunsuppressible = ["CONF"]\n'
        '[severity]\nWEB = "info"\n[per-path."docs/**"]\nignore = ["LIVE"]\n'
        '[[authority]]\nhost = "blog.example.org"\nlevel = "government"\nreason = "mine"\n'
    )
    told = [row.partition("would change ")[2] for row in changes(gate(capfd))]
    assert told == [
        'authority."blog.example.org": not set → government: mine',
        "gate.max-medium: not set → 9",
        "gate.required-rules: WEB104 → nothing",
        "gate.unsuppressible: nothing → CONF",
        'per-path."docs/**".ignore: not set → LIVE',
        "severity.WEB: not set → info",
    ]


LAX = 'ignore = ["WEB", "CIT", "OUT", "CONF"]\n'


@pytest.mark.parametrize(
    ("other", "full"),
    [
        (["tag", "main", "lax"], "refs/tags/main"),
        (["update-ref", "refs/remotes/main", "lax"], "refs/remotes/main"),
        (["update-ref", "refs/remotes/main/HEAD", "lax"], "refs/remotes/main/HEAD"),
        (["tag", "-a", "-m", "x", "main", "lax"], "refs/tags/main"),
        (["tag", "main", "main"], "refs/tags/main"),
    ],
)
def test_a_name_that_several_refs_answer_to_is_refused(
    repository: Builder, capfd: pytest.CaptureFixture[str], other: list[str], full: str
) -> None:
    """Git would take the tag, which whoever opens a merge request may push."""
    repository.git("checkout", "-q", "-b", "lax")
    repository.commit({"evidence-lint.toml": LAX})
    repository.git(*other)
    assert lint("check", "docs", "--offline", "--policy-from", "main") == 4
    told = capfd.readouterr().err
    assert f"'main' may mean 2 things: refs/heads/main, {full}" in told
    assert "name the one that is meant in full" in told
    for name in ("refs/heads/main", "heads/main", repository.git("rev-parse", "refs/heads/main")):
        assert lint("check", "docs", "--offline", "--policy-from", name, "--format", "json") == 1
        document = results(capfd.readouterr().out)
        assert document["run"]["policy"]["commit"] == repository.git("rev-parse", "refs/heads/main")
        assert "WEB104" in outcomes(document)


def test_the_remote_branch_can_be_named_in_full(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("checkout", "-q", "main")
    repository.git("checkout", "-q", "-b", "lax")
    repository.commit({"evidence-lint.toml": LAX})
    repository.git("tag", "origin/main")
    repository.git("checkout", "-q", "pull-request")
    repository.git("clone", "-q", f"file://{repository.root}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert lint("check", "docs", "--offline", "--policy-from", "origin/main") == 4
    assert "refs/remotes/origin/main, refs/tags/origin/main" in capfd.readouterr().err
    assert lint("check", "docs", "--offline", "--policy-from", "refs/remotes/origin/main") == 1
    commit = repository.git("rev-parse", "main")
    assert f"as of commit {commit} (refs/remotes/origin/main)" in " ".join(capfd.readouterr().out.split())


def plant(folder: Path) -> Builder:
    """A repository around a bundle, whose own ``main`` ignores everything."""
    inner = Builder(folder)
    inner.commit({"evidence-lint.toml": LAX})
    return inner


@pytest.mark.parametrize("path", ["docs/one", "docs/one/report.md"])
def test_a_repository_inside_the_work_tree_does_not_decide(
    repository: Builder, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    plant(repository.root / "docs/one")
    assert lint("check", path, "--offline", "--policy-from", "main") == 4
    told = capfd.readouterr().err
    assert f"{path} lies in another repository ({repository.root}/docs/one)" in told
    assert f"the policy is that of {repository.root}" in told
    assert "WEB104" in outcomes(gate(capfd)), "the folder above it is judged by the policy around it"


def test_a_git_file_does_not_make_a_folder_the_top(repository: Builder, capfd: pytest.CaptureFixture[str]) -> None:
    """The policy of the top would hold for what a nested one is for."""
    repository.git("worktree", "add", "-q", "--detach", "../linked")
    for target in ("../../.git", "../../.git/worktrees/linked"):
        (repository.root / "docs/one/.git").write_text(f"gitdir: {target}\n")
        assert lint("check", "docs/one", "--offline", "--policy-from", "main") == 4, target
        assert "lies in another repository" in capfd.readouterr().err
    (repository.root / "docs/one/.git").unlink()
    (repository.root / "docs/one/.git").mkdir()
    gate(capfd)


def test_a_foreign_repository_does_not_decide(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    faulty(plant(tmp_path / "foreign").root / "b")
    (repository.root / "elsewhere").symlink_to(tmp_path / "foreign/b")
    for path in (tmp_path / "foreign/b", Path("elsewhere")):
        assert lint("check", path, "--offline", "--policy-from", "main") == 4
        assert "lies in another repository" in capfd.readouterr().err
    faulty(tmp_path / "nowhere")
    assert lint("check", tmp_path / "nowhere", "--offline", "--policy-from", "main") == 4
    assert "lies in no repository" in capfd.readouterr().err


def test_the_repository_may_be_named(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = repository.root / "docs"
    assert lint("check", place, "--offline", "--policy-from", "main") == 4
    assert "--repo" in capfd.readouterr().err
    got = lint("check", place, "--offline", "--policy-from", "main", "--repo", repository.root, "--format", "json")
    assert got == 1
    assert "WEB104" in outcomes(results(capfd.readouterr().out))


def test_a_linked_work_tree_may_be_checked_from_the_main_one(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for linked in (tmp_path / "linked", repository.root / ".trees/inner"):
        repository.git("worktree", "add", "-q", "--detach", str(linked))
        faulty(linked / "docs/one")
        arguments = ("check", linked / "docs/one", "--offline", "--policy-from", "main", "--format", "json")
        assert lint(*arguments) == 1
        assert {"WEB104", "ACME101"} <= outcomes(results(capfd.readouterr().out))
    assert lint("check", "docs", tmp_path / "linked/docs", "--offline", "--policy-from", "main") == 4
    assert "lie in two work trees" in capfd.readouterr().err


def test_a_gate_holds_in_a_linked_work_tree(
    repository: Builder, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    monkeypatch.chdir(tmp_path / "linked")
    assert "WEB104" in outcomes(gate(capfd))


def test_a_required_rule_that_was_skipped_fails_the_gate(
    repository: Builder, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository.root / "docs/one/findings.json").unlink()
    assert "META108" in outcomes(gate(capfd))
