from __future__ import annotations

import pytest

from evidence_lint.witness.alignment import align, aligned, content_words


@pytest.mark.parametrize(
    ("claim", "excerpt", "enough"),
    [
        ("The service retains audit logs for 30 days", "Audit logs are kept for 30 days", True),
        ("The service retains audit logs for 30 days", "Bananas are rich in potassium", False),
        ("The service retains audit logs for 30 days", "the logs", False),
        ("Tokens expire", "a token expires after one hour", True),
        ("It is what it is", "anything", True),
        ("Python", "Python is a language", True),
        ("Python", "Ruby is a language", False),
        ("数据不会被长期保留在服务器", "服务器上的数据将被长期保留", True),
        ("数据不会被长期保留在服务器", "香蕉富含钾元素", False),
        (" ".join(f"w{n}" for n in range(12)), "w1 w2", False),
        (" ".join(f"w{n}" for n in range(12)), "w1 w2 w3", True),
    ],
)
def test_alignment(claim: str, excerpt: str, enough: bool) -> None:
    assert aligned(claim, excerpt) is enough


def test_content_words() -> None:
    assert content_words("The user's tokens and the class's bus") == {"user", "token", "class", "bus"}
    assert content_words("数据保留") == {"数据", "据保", "保留"}
    result = align("rate limits apply", "the rate limit")
    assert result.shared == {"rate", "limit"}
    assert result.sufficient


@pytest.mark.parametrize(
    ("claim", "excerpt", "enough"),
    [
        (
            "Revenue rose by a quarter (25 percent), from 1,200 million to 1,500 million dollars, in fiscal 2023.",
            "Revenue rose from $1.2 billion to $1.5 billion, a 25% increase, in FY2023.",
            True,
        ),
        ("Laut Bericht ist das Gerät ‚nicht für den Dauerbetrieb‘ gedacht.", "nicht für den Dauerbetrieb", True),
        ("Port 8080.", "El servidor escucha el puerto 8080.", True),
        ("Port 8080.", "El servidor escucha el puerto 9090.", False),
        ("The bank keeps all of the records for a year.", "银行将所有记录保存一年。", True),
        ("The bank keeps all of the records for a year.", "Bananas are rich in the salts of potassium.", False),
        ("The session expires after idling.", "Idle sessions are expired by the server.", True),
    ],
)
def test_numbers_quotations_languages_and_forms_of_words(claim: str, excerpt: str, enough: bool) -> None:
    assert aligned(claim, excerpt) is enough
