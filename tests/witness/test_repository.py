from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.sources.git import GitRepository
from evidence_lint.witness.repository import (
    CodeEvidence,
    CommitEvidence,
    RepositoryFault,
    examine_code,
    examine_commits,
)
from tests.support.repositories import Builder, records_of

F = RepositoryFault

APP = "LIMIT = 3\n\n\ndef over(count):\n    return count > LIMIT\n"
APP_LATER = "# limits\nLIMIT = 4\n\n\ndef over(count):\n    return count > LIMIT\n"
LATIN = "# -*- coding: latin-1 -*-\nNAME = 'café'\n\ndef hello():\n    return NAME\n".encode("latin-1")


class Fixture:
    """Two commits on main, and one that nothing reaches."""

    def __init__(self, folder: Path) -> None:
        self.git = Builder(folder)
        self.git.put("app/limits.py", APP)
        self.git.put("app/naïve name.py", "print('ü')\n")
        self.git.put("feed.c", "int a;\n\x0c\nint b\u2028c;\n")
        self.git.put("crlf.txt", b"one\r\ntwo\r\nthree")
        self.git.put("latin.py", LATIN)
        self.git.put(
            "undeclared.txt", "Über die Größe der Straßen in München läßt sich streiten.\n".encode("cp1252") * 3
        )
        self.git.put("wide.txt", "first\r\nzweite Zeile\n".encode("utf-16"))
        self.git.put("marked.py", b"\xef\xbb\xbfimport os\n")
        self.git.put("binary.bin", b"\x00\x01\xff\xfe\n" * 4)
        self.git.put("empty.txt", "")
        self.git.put("big.dat", f"version https://git-lfs.github.com/spec/v1\noid sha256:{'ab' * 32}\nsize 999\n")
        self.git.link("link.py", "app/limits.py")
        self.git.link("linked", "app")
        self.first = self.git.commit(message="feat: limits")
        self.git.git("update-index", "--add", "--cacheinfo", f"160000,{self.first},vendor/lib")
        self.git.git("commit", "-q", "-m", "chore: vendor")
        self.vendored = self.git.git("rev-parse", "HEAD")
        self.git.git("rm", "-q", "--cached", "vendor/lib")
        self.head = self.git.commit({"app/limits.py": APP_LATER}, "feat: raise the limit")
        self.lost = self.git.git("commit-tree", f"{self.first}^{{tree}}", "-p", self.first, "-m", "wip: lost")
        self.git.git("branch", "abcdef1", self.first)
        self.repository: GitRepository = self.git.open()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fixture]:
    made = Fixture(tmp_path_factory.mktemp("repository") / "demo")
    with made.repository:
        yield made


def record(commit: JSON, path: JSON = "app/limits.py", line: JSON = 1, excerpt: JSON = "LIMIT = 3") -> JSON:
    return {"id": "code-1", "kind": "code", "path": path, "line": line, "excerpt": excerpt, "commit": commit}


def look(repository: GitRepository | Unavailable, *rows: JSON, root: JSON = "/srv/checkout") -> list[CodeEvidence]:
    records, claims = records_of(list(rows), root=root)
    return list(examine_code(records, claims, repository))


def faults(evidence: CodeEvidence | CommitEvidence) -> list[RepositoryFault]:
    return [diagnosis.fault for diagnosis in evidence.diagnoses]


def one(repository: GitRepository | Unavailable, row: JSON, **rest: JSON) -> CodeEvidence:
    (evidence,) = look(repository, row, **rest)
    return evidence


