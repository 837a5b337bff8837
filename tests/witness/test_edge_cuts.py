from __future__ import annotations

import pytest

from evidence_lint.witness.excerpts import EdgeCut, PageText


def cut(text: str, excerpt: str) -> EdgeCut | None:
    page = PageText(text)
    match = page.find(excerpt)
    assert match is not None
    return page.edge_cut(match)


@pytest.mark.parametrize(
    ("text", "excerpt", "kind", "words", "side"),
    [
        ("The lessor is not permitted to end it.", "permitted to end it", "negation", "not", "before"),
        ("It shall not be permitted to end it.", "permitted to end it", "negation", "not", "before"),
        ("It does not yet support that.", "support that", "negation", "not", "before"),
        ("Users don\u2019t have to pay fees.", "have to pay fees", "negation", "don\u2019t", "before"),
        ("The data is not kept.", "The data is", "negation", "not", "after"),
        ("The data is not kept.", "The data", "negation", "not", "after"),
        ("The data isn't kept.", "The data", "negation", "isn't", "after"),
        ("The lessor may end it unless he agreed.", "The lessor may end it", "exception", "unless", "after"),
        ("The lessor may end it, except in winter.", "The lessor may end it", "exception", "except", "after"),
        ("Logs are kept only if you ask.", "Logs are kept", "condition", "only if", "after"),
        ("Ask whether the lessor may end it.", "the lessor may end it", "condition", "whether", "before"),
        ("Unless it rains, the game is on.", "the game is on.", "exception", "Unless it rains,", "before"),
        ("We raised 5 million dollars.", "We raised 5", "quantity", "million", "after"),
        ("It needs \u2265 16 GB of memory.", "16 GB of memory", "quantity", "\u2265", "before"),
        (
            "\u8be5\u6570\u636e\u4e0d\u4f1a\u88ab\u4fdd\u7559\u3002",
            "\u4f1a\u88ab\u4fdd\u7559",
            "negation",
            "\u4e0d",
            "before",
        ),
        (
            "\u8be5\u6570\u636e\u4e0d\u4f1a\u88ab\u4fdd\u7559\u3002",
            "\u8be5\u6570\u636e",
            "negation",
            "\u4e0d\u4f1a",
            "after",
        ),
        (
            "\u6570\u636e\u4f1a\u88ab\u4fdd\u7559\uff0c\u9664\u975e\u7528\u6237\u53cd\u5bf9\u3002",
            "\u6570\u636e\u4f1a\u88ab\u4fdd\u7559",
            "exception",
            "\u9664\u975e",
            "after",
        ),
        (
            "\u5982\u679c\u7528\u6237\u540c\u610f\uff0c\u6570\u636e\u4f1a\u88ab\u4fdd\u7559\u3002",
            "\u6570\u636e\u4f1a\u88ab\u4fdd\u7559",
            "condition",
            "\u5982\u679c\u7528\u6237\u540c\u610f\uff0c",
            "before",
        ),
        ("Die Daten werden nicht gespeichert und gel\u00f6scht.", "Die Daten werden", "negation", "nicht", "after"),
    ],
)
def test_cut(text: str, excerpt: str, kind: str, words: str, side: str) -> None:
    found = cut(text, excerpt)
    assert found is not None
    assert (found.kind, found.words, found.side) == (kind, words, side)
    assert text[found.start : found.end] == words


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("It is not so. The lessor may end it.", "The lessor may end it."),
        ("The lessor may end it. Not so the tenant.", "The lessor may end it."),
        ("The lessor may end it. Not so the tenant.", "The lessor may end it"),
        ("It is not only fast but cheap.", "fast but cheap"),
        ("It is not only fast but cheap.", "only fast but cheap"),
        ("No, the lessor may end it.", "the lessor may end it"),
        ("The lessor may end it, not the lessee.", "The lessor may end it"),
        ("See table No. 5 for more.", "See table"),
        ("Not\nPermitted to end it", "Permitted to end it"),
        ("Never\n\nthe lessor may end it", "the lessor may end it"),
        ("We do not know. Yet the data is kept safe", "the data is kept safe"),
        ("\u6027\u80fd\u7279\u522b\u9002\u7528\u4e8e\u5927\u6570\u636e", "\u9002\u7528\u4e8e\u5927\u6570\u636e"),
        ("The notable tenant pays the rent", "tenant pays the rent"),
        ("The tenant pays. If he is late; the lessor may end it", "the lessor may end it"),
        ("is not permitted to end it, yet permitted to end it here", "permitted to end it"),
        ("Delivery is no later than Monday", "later than Monday"),
    ],
)
def test_no_false_alarm(text: str, excerpt: str) -> None:
    assert cut(text, excerpt) is None


def test_a_loose_match_is_not_judged() -> None:
    page = PageText("it is not permit-\nted to end it")
    match = page.find("permitted to end it")
    assert match is not None
    assert page.edge_cut(match) is None
