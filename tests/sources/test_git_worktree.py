from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest

from evidence_lint.model.repository import EntryKind, Refusal, WorktreeFile, WorktreeRefusal
from evidence_lint.sources.git import GitRepository
from tests.sources.git_support import Sample, inventory


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    sample = Sample(tmp_path / "repo")
    sample.commit("one", a_txt=b"one\n", dir__b_txt=b"two\n")
    return sample


def refused(repository: GitRepository, path: str | bytes, *, limit: int = 1000) -> Refusal:
    answer = repository.worktree_file(path, limit=limit)
    assert isinstance(answer, WorktreeRefusal), answer
    assert answer.detail
    return answer.reason


def test_files_are_read_as_they_are_now(sample: Sample) -> None:
    sample.put("a.txt", b"changed\r\n")
    sample.put(b"odd\n\xff", b"odd").chmod(0o755)
    with sample.open() as repository:
        assert repository.worktree_file("a.txt") == WorktreeFile(b"changed\r\n", EntryKind.FILE)
        assert repository.worktree_file("./dir//b.txt") == WorktreeFile(b"two\n", EntryKind.FILE)
        assert repository.worktree_file(b"odd\n\xff") == WorktreeFile(b"odd", EntryKind.EXECUTABLE)


@pytest.mark.parametrize(
    "path",
    ["", ".", "/etc/passwd", "..", "../x", "dir/../a.txt", ".git/config", "dir/.GIT/x", "a\0b", "//a.txt"],
)
def test_paths_that_leave_or_look_into_git_are_bad(sample: Sample, path: str) -> None:
    with sample.open() as repository:
        assert refused(repository, path) is Refusal.BAD_PATH