class TestPinned:
    def test_the_exact_line_holds(self, sample: Fixture) -> None:
        found = one(sample.repository, record(sample.first))
        assert found.verified_and_pinned
        assert (found.commit_id, found.lines, found.path) == (sample.first, (1, 1), "app/limits.py")
        assert found.blob_window == APP.removesuffix("\n")

    @pytest.mark.parametrize("spelt", [lambda oid: oid[:9], str.upper, lambda oid: f" {oid}\n"])
    def test_an_abbreviation_and_upper_case_are_the_same_commit(self, sample: Fixture, spelt) -> None:
        assert one(sample.repository, record(spelt(sample.first))).commit_id == sample.first

    @pytest.mark.parametrize(
        ("path", "line", "excerpt"),
        [
            ("app/limits.py", 4, "def over(count):\n    return count > LIMIT"),
            ("app/limits.py", 4, "def over(count):\r\n    return count > LIMIT\r\n"),
            ("app/limits.py", "4", "def over(count):"),
            ("./app//limits.py", 1, "LIMIT = 3\n"),
            ("app/naïve name.py", 1, "print('ü')"),
            ("feed.c", 3, "int b\u2028c;"),
            ("feed.c", 2, "\x0c\nint b\u2028c;"),
            ("crlf.txt", 2, "two\nthree"),
            ("latin.py", 2, "NAME = 'café'"),
            ("latin.py", 4, "def hello():"),
            ("undeclared.txt", 2, "Über die Größe der Straßen in München läßt sich streiten."),
            ("wide.txt", 2, "zweite Zeile"),
            ("marked.py", 1, "import os"),
            ("marked.py", 1, "\ufeffimport os"),
            ("link.py", 1, "app/limits.py"),
            ("app/limits.py", 2, "\n\ndef over(count):"),
        ],
    )
    def test_honest_excerpts(self, sample: Fixture, path: str, line: JSON, excerpt: str) -> None:
        found = one(sample.repository, record(sample.first, path, line, excerpt))
        assert not found.diagnoses
        assert found.verified_and_pinned

    @pytest.mark.parametrize(
        ("path", "line", "excerpt", "words"),
        [
            ("app/limits.py", 1, "LIMIT = 4", "is not line 1 of app/limits.py at commit"),
            ("app/limits.py", 1, "limit = 3", "letter case"),
            ("app/limits.py", 5, "return count > LIMIT", "white space at the ends"),
            ("app/limits.py", 1, "LIMIT =  3", "differs in white space"),
            ("app/limits.py", 5, "    return count", "a part of the line"),
            ("app/limits.py", 4, "def over(count):\n    return True", "lines 4–5"),
            ("latin.py", 1, "NAME = 'café'", "is not line 1"),
            ("link.py", 1, "LIMIT = 3", "never followed"),
            ("big.dat", 1, "LIMIT = 3", "Git LFS pointer to 999 bytes"),
            ("wide.txt", 1, "zweite Zeile", "is not line 1"),
        ],
    )
    def test_wrong_excerpts(self, sample: Fixture, path: str, line: int, excerpt: str, words: str) -> None:
        (diagnosis,) = one(sample.repository, record(sample.first, path, line, excerpt)).diagnoses
        assert diagnosis.fault in (F.EXCERPT_MISMATCH, F.LINE_OUT_OF_RANGE)
        assert words in diagnosis.message

    def test_it_says_where_the_excerpt_stands(self, sample: Fixture) -> None:
        here, at_head, other = look(
            sample.repository,
            record(sample.first, line=2),
            record(sample.first, line=2, excerpt="LIMIT = 4"),
            record(sample.first, path="app/naïve name.py", excerpt="def over(count):"),
        )
        assert here.diagnoses[0].elsewhere == ("app/limits.py:1",)
        assert at_head.diagnoses[0].elsewhere == (f"app/limits.py:2 @ {sample.head[:12]} (HEAD)",)
        assert "app/limits.py:4" in other.diagnoses[0].elsewhere
        assert here.diagnoses[0].found == ("",)
        assert "app/limits.py:1" in here.diagnoses[0].help

    def test_lines_beyond_the_end(self, sample: Fixture) -> None:
        (diagnosis,) = one(sample.repository, record(sample.first, line=6)).diagnoses
        assert diagnosis.fault is F.LINE_OUT_OF_RANGE
        assert "has 5 lines" in diagnosis.message
        assert diagnosis.found[-1] == "    return count > LIMIT"

    def test_an_empty_file_has_no_line_1(self, sample: Fixture) -> None:
        (diagnosis,) = one(sample.repository, record(sample.first, "empty.txt")).diagnoses
        assert (diagnosis.fault, "is empty" in diagnosis.message) == (F.LINE_OUT_OF_RANGE, True)

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            ("app/limit.py", "there is no file app/limit.py"),
            ("app", "is a folder"),
            ("linked/limits.py", "linked is a symbolic link"),
            ("app/limits.py/x", "app/limits.py is a file"),
        ],
    )
    def test_what_is_no_file(self, sample: Fixture, path: str, words: str) -> None:
        (diagnosis,) = one(sample.repository, record(sample.first, path)).diagnoses
        assert diagnosis.fault is F.BLOB_NOT_FOUND
        assert words in diagnosis.message

    @pytest.mark.parametrize("path", ["vendor/lib", "vendor/lib/x.py"])
    def test_a_submodule_is_named(self, sample: Fixture, path: str) -> None:
        (diagnosis,) = one(sample.repository, record(sample.vendored, path)).diagnoses
        assert (diagnosis.fault, "vendor/lib is a submodule" in diagnosis.message) == (F.BLOB_NOT_FOUND, True)

    def test_a_file_that_is_no_text(self, sample: Fixture) -> None:
        assert faults(one(sample.repository, record(sample.first, "binary.bin"))) == [F.PATH_UNREADABLE]

    @pytest.mark.parametrize(
        ("commit", "fault"),
        [("feedface" * 5, F.COMMIT_NOT_FOUND), ("a" * 64, F.COMMIT_NOT_FOUND), ("abcdef1", F.LABEL_AMBIGUOUS)],
    )
    def test_what_pins_no_commit(self, sample: Fixture, commit: str, fault: RepositoryFault) -> None:
        found = one(sample.repository, record(commit))
        assert (faults(found), found.pinned, found.commit_id) == ([fault], True, None)

    def test_the_id_of_a_tree_is_no_commit(self, sample: Fixture) -> None:
        (diagnosis,) = one(sample.repository, record(sample.git.tree())).diagnoses
        assert (diagnosis.fault, "folder" in diagnosis.message) == (F.COMMIT_NOT_FOUND, True)

    def test_a_commit_that_no_ref_reaches(self, sample: Fixture) -> None:
        lost, kept = look(sample.repository, record(sample.lost), record(sample.first))
        assert (lost.verified, lost.unreachable, kept.unreachable) == (True, True, False)

    def test_lines_that_changed_since(self, sample: Fixture) -> None:
        old, moved, now = look(
            sample.repository,
            record(sample.first),
            record(sample.first, line=4, excerpt="def over(count):"),
            record(sample.head, line=2, excerpt="LIMIT = 4"),
        )
        assert (old.head_lines, old.moved_to, old.changed_by) == (("# limits",), None, sample.head)
        assert (moved.head_lines, moved.moved_to, moved.changed_by) == (("",), 5, sample.head)
        assert (now.head_lines, now.changed_by) == (None, None)


