"""The polarity screen on hand-made pairs, and what it must do with texts that are made to break it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.witness.clauses import clauses, vocabulary
from evidence_lint.witness.polarity import polarity_conflicts
from evidence_lint.witness.sentence_tokens import sentences, stem

PAIRS: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parent / "data" / "polarity_pairs.json").read_text(encoding="utf-8")
)


def test_no_alarm_on_a_supported_pair() -> None:
    assert [pair for pair in PAIRS["supported"] if polarity_conflicts(*pair)] == []


def test_a_plain_contradiction_is_found_in_both_directions() -> None:
    missed = [
        pair
        for claim, excerpt in PAIRS["contradicting"]
        for pair in ((claim, excerpt), (excerpt, claim))
        if not polarity_conflicts(*pair)
    ]
    assert missed == []


@pytest.mark.parametrize(("claim", "excerpt"), PAIRS["opposite_words"])
def test_agreement_in_opposite_words_is_flagged_and_needs_an_attestation(claim: str, excerpt: str) -> None:
    assert polarity_conflicts(claim, excerpt)


def test_there_are_enough_pairs_of_both_languages() -> None:
    for kind in ("supported", "contradicting"):
        chinese = sum("\u4e00" <= claim[0] <= "\u9fff" for claim, _ in PAIRS[kind])
        assert len(PAIRS[kind]) >= 60 <= len(PAIRS[kind]) - chinese
        assert chinese >= 20


@pytest.mark.parametrize("kind", PAIRS)
def test_a_sentence_never_contradicts_itself(kind: str) -> None:
    texts = {text for pair in PAIRS[kind] for text in pair}
    assert [text for text in texts if polarity_conflicts(text, f"{text} (as read on the page)")] == []
    assert [text for text in texts if polarity_conflicts(f"A word before it. {text}", text)] == []


def test_every_shared_phrase_counts_not_only_the_longest() -> None:
    claim = "The service encrypts all customer data at rest in every region and does not retain prompts."
    excerpt = "The service encrypts all customer data at rest in every region and permanently retains prompts."
    (conflict,) = polarity_conflicts(claim, excerpt)
    assert "retain" in conflict.phrase
    assert "encrypts" not in conflict.phrase
    assert conflict.denied_by_claim


def test_who_denies_is_told() -> None:
    (conflict,) = polarity_conflicts("The archive keeps deleted records.", "The archive does not keep deleted records.")
    assert (conflict.phrase, conflict.denied_by_claim) == ("archive keeps deleted records", False)


def test_a_claim_with_both_readings_agrees_with_either() -> None:
    claim = "Version 1 keeps deleted records. Version 2 does not keep deleted records."
    assert polarity_conflicts(claim, "Version 2 does not keep deleted records.") == ()
    assert polarity_conflicts(claim, "Version 1 keeps deleted records.") == ()


def test_one_shared_word_is_no_phrase() -> None:
    assert polarity_conflicts("It is encrypted.", "That was never encrypted.") == ()


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        ("The check `if not ready` guards the write path.", "The check guards the write path."),
        ("The write path is guarded.", "`!ready` and `not open` guard the write path."),
    ],
)
def test_code_denies_nothing(claim: str, excerpt: str) -> None:
    assert polarity_conflicts(claim, excerpt) == ()


def test_a_denial_in_code_marks_alone_is_a_word() -> None:
    assert polarity_conflicts("The archive keeps old records.", "The archive does `not` keep old records.")


def test_a_private_character_hides_no_denial() -> None:
    excerpt = "The archive does \ue000not keep old records."
    assert polarity_conflicts("The archive keeps old records.", excerpt)


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
def test_contractions_in_any_typography(apostrophe: str) -> None:
    assert polarity_conflicts("The archive keeps old records.", f"The archive doesn{apostrophe}t keep old records.")


def test_questions_assert_nothing() -> None:
    assert polarity_conflicts("Does the archive keep old records? It was asked.", "It does not keep old records.") == ()


def test_a_line_break_is_no_border_but_a_list_item_is() -> None:
    wrapped = "The archive does not\nkeep old records of visitors."
    assert polarity_conflicts("The archive keeps old records.", wrapped)
    listed = "It does not\n- sell visitor data\n\nThe archive keeps old records."
    assert polarity_conflicts("The archive keeps old records.", listed) == ()


def test_a_language_without_a_table_is_never_accused() -> None:
    assert polarity_conflicts("Das Archiv bewahrt alte Akten auf.", "Das Archiv bewahrt alte Akten nicht auf.") == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("retains", "retained"), ("stores", "storing"), ("copies", "copied"), ("logs", "logged"), ("cache", "caches"),
        ("process", "processes"), ("exceed", "exceeds"), ("encryption", "encrypted"), ("validation", "validates"),
    ],
)  # fmt: skip
def test_stems_join_the_forms_of_a_word(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_stems_keep_short_and_foreign_words() -> None:
    assert [stem(word) for word in ("bus", "api", "v2.1", "größe")] == ["bus", "api", "v2.1", "größe"]


def test_signs_of_a_clause() -> None:
    (clause,) = clauses("The archive works without a licence key.", vocabulary("anything"))
    assert dict(zip(clause.shown, clause.signs, strict=True)) == {
        "archive": True, "works": True, "licence": False, "key": False,
    }  # fmt: skip


def test_abbreviations_end_no_sentence() -> None:
    assert len(sentences("Some tools, e.g. the old ones, keep records. Others do not.")) == 2
    assert len(sentences("Does it keep records? No. The archive drops them, as rule no. 5 says.")) == 2


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        ("not alpha beta gamma " * 4000, "alpha beta gamma " * 5000),
        ("不保留用户数据" * 6000, "保留用户数据，" * 6000),
        ("(" * 30000, "`" * 30000),
        ("x`y`" * 9000, "x`y` not " * 9000),
        ("alpha beta, and it is " * 4000, "that not which " * 6000),
        ("-a" * 30000, "alpha beta and " * 9000),
    ],
)
def test_hostile_texts_cost_little(claim: str, excerpt: str) -> None:
    started = time.process_time()
    polarity_conflicts(claim, excerpt)
    assert time.process_time() - started < 10


_VOCABULARY = """
the archive keeps old records not never no without and or but , . ; ( ) ` if when only unless does is it
不 没有 保留 数据 ，
"""
_WORDS = st.sampled_from(_VOCABULARY.split())


@given(st.lists(_WORDS, max_size=30), st.lists(_WORDS, max_size=30))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read(one: list[str], other: list[str]) -> None:
    claim, excerpt = " ".join(one), " ".join(other)
    assert polarity_conflicts(claim, excerpt) == polarity_conflicts(claim, excerpt)
    assert polarity_conflicts(claim, claim) == ()


def test_a_denial_counts_beside_the_same_condition_on_both_sides() -> None:
    stated = "The scheduler retries a failed job unless the operator stops it."
    assert polarity_conflicts(stated.replace("retries", "never retries"), stated)
    assert not polarity_conflicts(stated, stated)
    only_with = "The scheduler retries a failed job only if the operator asks for it."
    assert not polarity_conflicts(
        "The scheduler does not retry a failed job unless the operator asks for it.", only_with
    )
