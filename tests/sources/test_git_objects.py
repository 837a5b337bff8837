from __future__ import annotations

import zlib
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.repository import EntryKind, LfsPointer, git_lines, lfs_pointer
from evidence_lint.sources.git_cache import WeightedCache
from evidence_lint.sources.git_errors import (
    ObjectCorrupt,
    ObjectMissing,
    ObjectTooLarge,
    ObjectTypeMismatch,
)
from tests.sources.git_support import Sample


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path / "repo")


def test_entries_tell_what_a_path_is(sample: Sample) -> None:
    sample.put("dir/file.py", b"x\n")
    sample.put("run.sh", b"#!/bin/sh\n").chmod(0o755)
    (sample.root / "link").symlink_to("dir")
    sample.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    (sample.root / "sub").mkdir()
    oid = sample.commit()
    expected = {
        "dir": (EntryKind.DIRECTORY, 0o040000, "tree"),
        "dir/file.py": (EntryKind.FILE, 0o100644, "blob"),
        "./dir//file.py": (EntryKind.FILE, 0o100644, "blob"),
        "run.sh": (EntryKind.EXECUTABLE, 0o100755, "blob"),
        "link": (EntryKind.SYMLINK, 0o120000, "blob"),
        "sub": (EntryKind.SUBMODULE, 0o160000, "commit"),
    }
    absent = ["link/file.py", "sub/x", "run.sh/x", "nothing", "", ".", "/dir", "dir/../dir", "dir\0", "DIR", "\ud800"]
    with sample.open() as repository:
        for path, (kind, mode, type_) in expected.items():
            entry = repository.entry(oid, path)
            assert entry is not None, path
            assert (entry.kind, entry.mode, entry.type) == (kind, mode, type_)
        for path in absent:
            assert repository.entry(oid, path) is None, path
        link = repository.entry(oid, "link")
        assert link is not None
        assert repository.blob(link.oid) == b"dir"


@pytest.mark.parametrize(
    "name", [b"-n", b"--output=canary", b"new\nline", b"caf\xc3\xa9 x", b"\xff\xfe", b"a:b", b"*?[", b":(top)x"]
)
def test_any_bytes_can_be_a_name(sample: Sample, name: bytes) -> None:
    sample.put(name, name + b"\n")
    oid = sample.commit()
    with sample.open() as repository:
        for spelt in (name, name.decode("utf-8", "surrogateescape")):
            entry = repository.entry(oid, spelt)
            assert entry is not None
            assert repository.blob(entry.oid) == name + b"\n"
        assert repository.find_lines(oid, git_lines(name), name)[0].path == name
        assert repository.last_change(name, 1, 1, oid) is None
        assert not repository.is_dirty(name)


def test_blobs_keep_their_bytes(sample: Sample) -> None:
    bodies = [b"", b"\n", b"no newline", b"\0\r\n\x0c", bytes(range(256)) * 5000]
    with sample.open() as repository:
        for body in bodies * 2:
            oid = sample.git("hash-object", "-w", "--stdin", given=body)
            assert repository.blob(oid) == body


def test_a_blob_over_the_limit_is_refused_and_the_next_one_read(sample: Sample) -> None:
    large = sample.git("hash-object", "-w", "--stdin", given=b"x" * 3_000_000)
    small = sample.git("hash-object", "-w", "--stdin", given=b"y" * 10)
    with sample.open() as repository:
        with pytest.raises(ObjectTooLarge) as caught:
            repository.blob(large, limit=1_000_000)
        assert (caught.value.oid, caught.value.size, caught.value.limit) == (large, 3_000_000, 1_000_000)
        assert repository.blob(small, limit=10) == b"y" * 10
        with pytest.raises(ObjectTooLarge):
            repository.blob(small, limit=9)
        assert len(repository.blob(large)) == 3_000_000


def test_a_request_is_an_id_and_nothing_else(sample: Sample) -> None:
    oid = sample.commit(a_txt=b"1\n")
    with sample.open() as repository:
        for request in ("HEAD", "main", oid[:10], oid.upper(), f"{oid}\n{oid}", f"{oid} x", "", "-n", "0" * 40):
            with pytest.raises(ObjectMissing):
                repository.commit(request)
            with pytest.raises(ObjectMissing):
                repository.blob(request)
        with pytest.raises(ObjectTypeMismatch, match="is a commit, not a blob"):
            repository.blob(oid)
        with pytest.raises(ObjectTypeMismatch):
            repository.commit(sample.git("rev-parse", "HEAD:a.txt"))
        assert repository.commit(oid).oid == oid