class TestUnpinned:
    @pytest.mark.parametrize("label", ["working-tree-unpinned", "HEAD", "v1", "04198c", "", None, 7])
    def test_labels_read_the_work_tree(self, sample: Fixture, label: JSON) -> None:
        found = one(sample.repository, record(label, line=2, excerpt="LIMIT = 4"))
        assert (found.verified, found.pinned, found.verified_and_pinned) == (True, False, False)
        assert faults(one(sample.repository, record(label))) == [F.EXCERPT_MISMATCH]

    @pytest.mark.parametrize(
        ("path", "fault"),
        [
            ("app/none.py", F.PATH_NOT_FOUND),
            ("app", F.PATH_NOT_FOUND),
            ("linked/limits.py", F.PATH_NOT_FOUND),
            ("binary.bin", F.PATH_UNREADABLE),
            ("../demo/app/limits.py", F.PATH_ESCAPE),
        ],
    )
    def test_files_that_do_not_serve(self, sample: Fixture, path: str, fault: RepositoryFault) -> None:
        assert faults(one(sample.repository, record("HEAD", path, excerpt="LIMIT = 5"))) == [fault]

    def test_links_out_of_the_work_tree_are_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "secret.txt").write_text("token\n")
        git = Builder(tmp_path / "demo")
        git.commit({"a.txt": "a\n"})
        git.link("out.txt", "../secret.txt")
        with git.open() as repository:
            found = one(repository, record("HEAD", "out.txt", excerpt="token"))
        assert faults(found) == [F.PATH_ESCAPE]
        assert not found.diagnoses[0].found


