from __future__ import annotations

import pytest

from evidence_lint.witness.doi import (
    contains_doi,
    dois_in,
    is_well_formed,
    malformed_dois_in,
    normalize_doi,
    same_doi,
)


@pytest.mark.parametrize(
    "doi",
    ["10.1000/182", "10.123456789/x", "doi:10.1038/nature12373", "https://doi.org/10.1000/ABC(1)2-3",
     "http://dx.doi.org/10.1000/a;b", "10.1002/(SICI)1097<1::AID>3.0.CO;2-X", "DOI: 10.1000/182"],
)  # fmt: skip
def test_well_formed(doi: str) -> None:
    assert is_well_formed(doi)


@pytest.mark.parametrize(
    "doi",
    ["", "10.123/x", "10.1234567890/x", "10.1000/", "10.1000", "11.1000/x", "10.1000/a b", "x10.1000/a", "10.10a0/x"],
)
def test_not_well_formed(doi: str) -> None:
    assert not is_well_formed(doi)


def test_equality() -> None:
    assert same_doi("doi:10.1000/ABC", "https://doi.org/10.1000/abc")
    assert same_doi("https://doi.org/10.1000/a%28b%29", "10.1000/A(b)")
    assert not same_doi("10.1000/abc", "10.1000/abcd")
    assert not same_doi("bad", "bad")
    assert normalize_doi(" doi: https://doi.org/10.1000/X?nosfx#y ") == "10.1000/x"


def test_in_text() -> None:
    text = "See (doi:10.1000/ABC(1)), 10.1000/xyz. Also https://doi.org/10.1000/abc(1); not 110.1000/zz or 10.12/q."
    assert dois_in(text) == ("10.1000/abc(1)", "10.1000/xyz")
    assert contains_doi(text, "https://doi.org/10.1000/XYZ")
    assert not contains_doi(text, "10.1000/xy")
    assert dois_in("参见10.1000/abc。下文") == ("10.1000/abc",)


def test_malformed_in_text() -> None:
    assert malformed_dois_in("doi:10.12/x and https://doi.org/abc, doi: 10.1000/ok.") == ("10.12/x", "abc")
    assert malformed_dois_in("nothing here") == ()
