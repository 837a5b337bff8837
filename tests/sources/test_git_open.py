from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from evidence_lint.errors import SourceError
from evidence_lint.sources.git import GitRepository, discover
from evidence_lint.sources.git_errors import GitFailed, GitUnavailable, RepositoryError, RepositoryNotFound
from evidence_lint.sources.git_layout import Layout, read_format
from evidence_lint.sources.git_process import GitRunner
from tests.sources.git_support import Sample, inventory


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    sample = Sample(tmp_path / "repo")
    sample.commit("one", a_txt=b"one\n", sub__b_txt=b"two\n")
    return sample


def content(repository: GitRepository, path: str) -> bytes:
    head = repository.head()
    assert head is not None
    entry = repository.entry(head, path)
    assert entry is not None
    return repository.blob(entry.oid)


def test_a_folder_below_the_top_opens_the_top(sample: Sample) -> None:
    with GitRepository.open(sample.root / "sub") as repository:
        assert repository.root == sample.root
        assert content(repository, "sub/b.txt") == b"two\n"


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_both_object_formats(tmp_path: Path, form: str) -> None:
    sample = Sample(tmp_path / "r", f"--object-format={form}")
    oid = sample.commit("one", a_txt=b"one\n")
    with sample.open() as repository:
        assert repository.object_format == form
        assert repository.head() == oid
        assert repository.resolve(oid[:9].upper()).oid == oid
        assert repository.resolve(oid[:40]).oid == oid
        assert repository.reachable([oid]) == {oid}
        assert content(repository, "a.txt") == b"one\n"
        assert not repository.snapshot().dirty


def test_a_linked_worktree_has_its_own_head_index_and_root(sample: Sample, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    sample.git("worktree", "add", "-q", "-b", "side", str(linked))
    side = Sample.at(linked).commit("two", a_txt=b"changed\n")
    (linked / "a.txt").write_bytes(b"dirty\n")
    with GitRepository.open(linked) as repository, sample.open() as main:
        assert repository.root == linked
        assert repository.head() == side != main.head()
        assert content(repository, "a.txt") == b"changed\n"
        assert repository.is_dirty()
        assert not main.is_dirty()


def test_a_detached_head_of_another_worktree_reaches_its_commit(sample: Sample, tmp_path: Path) -> None:
    sample.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    lonely = Sample.at(tmp_path / "linked").commit("two", a_txt=b"changed\n")
    with sample.open() as repository:
        assert repository.reachable([lonely]) == {lonely}


def test_a_submodule_is_its_own_repository(sample: Sample, tmp_path: Path) -> None:
    outer = Sample(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(sample.root), "lib")
    outer.commit("with submodule")
    with GitRepository.open(outer.root / "lib" / "sub") as repository:
        assert repository.root == outer.root / "lib"
        assert content(repository, "a.txt") == b"one\n"
        assert not repository.is_dirty()


def test_a_bare_repository_has_no_root(sample: Sample, tmp_path: Path) -> None:
    sample.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    with GitRepository.open(tmp_path / "bare.git") as repository:
        assert repository.root is None
        assert content(repository, "a.txt") == b"one\n"
        assert not repository.is_dirty()
        assert repository.snapshot().root == str(tmp_path / "bare.git")
    assert discover(tmp_path / "bare.git") is None


def test_a_folder_that_looks_bare_inside_a_work_tree_is_passed_by(sample: Sample) -> None:
    sample.git("clone", "-q", "--bare", ".", str(sample.root / "evil"))
    (sample.root / "evil" / "inner").mkdir()
    assert discover(sample.root / "evil") == sample.root
    with GitRepository.open(sample.root / "evil" / "inner") as repository:
        assert repository.root == sample.root


def test_the_git_directory_itself_opens_its_work_tree(sample: Sample) -> None:
    with GitRepository.open(sample.root / ".git") as repository:
        assert repository.root == sample.root


def test_discover_finds_the_holder_of_a_path_or_nothing(sample: Sample, tmp_path: Path) -> None:
    assert discover(sample.root / "sub" / "b.txt") == sample.root
    assert discover(sample.root / "not" / "there") == sample.root
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / ".git").write_text("gitdir: /nowhere\n")
    assert discover(outside) is None
    with pytest.raises(RepositoryNotFound, match="/nowhere"):
        GitRepository.open(outside)


def test_no_repository_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(RepositoryNotFound) as caught:
        GitRepository.open(tmp_path / "absent")
    assert isinstance(caught.value, SourceError)


def test_the_callers_git_variables_do_not_count(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Sample(tmp_path / "other")
    other.commit("other", a_txt=b"wrong\n")
    for name in ("GIT_DIR", "GIT_COMMON_DIR"):
        monkeypatch.setenv(name, str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.root / ".git" / "objects"))
    monkeypatch.setenv("GIT_NAMESPACE", "elsewhere")
    monkeypatch.setenv("GIT_SHALLOW_FILE", os.devnull)
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    with sample.open() as repository:
        assert content(repository, "a.txt") == b"one\n"
        assert not repository.is_dirty()
    assert not (tmp_path / "trace").exists()