class TestFields:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            " ",
            None,
            7,
            [],
            "/app/limits.py",
            "..",
            "a/../b",
            ".",
            "./",
            ".git/config",
            "x/.GIT/y",
            "a\0b",
            "\ud800",
        ],
    )
    def test_paths(self, sample: Fixture, path: JSON) -> None:
        assert faults(one(sample.repository, record(sample.first, path))) == [F.PATH_ESCAPE]

    @pytest.mark.parametrize("line", [0, -1, None, True, 1.5, "x", "", [], {}, "1e3", "9" * 40])
    def test_lines(self, sample: Fixture, line: JSON) -> None:
        assert faults(one(sample.repository, record(sample.first, line=line))) == [F.LINE_OUT_OF_RANGE]

    @pytest.mark.parametrize("excerpt", ["", " \n ", None, 7, []])
    def test_excerpts(self, sample: Fixture, excerpt: JSON) -> None:
        found = one(sample.repository, record(sample.first, excerpt=excerpt))
        assert faults(found) == [F.INCOMPLETE]

    def test_lone_surrogates_compare_and_do_not_match(self, sample: Fixture) -> None:
        assert faults(one(sample.repository, record(sample.first, excerpt="\ud83d"))) == [F.EXCERPT_MISMATCH]

    def test_every_fault_of_a_record_is_told(self, sample: Fixture) -> None:
        found = one(sample.repository, {"kind": "code", "commit": "feedface" * 5})
        assert faults(found) == [F.PATH_ESCAPE, F.INCOMPLETE, F.LINE_OUT_OF_RANGE, F.COMMIT_NOT_FOUND]
        assert (found.id, found.lines, found.node) == ("", None, "code@/evidence/0")

    @settings(max_examples=60, deadline=None)
    @given(
        path=st.one_of(st.text(max_size=12), st.sampled_from(["app/limits.py", "feed.c", "binary.bin", "big.dat"])),
        line=st.one_of(st.integers(-2, 9), st.text(max_size=3), st.none()),
        excerpt=st.one_of(st.text(max_size=20), st.sampled_from(["LIMIT = 3", "int a;"])),
        commit=st.one_of(st.text(max_size=9), st.text("0123456789abcdefABCDEF", max_size=70), st.none()),
        pinned=st.booleans(),
    )
    def test_nothing_raises_and_only_what_stands_there_holds(
        self, sample: Fixture, path: str, line: JSON, excerpt: str, commit: JSON, pinned: bool
    ) -> None:
        found = one(sample.repository, record(sample.first if pinned else commit, path, line, excerpt))
        if found.verified:
            assert excerpt.strip()
            assert found.lines is not None
            assert excerpt.rstrip("\n") in found.blob_window or found.path == "binary.bin"


