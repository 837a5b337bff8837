from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evidence_lint.model.repository import Resolution
from evidence_lint.sources.git import GitRepository
from evidence_lint.sources.git_errors import GitFailed, ObjectMissing
from tests.sources.git_support import Sample


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path / "repo")


def object_id(kind: str, data: bytes) -> str:
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()


def commit_bytes(tree: str, number: int) -> bytes:
    who = b"A <a@example.invalid> 1741000000 +0000"
    return b"tree %s\nauthor %s\ncommitter %s\n\nnumber %d\n" % (tree.encode(), who, who, number)


@pytest.mark.parametrize(
    "digits", ["", "HEAD", "working-tree-unpinned", "abcdef", "g" * 7, "a" * 65, "abcdef1\n", "-n", "main"]
)
def test_what_is_no_pin(sample: Sample, digits: str) -> None:
    with sample.open() as repository:
        assert repository.resolve(digits).state is Resolution.NOT_A_PIN


def test_full_and_abbreviated_ids_in_either_case_are_one_commit(sample: Sample) -> None:
    oid = sample.commit(a_txt=b"1\n")
    with sample.open() as repository:
        for digits in (oid, oid[:7], oid[:7].upper(), oid.upper()):
            resolution = repository.resolve(digits)
            assert resolution.ok
            assert resolution.oid == oid
            assert resolution.digits == digits


def test_an_unknown_id(sample: Sample) -> None:
    sample.commit(a_txt=b"1\n")
    with sample.open() as repository:
        for digits in ("0" * 40, "0" * 7, "0" * 64):
            assert repository.resolve(digits).state is Resolution.NOT_FOUND


def test_blobs_trees_and_tag_objects_are_no_commits(sample: Sample) -> None:
    sample.commit(a_txt=b"1\n")
    sample.git("tag", "-a", "v1", "-m", "first")
    with sample.open() as repository:
        for name, kind in (("HEAD:a.txt", "blob"), ("HEAD^{tree}", "tree"), ("v1", "tag")):
            oid = sample.git("rev-parse", name)
            for digits in (oid, oid[:8]):
                resolution = repository.resolve(digits)
                assert resolution.state is Resolution.NOT_A_COMMIT
                assert resolution.candidates == ((oid, kind),)


@pytest.mark.parametrize("kinds", [("blob", "blob"), ("commit", "blob"), ("commit", "commit")])
def test_a_prefix_of_several_objects_is_ambiguous_whatever_they_are(sample: Sample, kinds: tuple[str, str]) -> None:
    sample.commit(a_txt=b"1\n")
    tree = sample.git("rev-parse", "HEAD^{tree}")

    def make(kind: str, number: int) -> bytes:
        return commit_bytes(tree, number) if kind == "commit" else b"blob %d\n" % number

    first = {object_id(kinds[0], make(kinds[0], number))[:7]: number for number in range(60_000)}
    pair = next(
        (first[prefix], number)
        for number in range(60_000, 200_000)
        if (prefix := object_id(kinds[1], make(kinds[1], number))[:7]) in first
    )
    oids = sorted(
        sample.git("hash-object", "-t", kind, "-w", "--stdin", given=make(kind, number))
        for kind, number in zip(kinds, pair, strict=True)
    )
    with sample.open() as repository:
        resolution = repository.resolve(oids[0][:7])
        assert resolution.state is Resolution.AMBIGUOUS
        assert [oid for oid, _ in resolution.candidates] == oids
        assert sorted(kind for _, kind in resolution.candidates) == sorted(kinds)


@pytest.mark.parametrize("name", ["refs/heads/abcdef1", "refs/tags/abcdef1", "refs/remotes/origin/abcdef1"])
def test_a_ref_named_like_an_id_is_a_label(sample: Sample, name: str) -> None:
    oid = sample.commit(a_txt=b"1\n")
    sample.git("update-ref", name, oid)
    with sample.open() as repository:
        for digits in ("abcdef1", "ABCDEF1"):
            resolution = repository.resolve(digits)
            assert resolution.state is Resolution.LABEL
            assert resolution.oid is None
            assert resolution.labels == (name,)


def test_a_ref_that_hides_a_commit_makes_its_abbreviation_a_label(sample: Sample) -> None:
    first = sample.commit(a_txt=b"1\n")
    second = sample.commit(a_txt=b"2\n")
    sample.git("tag", first[:8], second)
    assert sample.git("rev-parse", first[:8]) == second, "Git reads the tag"
    with sample.open() as repository:
        resolution = repository.resolve(first[:8])
        assert resolution.state is Resolution.LABEL
        assert resolution.candidates == ((first, "commit"),)
        assert repository.resolve(first[:9]).ok
        assert repository.resolve(first).ok


def test_a_branch_named_like_a_whole_id_does_not_hide_it(sample: Sample) -> None:
    first = sample.commit(a_txt=b"1\n")
    second = sample.commit(a_txt=b"2\n")
    sample.git("update-ref", f"refs/heads/{first}", second)
    sample.git("update-ref", "refs/heads/" + "1" * 40, second)
    with sample.open() as repository:
        assert repository.resolve(first).oid == first
        assert repository.resolve("1" * 40).state is Resolution.LABEL


def test_a_ref_named_by_its_own_commit_hides_nothing(sample: Sample) -> None:
    oid = sample.commit(a_txt=b"1\n")
    sample.git("branch", oid[:7])
    sample.git("tag", "-a", oid[:9], "-m", "annotated")
    with sample.open() as repository:
        assert repository.resolve(oid[:7]).oid == oid
        assert repository.resolve(oid[:9]).oid == oid


