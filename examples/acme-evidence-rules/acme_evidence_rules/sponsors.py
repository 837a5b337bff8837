"""Which of the retrieved pages are sponsored: a value of our own, provided to our rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.location import Location
from evidence_lint.provide import provide
from evidence_lint.witness.urls import normalize_url

_NO_SPONSOR = frozenset({"", "-", "no", "none", "none known", "unknown", "not applicable"})


@dataclass(frozen=True, slots=True)
class Sponsorship:
    """What a row of results.json says about who pays for a page, and where it says so."""

    statement: str
    location: Location


@dataclass(frozen=True, slots=True)
class Sponsors:
    """The sponsored pages of a bundle, by normalised URL."""

    by_url: Mapping[str, Sponsorship]

    def of(self, url: str) -> Sponsorship | None:
        """The sponsorship of the page at ``url``, or None when its row declares none."""
        key = normalize_url(url)
        return None if key is None else self.by_url.get(key)


@provide
def sponsors(bundle: ResearchBundle) -> Sponsors:
    """The pages that results.json declares as sponsored."""
    found: dict[str, Sponsorship] = {}
    for row in bundle.records.results:
        if row.value is None:
            continue
        statement = (row.value.sponsorship or "").strip()
        key = normalize_url(row.value.url) if isinstance(row.value.url, str) else None
        if key is not None and statement.casefold() not in _NO_SPONSOR:
            found[key] = Sponsorship(statement, row.at("sponsorship"))
    return Sponsors(found)