def test_links_are_read_as_text_and_never_followed(sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret\n")
    links = {
        "inside": "a.txt",
        "dangling": "nowhere",
        "loop": "loop",
        "folder": "dir",
        "out": "../secret",
        "absolute": str(tmp_path / "secret"),
        "through": "out",
        "outdir": "..",
        "git": ".git",
        "prefix": f"../{sample.root.name}-other",
    }
    for name, target in links.items():
        (sample.root / name).symlink_to(target)
    with sample.open() as repository:
        for name in ("inside", "dangling", "loop", "folder"):
            expected = WorktreeFile(links[name].encode(), EntryKind.SYMLINK)
            assert repository.worktree_file(name) == expected
        for name in ("out", "absolute", "through", "outdir", "outdir/secret", "git", "git/config", "prefix"):
            assert refused(repository, name) is Refusal.ESCAPES, name
        assert refused(repository, "folder/b.txt") is Refusal.BEHIND_SYMLINK


def test_what_is_no_ordinary_file_is_refused_at_once(sample: Sample) -> None:
    os.mkfifo(sample.root / "fifo")
    started = time.monotonic()
    with sample.open() as repository:
        assert refused(repository, "fifo") is Refusal.NOT_A_FILE
        assert refused(repository, "dir") is Refusal.NOT_A_FILE
        assert refused(repository, "absent") is Refusal.NOT_FOUND
        assert refused(repository, "a.txt/x") is Refusal.NOT_FOUND
        assert refused(repository, "x" * 300) is Refusal.NOT_FOUND
    assert time.monotonic() - started < 20


def test_a_large_file_is_refused_by_size(sample: Sample) -> None:
    sample.put("large", b"x" * 1001)
    sample.put("fits", b"x" * 1000)
    with sample.open() as repository:
        assert refused(repository, "large") is Refusal.TOO_LARGE
        assert isinstance(repository.worktree_file("fits", limit=1000), WorktreeFile)


def test_a_bare_repository_has_no_files(sample: Sample, tmp_path: Path) -> None:
    sample.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    with GitRepository.open(tmp_path / "bare") as repository:
        assert refused(repository, "a.txt") is Refusal.NO_WORK_TREE


def test_a_snapshot_names_root_commit_and_tree(sample: Sample) -> None:
    with sample.open() as repository:
        snapshot = repository.snapshot()
    assert snapshot.root == str(sample.root)
    assert snapshot.head_commit == sample.git("rev-parse", "HEAD")
    assert snapshot.tree_hash == sample.git("rev-parse", "HEAD^{tree}")
    assert snapshot.dirty is False


def test_what_makes_a_work_tree_dirty(sample: Sample) -> None:
    def dirty(path: str | None = None) -> bool:
        with sample.open() as repository:
            return repository.is_dirty(path)

    sample.put(".gitignore", b"ignored\n")
    sample.commit()
    sample.put("ignored", b"x")
    (sample.root / ".git" / "info" / "exclude").write_text("excluded\n")
    sample.put("excluded", b"x")
    os.utime(sample.root / "a.txt", (1, 1))
    assert not dirty()
    untracked = sample.put("dir/new", b"x")
    assert dirty()
    assert dirty("dir")
    assert not dirty("a.txt")
    untracked.unlink()
    sample.put("a.txt", b"uno\n")
    assert dirty()
    assert dirty("a.txt")
    assert not dirty("dir")
    sample.git("add", "a.txt")
    sample.put("a.txt", b"one\n")
    assert dirty(), "staged, though the file reads as before"
    sample.git("reset", "-q", "--hard")
    assert not dirty()
    (sample.root / "a.txt").chmod(0o755)
    assert dirty()
    sample.git("config", "core.fileMode", "false")
    assert not dirty()
    (sample.root / "a.txt").unlink()
    assert dirty()


def test_a_copied_checkout_is_clean_and_not_written_to(sample: Sample, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    os.system(f"cp -r {sample.root} {copy}")
    before = inventory(copy)
    with GitRepository.open(copy) as repository:
        assert not repository.is_dirty()
    assert inventory(copy) == before


def test_line_ends_that_git_converts_are_clean(sample: Sample) -> None:
    sample.put(".gitattributes", b"*.txt text eol=crlf\n")
    sample.put("crlf.txt", b"one\r\ntwo\r\n")
    sample.commit()
    with sample.open() as repository:
        assert not repository.is_dirty("crlf.txt")


def test_sparse_checkouts_are_clean(sample: Sample) -> None:
    sample.git("sparse-checkout", "set", "--no-cone", "/a.txt")
    assert not (sample.root / "dir").exists()
    with sample.open() as repository:
        assert not repository.is_dirty()


def test_content_of_git_lfs_is_known_by_its_digest(sample: Sample) -> None:
    content = b"large content\n"
    digest = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
    sample.put(".gitattributes", b"*.bin filter=lfs -text\n")
    sample.put("model.bin", pointer.encode())
    sample.commit()
    sample.put("model.bin", content)
    with sample.open() as repository:
        assert not repository.is_dirty()
        sample.put("model.bin", b"other content\n")
        assert repository.is_dirty()


def test_submodules_count_by_their_commit_and_their_state(sample: Sample, tmp_path: Path) -> None:
    outer = Sample(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(sample.root), "lib")
    outer.commit("with submodule")

    def dirty() -> bool:
        with outer.open() as repository:
            return repository.is_dirty()

    assert not dirty()
    inner = Sample.at(outer.root / "lib")
    inner.put("a.txt", b"dirty\n")
    assert dirty()
    inner.commit("moved on")
    assert dirty(), "another commit is checked out than the one recorded"
    outer.git("add", "lib")
    assert dirty(), "staged"
    outer.commit("record")
    assert not dirty()
    outer.git("submodule", "deinit", "-q", "-f", "lib")
    assert not dirty()


def test_a_forged_submodule_entry_does_not_lead_out(sample: Sample, tmp_path: Path) -> None:
    other = Sample(tmp_path / "other")
    oid = other.commit("x", a_txt=b"x\n")
    sample.git("update-index", "--add", "--cacheinfo", f"160000,{oid},link")
    sample.git("commit", "-q", "-m", "gitlink")
    (sample.root / "link").symlink_to(other.root)
    with sample.open() as repository:
        assert repository.is_dirty()


def test_line_ends_of_autocrlf_are_clean(sample: Sample) -> None:
    sample.git("config", "core.autocrlf", "true")
    (sample.root / "a.txt").unlink()
    sample.git("checkout", "-q", "a.txt")
    os.utime(sample.root / "a.txt", (5, 5))
    with sample.open() as repository:
        assert repository.worktree_file("a.txt") == WorktreeFile(b"one\r\n", EntryKind.FILE)
        assert not repository.is_dirty()


def test_a_submodule_that_cannot_be_read_is_dirty(sample: Sample, tmp_path: Path) -> None:
    outer = Sample(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(sample.root), "lib")
    outer.commit("with submodule")
    (outer.root / "lib" / ".git").write_text("gitdir: /nowhere\n")
    with outer.open() as repository:
        assert repository.is_dirty()
    (outer.root / "lib" / ".git").unlink()
    (outer.root / "lib" / ".git").mkdir()
    with outer.open() as repository:
        assert repository.is_dirty()


def test_a_link_in_the_place_of_lfs_content_is_dirty(sample: Sample) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1\n"
    sample.put("model.bin", pointer.encode())
    sample.commit()
    (sample.root / "model.bin").unlink()
    (sample.root / "model.bin").symlink_to("a.txt")
    with sample.open() as repository:
        assert repository.is_dirty()
