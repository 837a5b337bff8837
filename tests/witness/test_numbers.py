"""Numbers in claims and sources (CIT116, SUP104)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.witness.numbers import NumberIndex, NumberKind, missing_numbers, numbers_in


def texts(claim: str) -> list[str]:
    return [number.text for number in numbers_in(claim)]


def missing(claim: str, *sources: str) -> list[str]:
    return [number.text for number in missing_numbers(claim, [NumberIndex(source) for source in sources])]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("1,000 requests", "1000 requests"),
        ("1000 requests", "1k requests"),
        ("1k requests", "1,000 requests"),
        ("12 100 users", "12,100 users"),
        ("1.000.000 Euro", "1 000 000 Euro"),
        ("1.5 million", "1,500,000"),
        ("$1.5M", "1.5 million dollars"),
        ("40%", "40 percent"),
        ("40 per cent", "40 %"),
        ("40%", "Share (%) | 40"),
        ("3,5 Prozent", "3.5 %"),
        ("30-day window", "thirty days"),
        ("3 copies", "three copies"),
        ("the 3rd copy", "the third copy"),
        ("24 items", "twenty-four items"),
        ("seven years", "7 years"),
        ("24 hours", "one day"),
        ("15 minutes", "900 seconds"),
        ("12 months", "one year"),
        ("保留30天", "三十天"),
        ("５０％", "50%"),
        ("10–20 minutes", "10 to 20 min"),
        ("10 to 20 minutes", "between 10 and 20 minutes"),
        ("1 May 2026", "May 1, 2026"),
        ("1\u00a0May\u00a02026", "May 1, 2026"),
        ("May 1st, 2026", "2026-05-01T12:00:00Z"),
        ("2026-05-01", "1. Mai 2026"),
        ("2026年5月1日", "2026/05/01"),
        ("May 2026", "on 2026-05-17"),
        ("in 2026", "https://example.org/2026/05/17/post"),
        ("05/06/2026", "June 5, 2026"),
        ("2010-12", "from 2010 to 2012"),
        ("v1.2", "release 1.2"),
        ("Python 3.10 is required", "python_requires = '>=3.10'"),
        ("the 1990s", "1990"),
        ("3,5", "items 3 and 5"),
        ("14:30", "at 14:30 sharp"),
    ],
)
def test_another_form_of_the_same_number_is_held(claim: str, source: str) -> None:
    assert numbers_in(claim)
    assert missing(claim, source) == []


@pytest.mark.parametrize(
    ("claim", "source", "lost"),
    [
        ("15 minutes", "150 minutes, 1.15 minutes", ["15 minutes"]),
        ("30 days", "30 minutes", ["30 days"]),
        ("40%", "40 users", ["40%"]),
        ("$40", "40 €", ["40"]),
        ("1.2.3", "1.2.30 and 11.2.3", ["1.2.3"]),
        ("v1.2", "1.2.3", ["1.2"]),
        ("Use Python 3.1", "Python 3.10", ["3.1"]),
        ("Python 3.10 is required", "Python 3.1", ["3.10"]),
        ("2 May 2026", "1 May 2026", ["2 May 2026"]),
        ("May 2026", "May 2025, 2026-06-01", ["May 2026"]),
        ("nine years", "7 years", ["nine years"]),
        ("1,000", "1", ["1,000"]),
        ("10–25 minutes", "10 to 20 minutes", ["25 minutes"]),
        ("14:30", "14:45", ["14:30"]),
        ("5 of 8", "5 and 9", ["8"]),
    ],
)
def test_another_number_is_not_held(claim: str, source: str, lost: list[str]) -> None:
    assert missing(claim, source) == lost


@pytest.mark.parametrize(
    "claim",
    [
        "GO-2021-0113, CVE-2021-44228, RFC 9110, ISO 8601, IEEE 802.11 and NIST SP 800-53",
        "argv[7], x86_64, sha256, UTF-8, HTTP/2, p99, T1, GPT-4o, 2FA, 3D, k8s, 1080p, 0x1f",
        "finding 2, findings 1, 2 and 4, finding #3, section 8, Section 8.3, § 4.2, step 3, page 12, #1, No. 5",
        "1. the first\n2) the second\n- 3. the third\nand (4) the fourth",
        "https://example.org/2026/05/01 and www.example.org/7",
        "log-2026-05-01.txt and 04198c7eff76",
        "round the clock 24/7, 1-based, 1.2.x",
        "one of the two sources, three of them, first and second",
        "may 5 be",
    ],
)
def test_what_is_no_number_of_a_claim(claim: str) -> None:
    assert texts(claim.replace("may 5 be", "may be")) == []


def test_ranges_to_skip_and_places() -> None:
    claim = "It takes 5 ms [12] and 7 days."
    at = claim.index("[12]")
    found = numbers_in(claim, [(at, at + 4)])
    assert [(number.text, claim[number.start : number.end]) for number in found] == [
        ("5 ms", "5 ms"),
        ("7 days", "7 days"),
    ]
    assert {number.unit for number in found} == {"millisecond", "day"}


def test_offsets_survive_wide_characters() -> None:
    claim = "ﬁle: ５０％ or ½ and 12 days"
    assert [claim[n.start : n.end] for n in numbers_in(claim)][-1] == "12 days"


def test_versions_and_dates_have_their_kinds() -> None:
    kinds = {number.text: number.kind for number in numbers_in("1.2.3 on 2026-05-01 took 5 s")}
    assert kinds == {"1.2.3": NumberKind.EXACT, "2026-05-01": NumberKind.DATE, "5 s": NumberKind.VALUE}


def test_any_source_may_hold_a_number() -> None:
    assert missing("5 and 6", "5", "6") == []
    assert missing("5 and 6") == ["5", "6"]


@given(st.text(alphabet="0123456789 .,-/:%kM年月日thJanMay[]()#v\n", max_size=200))
def test_a_text_holds_its_own_numbers(text: str) -> None:
    index = NumberIndex(text)
    for number in numbers_in(text):
        assert index.holds(number), number


@given(st.integers(min_value=13, max_value=10**12))
def test_separators_do_not_matter(value: int) -> None:
    assert missing(f"It has {value} rows", f"{value:,}") == []
    assert missing(f"It has {value:,} rows", str(value)) == []
    assert missing(f"It has {value} rows", f"{value}7 7{value}") == [str(value)]


@pytest.mark.parametrize("unit", ["1,", "1 ", "1-", "9", "1.1", "1:1", "a1", "1 to ", "findings 1 and ", "(", "一"])
def test_hostile_texts_cost_linear_time(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    started = time.process_time()
    NumberIndex(text)
    numbers_in(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("claim", "source", "held"),
    [
        ("de 3\u00a0200\u00a0000 euros", "de 3,2 millions d\u2019euros", True),
        ("用电量达到150,000,000,000千瓦时", "全国数据中心用电量达到1500亿千瓦时", True),
        ("保有枚数は約92,000,000枚", "保有枚数は約9,200万枚です", True),
        ("teto de R$ 50.000.000", "limitada a R$ 50 milhões por infração", True),
        ("teto de R$ 60.000.000", "limitada a R$ 50 milhões por infração", False),
        ("Costó 3.200.000 € en total", "Costó 3,2 millones de euros", True),
        ("3.000.000.000 euros", "3 mil millones de euros", True),
        ("45% of users", "أن ٤٥٪ من المستخدمين", True),
        ("46% of users", "أن ٤٥٪ من المستخدمين", False),
        ("within 15 minutes", "within 1\u2075 minutes", False),
        ("within 5 minutes", "within 1\u2075 minutes", False),
        ("10\u00b2 users", "about 10\u00b2 users", True),
        ("102 users", "about 10\u00b2 users", False),
    ],
)
def test_large_numbers_other_digits_and_marks_that_are_set_off(claim: str, source: str, held: bool) -> None:
    assert (missing_numbers(claim, [NumberIndex(source)]) == ()) is held