class TestRoot:
    def test_no_checkout(self) -> None:
        found = one(Unavailable("no-checkout", "no work tree"), record("HEAD"))
        assert faults(found) == [F.ROOT_NOT_FOUND]
        assert "no work tree" in found.diagnoses[0].message

    @pytest.mark.parametrize("root", [None, "", "  "])
    def test_no_declared_root(self, sample: Fixture, root: JSON) -> None:
        assert faults(one(sample.repository, record(sample.first), root=root)) == [F.ROOT_MISSING]
        assert faults(one(Unavailable("x", "y"), record(sample.first), root=root)) == [F.ROOT_MISSING]

    def test_a_foreign_root_is_a_mere_name(self, sample: Fixture) -> None:
        assert one(sample.repository, record(sample.first), root="/etc").verified

    @pytest.mark.parametrize("label", [True, False])
    def test_a_sub_directory_resolves_every_path_from_the_same_place(self, tmp_path: Path, label: bool) -> None:
        git = Builder(tmp_path / "demo")
        oid = git.commit({"web/app/a.py": "inner\n", "a.py": "outer\n", "app/a.py": "middle\n"})
        commit = "HEAD" if label else oid
        with git.open() as repository:
            for root, excerpt, path in [
                ("/srv/demo/web/app", "inner", "a.py"),
                ("/srv/demo/web", "inner", "app/a.py"),
                ("/srv/demo", "outer", "a.py"),
                ("/srv/app", "outer", "a.py"),
                (str(git.root / "web"), "inner", "app/a.py"),
            ]:
                found = one(repository, record(commit, path, 1, excerpt), root=root)
                assert (found.verified, found.path) == (True, path), root
            assert faults(one(repository, record(commit, "a.py", 1, "none"), root="/srv/demo/web/app"))


class TestClones:
    def test_a_shallow_clone_is_named(self, sample: Fixture, tmp_path: Path) -> None:
        sample.git.git("clone", "-q", "--depth", "1", f"file://{sample.git.root}", str(tmp_path / "shallow"))
        with GitRepository.open(tmp_path / "shallow") as repository:
            (diagnosis,) = one(repository, record(sample.first)).diagnoses
        assert diagnosis.fault is F.COMMIT_NOT_FOUND
        assert "shallow clone" in diagnosis.message
        assert "fetch-depth: 0" in diagnosis.help

    def test_a_partial_clone_is_named(self, sample: Fixture, tmp_path: Path) -> None:
        sample.git.git("config", "uploadpack.allowFilter", "true")
        source, target = f"file://{sample.git.root}", str(tmp_path / "partial")
        sample.git.git("clone", "-q", "--filter=blob:none", "--no-checkout", source, target)
        with GitRepository.open(tmp_path / "partial") as repository:
            (diagnosis,) = one(repository, record(sample.first)).diagnoses
        assert diagnosis.fault is F.BLOB_NOT_FOUND
        assert "left out of this partial clone" in diagnosis.message


class TestCommits:
    def look(self, sample: Fixture, commit: JSON, subject: JSON = "feat: limits") -> CommitEvidence:
        row: JSON = {"id": "commit-1", "kind": "commit", "commit": commit, "subject": subject}
        finding: JSON = {"title": "t", "evidence": [{"kind": "commit", "id": "commit-1"}]}
        records, claims = records_of([row], findings=[finding])
        (found,) = examine_commits(records, claims, sample.repository)
        assert len(found.cited_by) == 1
        return found

    def test_a_commit_and_its_subject(self, sample: Fixture) -> None:
        found = self.look(sample, sample.first[:12].upper())
        assert (found.verified, found.commit_id, found.subject) == (True, sample.first, "feat: limits")

    @pytest.mark.parametrize("commit", ["HEAD", "main", "", None, 1234567, [], "feedface" * 5])
    def test_labels_and_strangers(self, sample: Fixture, commit: JSON) -> None:
        assert faults(self.look(sample, commit)) == [F.COMMIT_NOT_FOUND]

    def test_a_branch_named_like_an_id(self, sample: Fixture) -> None:
        assert faults(self.look(sample, "abcdef1")) == [F.LABEL_AMBIGUOUS]

    @pytest.mark.parametrize("subject", ["feat: limit", "Feat: limits", "", None, 7, "feat: limits\n\nmore"])
    def test_another_subject(self, sample: Fixture, subject: JSON) -> None:
        (diagnosis,) = self.look(sample, sample.first, subject).diagnoses
        assert (diagnosis.fault, diagnosis.found) == (F.SUBJECT_MISMATCH, ("feat: limits",))

    def test_unreachable(self, sample: Fixture) -> None:
        assert self.look(sample, sample.lost, "wip: lost").unreachable

    def test_no_checkout(self) -> None:
        records, claims = records_of([{"id": "c", "kind": "commit", "commit": "a" * 40, "subject": "s"}])
        (found,) = examine_commits(records, claims, Unavailable("no-checkout", "none"))
        assert faults(found) == [F.ROOT_NOT_FOUND]


