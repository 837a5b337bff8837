"""Comparing what an entry shows with its record, after normalisation (CIT108)."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

from evidence_lint.model.location import Location
from evidence_lint.model.records import CodeRecord, CommitRecord, ReceiptRecord, Row
from evidence_lint.model.report import Shown, SourceEntry
from evidence_lint.witness.code_claims import is_pin, read_code_claim
from evidence_lint.witness.paths import read_path
from evidence_lint.witness.urls import normalize_url

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SPACE = re.compile(r"\s+")
_CUT = re.compile(r"\s*(?:\[?(?:\.\.\.|…)\]?)$")
_UNPINNED = re.compile(
    r"(?:work(?:ing)?[-_ ]?tree.*|unpinned|worktree|none|null|unknown|n/?a|-+|uncommitted|working)", re.I
)
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{1,2000})\]\(\s{0,4}(?P<url><[^<>\n]{1,2000}>|[^\s<>()]{1,2000}(?:\([^\s()]{0,200}\)[^\s<>()]{0,500})?)"
    r"|<a\s[^<>\n]{0,500}?\bhref\s*=\s*[\"']?(?P<href>[^\s\"'<>]{1,2000})[^<>\n]{0,500}>(?P<inner>[^<>\n]{1,2000})</a>",
    re.IGNORECASE,
)
_URL_TEXT = re.compile(r"(?:https?://|www\.)\S+\Z", re.IGNORECASE)
_SCHEME = re.compile(r"^https?://(?:www\.)?", re.IGNORECASE)
_LONGEST_LINKED = 20_000
_SHORTEST_CUT = 3


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A field that an entry shows and its record holds otherwise."""

    field: str
    shown: Shown
    expected: str
    record: Location


def link_mismatches(entry: SourceEntry) -> list[tuple[str, str]]:
    """Links of an entry whose text is a URL other than the one that they lead to: what is read, what is followed."""
    found: list[tuple[str, str]] = []
    for match in _LINK.finditer(entry.text[:_LONGEST_LINKED]):
        shown = _ESCAPE.sub(r"\1", html.unescape(match["text"] or match["inner"] or "")).strip("<>`*_ \t")
        target = html.unescape(match["url"] or match["href"] or "").strip("<>")
        if _URL_TEXT.match(shown) and not _same_url(shown, target):
            found.append((shown, target))
    return found


def _same_url(shown: str, target: str) -> bool:
    """Whether a URL text is that of its link: the scheme aside, in any encoding, perhaps cut with an ellipsis."""
    one, other = (unquote(_bare_url(url)) for url in (shown, target))
    cut = _CUT.sub("", one)
    return one == other or (cut != one and len(cut) >= _SHORTEST_CUT and other.startswith(cut))


def _bare_url(url: str) -> str:
    plain = normalize_url(url if "://" in url else f"https://{url}") or url
    return _SCHEME.sub("", plain).removesuffix("/")


def code_mismatches(entry: SourceEntry, row: Row[CodeRecord]) -> list[Mismatch]:
    """Path, line, excerpt and commit of a code entry."""
    claim = read_code_claim(row)
    found: list[Mismatch] = []
    path = read_path(entry.path.value) if entry.path is not None else None
    if entry.path is not None and claim.path and not _same_path(path, entry.path.value, claim.path):
        found.append(Mismatch("path", entry.path, claim.path, row.at("path")))
    if entry.line is not None and claim.line and not _same_lines(entry.line.value, claim.line, claim.last):
        lines = str(claim.line) if claim.last <= claim.line else f"{claim.line}-{claim.last}"
        found.append(Mismatch("line", entry.line, lines, row.at("line")))
    if entry.excerpt is not None and claim.text.strip() and not same_text(entry.excerpt.value, claim.text):
        found.append(Mismatch("excerpt", entry.excerpt, claim.text, row.at("excerpt")))
    if entry.commit is not None and not same_commit(entry.commit.value, claim.commit):
        found.append(Mismatch("commit", entry.commit, claim.commit or "unpinned", row.at("commit")))
    return found


