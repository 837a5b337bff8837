"""Jumps: from a citation to its entry, from an entry to its records, between records, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evidence_lint.lsp.lookup import Found, Lookup
from evidence_lint.model.location import Location


def definitions(found: Found, lookup: Lookup) -> list[Location]:
    """Where what stands at a place is defined."""
    return _distinct(_definitions(found, lookup))


def _definitions(found: Found, lookup: Lookup) -> Iterator[Location]:
    if found.citation is not None:
        yield from (target.location for target in found.targets)
    elif found.unit is not None:
        yield from (row.location for row in found.rows)
    elif found.claim is not None and found.stated is not None:
        # The two sides of one finding: each leads to the other.
        in_report = found.location.artifact == found.stated.location.artifact
        yield found.claim.location if in_report else found.stated.location
    elif found.rows and found.targets and found.location == found.targets[0].location:
        yield from (row.location for row in found.rows)
    elif found.rows:
        yield from (target.location for target in found.targets)


def references(found: Found, lookup: Lookup, *, declaration: bool) -> list[Location]:
    """Where a source is used: the citations of its entry, and the evidence entries that name its records.

    With ``declaration`` also the entry and the records.
    """
    return _distinct(_references(found, lookup, declaration=declaration))


def _references(found: Found, lookup: Lookup, *, declaration: bool) -> Iterator[Location]:
    if not found.targets and not found.rows:
        return
    if declaration:
        yield from (target.location for target in found.targets)
        yield from (row.location for row in found.rows)
    yield from (citation.location for citation in lookup.citations_of([target.entry for target in found.targets]))
    yield from (unit.ref.location for unit in lookup.units_naming(found.rows))


def _distinct(locations: Iterable[Location]) -> list[Location]:
    return list(dict.fromkeys(locations))