def test_a_shallow_clone_tells_that_the_commit_may_exist(sample: Sample, tmp_path: Path) -> None:
    old = sample.commit(a_txt=b"1\n")
    new = sample.commit(a_txt=b"2\n")
    sample.git("clone", "-q", "--depth=1", f"file://{sample.root}", str(tmp_path / "shallow"))
    with GitRepository.open(tmp_path / "shallow") as repository:
        assert repository.is_shallow
        assert repository.resolve(old).state is Resolution.ABSENT_SHALLOW
        assert repository.resolve(new).ok
        assert repository.reachable([new]) == {new}
        assert repository.commit(new).parents == (old,)
        with pytest.raises(ObjectMissing) as caught:
            repository.commit(old)
        assert caught.value.promised == "shallow"
    with sample.open() as repository:
        assert not repository.is_shallow


def test_a_partial_clone_misses_blobs_and_fetches_none(sample: Sample, tmp_path: Path) -> None:
    sample.git("config", "uploadpack.allowFilter", "true")
    old = sample.commit(a_txt=b"1\n")
    sample.commit(a_txt=b"2\n")
    clone = tmp_path / "partial"
    sample.git("clone", "-q", "--filter=blob:none", f"file://{sample.root}", str(clone))
    with GitRepository.open(clone) as repository:
        assert repository.is_partial
        assert not repository.is_shallow
        entry = repository.entry(old, "a.txt")
        assert entry is not None
        with pytest.raises(ObjectMissing, match="partial clone") as caught:
            repository.blob(entry.oid)
        assert caught.value.promised == "partial"
        assert repository.resolve("0" * 40).state is Resolution.ABSENT_PARTIAL
        assert repository.find_lines(old, [b"1"], "a.txt") == ()
        assert not repository.is_dirty()
    assert Sample.at(clone).git("cat-file", "-p", entry.oid) == "1", "Git itself would have fetched it"


def test_reachability_by_every_kind_of_ref(sample: Sample) -> None:
    base = sample.commit(a_txt=b"0\n")
    tree = sample.git("rev-parse", "HEAD^{tree}")

    def loose(message: str) -> str:
        return sample.git("commit-tree", tree, "-p", base, "-m", message)

    tagged, annotated, remote, dangling, replaced = map(loose, ("t", "a", "r", "d", "x"))
    sample.git("tag", "light", tagged)
    sample.git("tag", "-a", "heavy", "-m", "m", annotated)
    sample.git("tag", "-a", "heavier", "-m", "m", "heavy")
    sample.git("tag", "a-tree", tree)
    sample.git("update-ref", "refs/remotes/origin/x", remote)
    sample.git("update-ref", f"refs/replace/{base}", replaced)
    sample.git("pack-refs", "--all")
    every = [base, tagged, annotated, remote, dangling, replaced, tree, "0" * 40, "nonsense"]
    with sample.open() as repository:
        assert repository.reachable(every) == {base, tagged, annotated, remote}
        assert repository.reachable([dangling]) == frozenset()
        assert repository.reachable([base]) == {base}


def test_reachability_holds_where_commit_dates_are_out_of_order(sample: Sample) -> None:
    chain = []
    for tick in (1_900_000_000, 1_000_000_000, 1_800_000_000, 1_100_000_000):
        sample.tick = tick
        chain.append(sample.commit(a_txt=b"%d\n" % tick))
    with sample.open() as repository:
        assert repository.reachable(chain) == frozenset(chain)


def test_broken_refs_do_not_stop_the_walk(sample: Sample) -> None:
    first = sample.commit(a_txt=b"1\n")
    sample.commit(a_txt=b"2\n")
    heads = sample.root / ".git" / "refs" / "heads"
    (heads / "gone").write_text("1" * 40 + "\n")
    for number in range(3000):
        (heads / f"noise{number}").write_text("garbage\n")
    with sample.open() as repository:
        assert repository.reachable([first]) == {first}


def test_a_clone_that_is_shallow_and_partial_says_both(sample: Sample, tmp_path: Path) -> None:
    sample.git("config", "uploadpack.allowFilter", "true")
    old = sample.commit(a_txt=b"1\n")
    head = sample.commit(a_txt=b"2\n")
    clone = tmp_path / "clone"
    url = f"file://{sample.root}"
    sample.git("clone", "-q", "--no-checkout", "--depth=1", "--filter=blob:none", url, str(clone))
    with GitRepository.open(clone) as repository:
        assert repository.resolve(old).state is Resolution.ABSENT_SHALLOW
        entry = repository.entry(head, "a.txt")
        assert entry is not None
        with pytest.raises(ObjectMissing, match="shallow and partial clone"):
            repository.blob(entry.oid)


def test_an_unreachable_id_that_a_missing_parent_hides_is_an_error(sample: Sample) -> None:
    first = sample.commit(a_txt=b"1\n")
    sample.commit(a_txt=b"2\n")
    third = sample.commit(a_txt=b"3\n")
    second = sample.git("rev-parse", "HEAD~1")
    (sample.root / ".git" / "objects" / second[:2] / second[2:]).unlink()
    with sample.open() as repository:
        assert repository.reachable([third]) == {third}
        with pytest.raises(GitFailed, match="rev-list"):
            repository.reachable([first])