def commit_mismatches(entry: SourceEntry, row: Row[CommitRecord]) -> list[Mismatch]:
    """Object id and subject of a commit entry."""
    value = row.value
    found: list[Mismatch] = []
    if value is None:
        return found
    if entry.commit is not None and isinstance(value.commit, str) and not same_commit(entry.commit.value, value.commit):
        found.append(Mismatch("commit", entry.commit, value.commit, row.at("commit")))
    if (
        entry.subject is not None
        and isinstance(value.subject, str)
        and not same_text(entry.subject.value, value.subject)
    ):
        found.append(Mismatch("subject", entry.subject, value.subject, row.at("subject")))
    return found


def receipt_mismatches(entry: SourceEntry, row: Row[ReceiptRecord]) -> list[Mismatch]:
    """Status, exit code and commit of a test entry."""
    value = row.value
    found: list[Mismatch] = []
    if value is None:
        return found
    if entry.status is not None and isinstance(value.status, str) and _word(entry.status.value) != _word(value.status):
        found.append(Mismatch("status", entry.status, value.status, row.at("status")))
    code = value.exit_code
    if (
        entry.exit_code is not None
        and isinstance(code, int | float | str)
        and entry.exit_code.value.strip().casefold() != str(code).strip().casefold()
    ):
        found.append(Mismatch("exit code", entry.exit_code, str(code), row.at("exit_code")))
    repository = value.repository
    head = repository.get("head_commit") if isinstance(repository, dict) else None  # pyright: ignore
    if entry.commit is not None and isinstance(head, str) and not same_commit(entry.commit.value, head):
        found.append(Mismatch("commit", entry.commit, head, row.at("repository", "head_commit")))
    return found


def same_commit(shown: str, recorded: str) -> bool:
    """Whether two commits are one: ids by prefix and in any case; labels that pin nothing are all alike."""
    one, other = shown.strip("`'\" ,.)("), recorded.strip()
    if is_pin(one) and is_pin(other):
        one, other = one.lower(), other.lower()
        return one.startswith(other) or other.startswith(one)
    if is_pin(one) != is_pin(other):
        return False
    return one.casefold() == other.casefold() or not other or _is_unpinned(one) or _is_unpinned(other)


def _is_unpinned(label: str) -> bool:
    return _UNPINNED.fullmatch(label) is not None


def same_text(shown: str, recorded: str) -> bool:
    """Whether an entry shows a record's text: white space folded, code marks and escapes aside.

    An entry of one line may show the first line of several, and a text that it cuts with an ellipsis is a beginning.
    """
    wholes = {_fold(recorded), _fold(_first_line(recorded))}
    for one in (shown, html.unescape(_ESCAPE.sub(r"\1", shown))):
        for text in (_fold(one), _fold(_bare(one))):
            if text in wholes:
                return True
            beginning = _CUT.sub("", text)
            if beginning != text and len(beginning) >= _SHORTEST_CUT and _fold(recorded).startswith(beginning):
                return True
    return False


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def _fold(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def _bare(text: str) -> str:
    """Without the code marks or quotation marks around it."""
    text = text.strip()
    for opener, closer in (("```", "```"), ("``", "``"), ("`", "`"), ("“", "”"), ('"', '"'), ("'", "'")):
        if len(text) > len(opener) + len(closer) and text.startswith(opener) and text.endswith(closer):
            return text[len(opener) : -len(closer)]
    return text


def _word(text: str) -> str:
    word = text.strip('*_`" ').casefold()
    return {"pass": "passed", "fail": "failed"}.get(word, word)


def _same_path(path: object, shown: str, recorded: str) -> bool:
    found = path if isinstance(path, str) else shown
    plain = _ESCAPE.sub(r"\1", found)
    wanted = unicodedata.normalize("NFC", recorded)
    return wanted in {unicodedata.normalize("NFC", found), unicodedata.normalize("NFC", plain)}


def _same_lines(shown: str, first: int, last: int) -> bool:
    numbers = [int(digits) for digits in re.findall(r"\d{1,15}", shown)]
    return bool(numbers) and numbers[0] == first and (len(numbers) == 1 or numbers[-1] == last)
