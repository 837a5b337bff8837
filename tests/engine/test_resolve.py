from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from evidence_lint.engine.resolve import ProviderGraph, Values
from evidence_lint.errors import DefinitionError, Unavailable
from evidence_lint.model.policy import Policy
from evidence_lint.model.suppression import AfterRun
from evidence_lint.model.verdict import Problem
from evidence_lint.provide import Provider, provide
from tests.support.engine_support import NoteBundle, artifact, bundle_of, make_rule


@dataclass
class Words:
    words: list[str]


@dataclass
class Length:
    length: int


@dataclass
class Word:
    text: str


class OtherBundle(NoteBundle):
    pass


def graph(*providers: Provider) -> ProviderGraph:
    return ProviderGraph(providers, [NoteBundle], [Policy], [AfterRun])


def test_a_type_that_nothing_provides_is_named_with_rule_and_parameter() -> None:
    def check(note: NoteBundle, words: Words) -> Iterator[Problem]:
        yield from ()

    with pytest.raises(DefinitionError, match=r"rule NOTE101 \(note-bad\): parameter 'words' asks for Words"):
        graph().check([make_rule(check)])


def test_a_subject_that_nothing_provides_is_named() -> None:
    def check(word: Word) -> Iterator[Problem]:
        yield from ()

    with pytest.raises(DefinitionError, match="nothing provides its subject Word"):
        graph().check([make_rule(check)])


def test_a_provider_of_an_unknown_type_is_named() -> None:
    @provide
    def length(words: Words) -> Length:
        """Count."""
        return Length(len(words.words))

    with pytest.raises(DefinitionError, match=r"length: parameter 'words' asks for Words"):
        graph(length)


def test_a_circle_of_providers_is_shown() -> None:
    @provide
    def words(length: Length) -> Words:
        """Words."""
        return Words([])

    @provide
    def length(words: Words) -> Length:
        """Length."""
        return Length(0)

    with pytest.raises(DefinitionError, match=r"providers ask for each other: .*Words.* → .*Length"):
        graph(words, length)


def test_providers_of_the_same_name_are_no_circle() -> None:
    def make(kind: type, need: type) -> Provider:
        def same(value: object) -> object:
            """Same."""
            return kind([])

        same.__annotations__ = {"value": need, "return": kind}
        return provide(same)

    made = graph(make(Words, NoteBundle), make(Length, Words))
    assert made.provider(Length) is not None


def test_a_provider_of_the_run_sees_no_bundle() -> None:
    @provide(scope="run")
    def words(note: NoteBundle) -> Words:
        """Words."""
        return Words([])

    with pytest.raises(DefinitionError, match="belongs to a bundle, but the provider's scope is the run"):
        graph(words)


def test_a_provider_may_not_ask_for_what_is_known_after_the_run() -> None:
    @provide
    def words(after: AfterRun) -> Words:
        """Words."""
        return Words([])

    with pytest.raises(DefinitionError, match="known only after the run"):
        graph(words)


def test_values_are_made_once_a_bundle_and_once_a_run() -> None:
    calls: list[str] = []

    @provide(scope="run")
    def words(policy: Policy) -> Words:
        """Words."""
        calls.append("run")
        return Words(["a", "b"])

    @provide
    def length(words: Words, note: NoteBundle) -> Length:
        """Length."""
        calls.append("bundle")
        return Length(len(words.words))

    made = graph(words, length)
    run = Values(made, {Policy: Policy()})
    bundles = [Values(made, {NoteBundle: bundle_of(artifact("note", "x"))}, run) for _ in range(2)]
    lengths = [values.get(Length) for values in bundles for _ in range(3)]
    assert calls == ["run", "bundle", "bundle"]
    assert lengths[0] is lengths[2] is not lengths[3]


def test_an_error_is_kept_and_its_traceback_does_not_grow() -> None:
    calls: list[int] = []

    @provide
    def words(note: NoteBundle) -> Words:
        """Words."""
        calls.append(1)
        raise Unavailable("none", "no words here")

    @provide
    def length(words: Words) -> Length:
        """Length."""
        return Length(1)

    made = graph(words, length)
    values = Values(made, {NoteBundle: bundle_of(artifact("note", "x"))})
    depths: list[int] = []
    for _ in range(5):
        with pytest.raises(Unavailable, match="no words here") as caught:
            values.get(Length)
        depths.append(len(traceback.extract_tb(caught.value.__traceback__)))
    assert calls == [1]
    assert depths[1] == depths[4]


def test_a_provider_that_exits_the_program_is_only_a_broken_provider() -> None:
    @provide
    def words(note: NoteBundle) -> Words:
        """Words."""
        raise SystemExit(0)

    values = Values(graph(words), {NoteBundle: bundle_of(artifact("note", "x"))})
    for _ in range(2):
        with pytest.raises(SystemExit):
            values.get(Words)


def test_an_interrupt_is_not_kept() -> None:
    calls: list[int] = []

    @provide
    def words(note: NoteBundle) -> Words:
        """Words."""
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return Words(["a"])

    values = Values(graph(words), {NoteBundle: bundle_of(artifact("note", "x"))})
    with pytest.raises(KeyboardInterrupt):
        values.get(Words)
    assert values.get(Words) == Words(["a"])


def test_a_rule_applies_to_the_bundles_that_all_it_asks_for_comes_from() -> None:
    @provide
    def words(note: OtherBundle) -> Words:
        """Words."""
        return Words([])

    @provide
    def each(words: Words) -> Sequence[Word]:
        """Each word."""
        return []

    def check(word: Word, policy: Policy) -> Iterator[Problem]:
        yield from ()

    made = ProviderGraph([words, each], [NoteBundle, OtherBundle], [Policy])
    rule = make_rule(check)
    made.check([rule])
    assert made.bundle_types(rule) == {OtherBundle}
    assert made.subject_source(rule) == Sequence[Word]
    assert not made.applies(rule, bundle_of(artifact("note", "x")))


@pytest.mark.parametrize("kind", ["*words", "**words"])
def test_a_rule_takes_plain_parameters_only(kind: str) -> None:
    scope: dict[str, object] = {"NoteBundle": NoteBundle, "Words": Words}
    exec(f"def check(note: NoteBundle, {kind}: Words): yield from ()", scope)
    with pytest.raises(DefinitionError, match="is not a plain one"):
        make_rule(scope["check"])  # type: ignore[arg-type]