def test_many_records_of_a_few_files_are_quick(sample: Fixture) -> None:
    rows = [
        record(sample.first, line=number % 5 + 1, excerpt=APP.split("\n")[number % 5] or " ") for number in range(3000)
    ]
    found = look(sample.repository, *rows)
    assert [evidence.row.number for evidence in found] == list(range(1, 3001))
    assert sum(evidence.verified for evidence in found) == 1800


class TestDamage:
    """What Git cannot read is a fault of its own kind, never a pass and never an exception."""

    def damaged(self, tmp_path: Path, *, blob: bool) -> tuple[Builder, str]:
        git = Builder(tmp_path / "demo")
        old = git.commit({"a.txt": "one\n"})
        git.commit({"a.txt": "two\n"})
        oid = git.git("rev-parse", f"{old}:a.txt") if blob else old
        place = git.root / ".git" / "objects" / oid[:2] / oid[2:]
        place.chmod(0o644)
        forged = zlib.decompress(place.read_bytes()).replace(
            b"one" if blob else b"change", b"six" if blob else b"forged"
        )
        place.write_bytes(zlib.compress(forged))
        return git, old

    def test_a_damaged_blob(self, tmp_path: Path) -> None:
        git, old = self.damaged(tmp_path, blob=True)
        with git.open() as repository:
            assert faults(one(repository, record(old, "a.txt", 1, "one"))) == [F.PATH_UNREADABLE]

    def test_a_damaged_commit(self, tmp_path: Path) -> None:
        git, old = self.damaged(tmp_path, blob=False)
        row: JSON = {"id": "commit-1", "kind": "commit", "commit": old, "subject": "change"}
        records, claims = records_of([row])
        with git.open() as repository:
            found = one(repository, record(old, "a.txt", 1, "one"))
            (commit,) = examine_commits(records, claims, repository)
        assert faults(found) == [F.PATH_UNREADABLE]
        assert faults(commit) == [F.COMMIT_UNREADABLE]

    def test_a_blob_that_is_gone(self, tmp_path: Path) -> None:
        git, old = self.damaged(tmp_path, blob=True)
        oid = git.git("ls-tree", old, "a.txt").split()[2]
        (git.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
        with git.open() as repository:
            (diagnosis,) = one(repository, record(old, "a.txt", 1, "one")).diagnoses
        assert diagnosis.fault is F.BLOB_NOT_FOUND
        assert "damaged" in diagnosis.message

    def test_a_message_that_is_not_valid_in_its_coding(self, tmp_path: Path) -> None:
        git = Builder(tmp_path / "demo")
        git.commit({"a.txt": "one\n"})
        who = b"F <f@example.org> 1735700000 +0000"
        body = b"tree %s\nauthor %s\ncommitter %s\n\ncaf\xe9 opens\n" % (git.tree().encode(), who, who)
        (tmp_path / "commit").write_bytes(body)
        oid = git.git("hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
        records, claims = records_of([{"id": "c", "kind": "commit", "commit": oid, "subject": "café opens"}])
        with git.open() as repository:
            (found,) = examine_commits(records, claims, repository)
        assert faults(found) == [F.COMMIT_UNREADABLE]