def test_a_forged_object_is_not_believed(sample: Sample) -> None:
    oid = sample.commit(a_txt=b"honest\n")
    blob = sample.git("rev-parse", "HEAD:a.txt")
    loose = sample.root / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(zlib.compress(b"blob 7\0forged\n"))
    assert sample.git("cat-file", "-p", blob) == "forged", "Git itself does not notice"
    with sample.open() as repository:
        with pytest.raises(ObjectCorrupt, match="does not hash"):
            repository.blob(blob)
        assert repository.entry(oid, "a.txt") is not None


def test_a_damaged_object_is_an_error_and_the_next_one_is_read(sample: Sample) -> None:
    sample.commit(a_txt=b"one\n", b_txt=b"two\n")
    blob = sample.git("rev-parse", "HEAD:a.txt")
    loose = sample.root / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"not zlib")
    with sample.open() as repository:
        with pytest.raises((ObjectCorrupt, ObjectMissing)):
            repository.blob(blob)
        assert repository.blob(sample.git("rev-parse", "HEAD:b.txt")) == b"two\n"


def test_borrowed_objects_are_read_and_told(sample: Sample, tmp_path: Path) -> None:
    oid = sample.commit(a_txt=b"lent\n")
    sample.git("clone", "-q", "--shared", ".", str(tmp_path / "borrower"))
    borrower = Sample.at(tmp_path / "borrower")
    alternates = borrower.root / ".git" / "objects" / "info" / "alternates"
    alternates.write_text("../../../repo/.git/objects\n")
    with borrower.open() as repository, sample.open() as lender:
        entry = repository.entry(oid, "a.txt")
        assert entry is not None
        assert repository.blob(entry.oid) == b"lent\n"
        assert repository.has_alternates
        assert not lender.has_alternates


SUBJECTS = [
    b"plain",
    b"two\nlines\n\nbody",
    b"\n\n  \n  leading blank lines kept apart\n",
    b"trailing space  \n  indented next \t\n\nbody",
    b"",
    b"\n",
    b"form\x0cfeed and \x0bVT",
    b"carriage\r\nreturn\r\n\r\nbody",
    "déjà vu — ≠".encode(),
]


@pytest.mark.parametrize("message", SUBJECTS)
def test_subjects_read_as_git_prints_them(sample: Sample, message: bytes) -> None:
    tree = sample.git("mktree")
    oid = sample.git("commit-tree", tree, given=message)
    printed = sample.run("log", "-1", "--format=%s", oid).stdout
    with sample.open() as repository:
        commit = repository.commit(oid)
    assert commit.subject.encode() + b"\n" == printed
    assert commit.subject_exact
    assert (commit.tree, commit.parents) == (tree, ())


@pytest.mark.parametrize(
    ("coding", "message", "subject", "exact"),
    [
        ("ISO-8859-1", b"caf\xe9", "café", True),
        ("Shift_JIS", "日本".encode("shift_jis"), "日本", True),
        ("", b"caf\xe9", "caf\ufffd", False),
        ("no-such-coding", b"plain", "plain", False),
        ("zlib", zlib.compress(b"x"), None, False),
        ("rot13", b"plain", "plain", False),
        ("punycode", b"plain-x", "plain-x", False),
    ],
)
def test_codings_of_messages(sample: Sample, coding: str, message: bytes, subject: str | None, exact: bool) -> None:
    tree = sample.git("mktree").encode()
    who = b"A <a@example.invalid> 1741000000 -0530"
    header = b"encoding %s\n" % coding.encode() if coding else b""
    data = b"tree %s\nauthor %s\ncommitter %s\n%s\n%s" % (tree, who, who, header, message)
    oid = sample.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=data)
    with sample.open() as repository:
        commit = repository.commit(oid)
    assert commit.subject_exact is exact
    if subject is not None:
        assert commit.subject == subject
    assert commit.committed_at is not None
    assert commit.committed_at.timestamp() == 1741000000
    assert commit.committed_at.utcoffset() == -timedelta(hours=5, minutes=30)


