"""What a reader sees of saved content that is raw markup."""

from __future__ import annotations

import time

import pytest

from evidence_lint.witness.page_markup import read_markup

WORDS = "Words that nobody ever sees"


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!-- {WORDS} -->",
        f"<!-- {WORDS}",
        f"<script>var x = '{WORDS}';</script>",
        f"<style>p:after {{content: '{WORDS}'}}</style>",
        f"<template>{WORDS}</template>",
        f"<p hidden>{WORDS}</p>",
        f'<div style="display: none"><div>Inner</div>{WORDS}</div>',
        f'<p style="opacity:0">{WORDS}</p>',
        f'<meta name="description" content="{WORDS}">',
        f'<input type="hidden" value="{WORDS}">',
    ],
)
@pytest.mark.parametrize("frame", ["<!DOCTYPE html><html><body><p>Seen.</p>{}", "Seen. {}"])
def test_hidden_words_are_not_seen(hidden: str, frame: str) -> None:
    markup = read_markup(frame.format(hidden))
    assert markup is not None
    assert WORDS not in markup.visible
    assert WORDS in markup.unseen
    assert "Seen." in markup.visible


def test_what_follows_a_hidden_element_is_seen() -> None:
    markup = read_markup("<html><p hidden>Aside.<p>This <b>is</b> &amp; stays</p><span hidden>x</span> seen")
    assert markup is not None
    assert "This is & stays" in markup.visible
    assert markup.visible.endswith(" seen")
    assert "Aside." in markup.unseen


@pytest.mark.parametrize(
    "text",
    [
        "Plain text with 3 < 4 and no markup",
        f"In HTML a comment is written <!-- {WORDS} -->",
        f"Use `hidden`: <p hidden>{WORDS}</p>",
    ],
)
def test_text_is_no_markup(text: str) -> None:
    assert read_markup(text) is None


@pytest.mark.parametrize("piece", ["<a '", "<!--", "<p hidden>", "<script>", '<a "x', "<"])
def test_hostile_markup_is_read_in_linear_time(piece: str) -> None:
    text = "<html>" + piece * (1_000_000 // len(piece))
    start = time.perf_counter()
    read_markup(text)
    assert time.perf_counter() - start < 10
