"""Digital object identifiers (chapter 7; WEB110, WEB111): ``10.``, 4 to 9 digits, a slash and a suffix.

The contract's form is tighter than what general identifier packages accept, so a pattern is all that is needed.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_PREFIX = re.compile(r"(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|doi\s*:\s*)", re.I)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\x00-\x1f\x7f]+")
_CLAIMED = re.compile(r"(?:doi\.org/|\bdoi\s*:\s*)(?P<doi>[^\s\"<>“”]+)", re.I)
_IN_TEXT = re.compile(r"(?<![\d.])10\.\d{4,9}/[^\s\"<>“”‘’«»「」，。；、（）【】]+")
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_LONGEST = 2048


def normalize_doi(text: str) -> str:
    """Return a DOI without resolver or ``doi:`` prefix, in lower case: two DOIs are equal when these are."""
    bare = text.strip()[:_LONGEST]
    while prefix := _PREFIX.match(bare):
        resolved = "/" in prefix[0]
        bare = bare[prefix.end() :]
        if resolved:
            bare = unquote(bare.partition("#")[0].partition("?")[0])
    return bare.strip().lower()


def is_well_formed(text: str) -> bool:
    """Tell whether *text*, prefix aside, has the form of a DOI."""
    return len(text) <= _LONGEST and _DOI.fullmatch(normalize_doi(text)) is not None


def same_doi(one: str, other: str) -> bool:
    """Tell whether two texts are the same well-formed DOI; letters compare without case."""
    return is_well_formed(one) and normalize_doi(one) == normalize_doi(other)


def dois_in(text: str) -> tuple[str, ...]:
    """Return the distinct well-formed DOIs of a text, normalised and in order, without prose punctuation."""
    found = (normalize_doi(_trim(match[0])) for match in _IN_TEXT.finditer(text))
    return tuple(dict.fromkeys(doi for doi in found if _DOI.fullmatch(doi)))


def malformed_dois_in(text: str) -> tuple[str, ...]:
    """Return what a text presents as a DOI (``doi:`` or the resolver before it) but that has not the form of one."""
    claimed = (_trim(match["doi"]) for match in _CLAIMED.finditer(text))
    return tuple(dict.fromkeys(doi for doi in claimed if doi and not is_well_formed(doi)))


def contains_doi(text: str, doi: str) -> bool:
    """Tell whether a text holds exactly this DOI, not merely a longer one that begins with it."""
    return is_well_formed(doi) and normalize_doi(doi) in dois_in(text)


def _trim(text: str) -> str:
    """Drop punctuation of the prose around a DOI; a closing bracket stays when the DOI opened it."""
    while text:
        last = text[-1]
        opener = _CLOSERS.get(last)
        if last in ".,;:!?'*_`…" or (opener and text.count(last) > text.count(opener)):
            text = text[:-1]
        else:
            break
    return text