def test_a_configuration_cannot_move_the_root(sample: Sample) -> None:
    sample.git("config", "core.worktree", "/")
    with sample.open() as repository:
        assert repository.root == sample.root
        assert not repository.is_dirty()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_foreign_owner_is_trusted_for_the_given_checkout_only(sample: Sample) -> None:
    for path in (sample.root, *sample.root.rglob("*")):
        os.chown(path, 12345, 12345)
    assert b"dubious ownership" in sample.run("status").stderr
    with sample.open() as repository:
        assert content(repository, "a.txt") == b"one\n"
        assert not repository.is_dirty()
    with pytest.raises(RepositoryNotFound, match="another user"):
        GitRepository.open(sample.root, trust=False)


def test_without_trust_ones_own_checkout_opens(sample: Sample) -> None:
    with GitRepository.open(sample.root, trust=False) as repository:
        assert repository.head() is not None


def test_an_unknown_extension_is_refused(sample: Sample) -> None:
    sample.git("config", "core.repositoryformatversion", "1")
    sample.git("config", "extensions.timeTravel", "true")
    with pytest.raises(RepositoryNotFound, match="timetravel"):
        sample.open()


def test_a_broken_configuration_is_refused(sample: Sample) -> None:
    (sample.root / ".git" / "config").write_text("[core\n")
    with pytest.raises(RepositoryNotFound, match="config"):
        sample.open()


def test_before_the_first_commit(tmp_path: Path) -> None:
    sample = Sample(tmp_path / "r")
    with sample.open() as repository:
        assert repository.head() is None
        assert not repository.is_dirty()
        assert repository.reachable(["0" * 40]) == frozenset()
        with pytest.raises(RepositoryError, match="no commit"):
            repository.snapshot()


def test_without_git_it_says_so(sample: Sample, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitUnavailable, match="not found on PATH"):
        sample.open()


def test_nothing_is_left_behind(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = inventory(sample.root)
    repository = sample.open()
    content(repository, "a.txt")
    repository.snapshot()
    assert list(temporary.iterdir())
    repository.close()
    repository.close()
    assert not list(temporary.iterdir())
    forgotten = sample.open()
    content(forgotten, "a.txt")
    del forgotten
    gc.collect()
    assert not list(temporary.iterdir())
    assert inventory(sample.root) == before


def test_links_of_the_quarantine_are_removed_not_followed(sample: Sample) -> None:
    sample.open().close()
    assert (sample.root / ".git" / "refs" / "heads" / "main").is_file()


def test_a_fifo_in_the_place_of_an_object_ends_in_time(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    oid = sample.git("rev-parse", "HEAD:a.txt")
    loose = sample.root / ".git" / "objects" / oid[:2] / oid[2:]
    loose.unlink()
    os.mkfifo(loose)
    monkeypatch.setattr("evidence_lint.sources.git_process.Conversation.ask.__defaults__", (0.3,))
    with sample.open() as repository:
        with pytest.raises(GitFailed, match="too long"):
            repository.blob(oid)
        assert content(repository, "sub/b.txt") == b"two\n"


def test_a_fifo_in_the_place_of_head_or_config_does_not_stop_the_run(sample: Sample) -> None:
    for name in ("HEAD", "config"):
        (sample.root / ".git" / name).unlink()
        os.mkfifo(sample.root / ".git" / name)
    assert discover(sample.root) is None


def test_a_split_index_is_read(sample: Sample) -> None:
    sample.git("update-index", "--split-index")
    with sample.open() as repository:
        assert not repository.is_dirty()
    shutil.rmtree(sample.root / "sub")
    with sample.open() as repository:
        assert repository.is_dirty()


def test_a_temporary_directory_that_cannot_be_made_is_a_source_error(
    sample: Sample, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(SourceError):
        sample.open()


def test_a_path_that_is_none_is_no_repository(sample: Sample) -> None:
    assert discover("a\0b") is None
    with pytest.raises(RepositoryNotFound):
        GitRepository.open("a\0b")


def test_a_command_is_bounded_in_time_and_output(sample: Sample) -> None:
    runner = GitRunner({}, sample.root)
    with pytest.raises(GitFailed, match="more than 10 bytes"):
        runner.run("log", "--format=%H %H", limit=10)
    fifo = sample.root / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(GitFailed, match="took too long"):
        runner.run("config", "--file", str(fifo), "--list", timeout=0.2)
    with pytest.raises(GitFailed, match="status 128"):
        runner.run("rev-parse", "--verify", "absent")
    with pytest.raises(GitFailed, match="NUL"):
        runner.run("rev-parse", "a\0b")


def test_a_stream_can_be_left_early(sample: Sample) -> None:
    runner = GitRunner({}, sample.root)
    with runner.stream("log", "--format=%s%n%s") as rows:
        assert next(rows) == b"one"


def test_a_boolean_without_a_value_is_true(sample: Sample) -> None:
    with (sample.root / ".git" / "config").open("a") as config:
        config.write("[core]\n\tautocrlf\n\tfileMode =\n")
    form = read_format(Layout(sample.root / ".git", sample.root / ".git", sample.root))
    assert form.harmless["core.autocrlf"] == "true"
    assert form.harmless["core.filemode"] == ""


def test_an_oversized_configuration_is_not_taken_for_an_empty_one(sample: Sample) -> None:
    with (sample.root / ".git" / "config").open("a") as config:
        config.write("# padding\n" * 200_000)
    with pytest.raises(RepositoryNotFound, match="config"):
        sample.open()
