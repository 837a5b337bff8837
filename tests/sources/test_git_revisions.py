"""What a revision that the user names means: one thing, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_lint.sources.git import GitRepository
from evidence_lint.sources.git_refs import AmbiguousRevision, Revision
from tests.support.repositories import Builder


@pytest.fixture
def built(tmp_path: Path) -> Builder:
    builder = Builder(tmp_path / "repo")
    builder.commit({"a.txt": "one"})
    builder.commit({"a.txt": "two"})
    builder.git("tag", "-a", "-m", "first", "v1", "HEAD~1")
    builder.git("update-ref", "refs/remotes/origin/main", "HEAD")
    builder.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    return builder


@pytest.fixture
def repository(built: Builder) -> Iterator[GitRepository]:
    with GitRepository.open(built.root) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("main", "refs/heads/main"),
        ("heads/main", "refs/heads/main"),
        ("refs/heads/main", "refs/heads/main"),
        ("origin/main", "refs/remotes/origin/main"),
        ("origin", "refs/remotes/origin/HEAD"),
        ("HEAD", "HEAD"),
        ("@", "HEAD"),
        ("HEAD~1", "HEAD~1"),
        ("main^", "refs/heads/main^"),
        ("v1", "refs/tags/v1"),
        ("v1^{commit}", "refs/tags/v1^{commit}"),
        ("v1^{}", "refs/tags/v1^{}"),
    ],
)
def test_names_mean_what_git_says(built: Builder, repository: GitRepository, name: str, full: str) -> None:
    assert repository.revision(name) == Revision(full, built.git("rev-parse", f"{name}^{{commit}}"))


@pytest.mark.parametrize("length", [4, 7, 12, 40])
def test_ids_may_be_short(built: Builder, repository: GitRepository, length: int) -> None:
    head = built.git("rev-parse", "HEAD")
    assert repository.revision(head[:length].upper()) == Revision(head, head)
    assert repository.revision(f"v1-1-g{head[:length]}") == Revision(head, head)


@pytest.mark.parametrize(
    "name",
    ["", "-x", "--all", "nothing", "main:a.txt", "main..v1", ":/change", "HEAD^{/change}", "HEAD~9", "a\0b", "@{u}",
     "main@{1}", "refs/heads/no", "f" * 40, "0" * 40, "^main", "main lax", "FETCH_HEAD", "objects", "config"],
)  # fmt: skip
def test_what_means_nothing(repository: GitRepository, name: str) -> None:
    assert repository.revision(name) is None


def test_a_branch_named_like_a_commit(built: Builder) -> None:
    head = built.git("rev-parse", "HEAD")
    built.git("update-ref", f"refs/heads/{head[:8]}", "HEAD~1")
    built.git("update-ref", f"refs/tags/{head}", "HEAD~1")
    with GitRepository.open(built.root) as repository:
        with pytest.raises(AmbiguousRevision, match=f"{head}, refs/heads/{head[:8]}"):
            repository.revision(head[:8])
        assert repository.revision(head) == Revision(head, head), "a whole id is an id to Git as well"
        assert repository.revision(f"refs/heads/{head[:8]}~0") is not None


def test_a_ref_that_spells_out_another_does_not_stand_before_it(built: Builder) -> None:
    built.git("tag", "refs/remotes/origin/main", "v1")
    built.git("update-ref", "refs/heads/refs/remotes/origin/main", "v1^{commit}")
    with GitRepository.open(built.root) as repository:
        head = built.git("rev-parse", "HEAD")
        assert repository.revision("refs/remotes/origin/main") == Revision("refs/remotes/origin/main", head)
        with pytest.raises(AmbiguousRevision, match="refs/tags/heads/main"):
            built.git("tag", "heads/main", "v1")
            with GitRepository.open(built.root) as again:
                again.revision("heads/main~1")