@pytest.mark.parametrize("date", [b"99999999999999999 +0000", b"soon", b"1741000000", b""])
def test_a_date_that_is_none_is_none(sample: Sample, date: bytes) -> None:
    tree = sample.git("mktree").encode()
    data = b"tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> %s\n\nx\n" % (tree, date)
    oid = sample.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=data)
    with sample.open() as repository:
        assert repository.commit(oid).committed_at is None


def test_merge_parents_come_in_order(sample: Sample) -> None:
    first = sample.commit(a_txt=b"1\n")
    sample.git("checkout", "-q", "-b", "side")
    side = sample.commit(b_txt=b"2\n")
    sample.git("checkout", "-q", "main")
    main = sample.commit(c_txt=b"3\n")
    sample.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    with sample.open() as repository:
        head = repository.head()
        assert head is not None
        assert repository.commit(head).parents == (main, side)
        assert repository.commit(main).parents == (first,)


@pytest.mark.parametrize("tree", [b"garbage", b"100644 name", b"100644 a\0short", b"10z644 a\0" + b"1" * 20])
def test_a_malformed_tree_is_corrupt(sample: Sample, tree: bytes) -> None:
    oid = sample.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=tree)
    commit = b"tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n" % oid.encode()
    made = sample.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=commit)
    with sample.open() as repository, pytest.raises(ObjectCorrupt):
        repository.entry(made, "a")


@given(st.lists(st.binary(max_size=6).map(lambda row: row.replace(b"\n", b"")), max_size=8), st.booleans())
def test_lines_end_at_line_feeds_alone(rows: list[bytes], ended: bool) -> None:
    data = b"\n".join(rows) + (b"\n" if ended and rows else b"")
    expected = [row.removesuffix(b"\r") for row in rows]
    if not ended and rows and not rows[-1]:
        expected.pop()
    assert git_lines(data) == expected


def test_lines_of_special_files() -> None:
    assert git_lines(b"") == []
    assert git_lines(b"\n") == [b""]
    assert git_lines(b"a\n\n") == [b"a", b""]
    assert git_lines(b"a\x0cb\x0bc\xc2\x85d\xe2\x80\xa8e\rf\r\r\n") == [b"a\x0cb\x0bc\xc2\x85d\xe2\x80\xa8e\rf\r"]


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 12345\n" % (b"ab" * 32)


def test_lfs_pointers() -> None:
    assert lfs_pointer(LFS) == LfsPointer("ab" * 32, 12345)
    extended = LFS.replace(b"\noid", b"\next-0-foo sha256:%s\noid" % (b"cd" * 32))
    assert lfs_pointer(extended) == LfsPointer("ab" * 32, 12345)
    for broken in (
        b"",
        LFS[:-1],
        LFS + b"trailing text\n" * 90,
        LFS.replace(b"sha256", b"md5"),
        LFS.replace(b"12345", b"-1"),
        LFS.replace(b"git-lfs.github.com", b"example.com"),
        LFS.replace(b"size", b"  "),
        b"version 2\n",
    ):
        assert lfs_pointer(broken) is None, broken


def test_the_cache_forgets_what_was_used_longest_ago() -> None:
    cache: WeightedCache[str, int] = WeightedCache(10)
    cache.put("a", 1, 4)
    cache.put("b", 2, 4)
    assert cache.get("a") == 1
    cache.put("c", 3, 4)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    cache.put("d", 4, 6)
    assert cache.get("d") is None


def test_every_path_of_a_commit_reads_as_git_lists_it(sample: Sample) -> None:
    for number in range(60):
        name = bytes({1 + (number * 37 + step * 11) % 255 for step in range(4)} - set(b"/"))
        sample.put(b"/".join([b"d%d" % (number % 5), name, b"f%d" % number]), name * number)
    oid = sample.commit()
    sample.git("gc", "-q")
    listed = sample.run("ls-tree", "-r", "-z", oid).stdout.split(b"\0")[:-1]
    assert len(listed) == 60
    with sample.open() as repository:
        for row in listed:
            described, _, path = row.partition(b"\t")
            mode, kind, blob = described.decode().split(" ")
            entry = repository.entry(oid, path)
            assert entry is not None
            assert (f"{entry.mode:06o}", entry.type, entry.oid) == (mode, kind, blob)
            assert repository.blob(blob) == sample.run("cat-file", "blob", blob).stdout
