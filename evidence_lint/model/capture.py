"""What a live capture of a web page found (chapter 4, "Live capture").

These are values and nothing else: importing this module costs no network library. A capture is worth something
only inside the process that made it, so there is a way to write one down (:meth:`Capture.facts`) and
none to read it back.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import Enum
from typing import Protocol


class CaptureOutcome(Enum):
    """How a capture ended. Only :attr:`OK` can support a claim."""

    OK = "ok"
    UNSAFE_TARGET = "unsafe-target"
    DNS_FAILURE = "dns-failure"
    TLS_FAILURE = "tls-failure"
    TIMEOUT = "timeout"
    CONNECTION_FAILURE = "connection-failure"
    PROTOCOL_FAILURE = "protocol-failure"
    DECODE_FAILURE = "decode-failure"
    HTTP_ERROR = "http-error"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    REDIRECT_LOOP = "redirect-loop"
    BLOCKED = "blocked"
    SOFT_404 = "soft-404"
    UNSUPPORTED_MEDIA = "unsupported-media"
    EXTRACTION_FAILED = "extraction-failed"

    @property
    def message(self) -> str:
        """What happened, as one clause for a person."""
        return _WORDS[self][0]

    @property
    def help(self) -> str:
        """What a person can do about it."""
        return _WORDS[self][1]


_WORDS: dict[CaptureOutcome, tuple[str, str]] = {
    CaptureOutcome.OK: ("the page was read", "Nothing needs to be done."),
    CaptureOutcome.UNSAFE_TARGET: (
        "the address is not on the public internet, so it was not contacted",
        "Cite the public address of the source. For a local mirror, allow its network with --allow-network "
        "(such a capture never counts as an authority).",
    ),
    CaptureOutcome.DNS_FAILURE: (
        "the host name could not be resolved",
        "Check the spelling of the host, and that this machine can look names up; then run again.",
    ),
    CaptureOutcome.TLS_FAILURE: (
        "no trusted encrypted connection could be made",
        "Open the page in a browser to see whether its certificate is at fault; if so, cite another copy.",
    ),
    CaptureOutcome.TIMEOUT: (
        "the server did not answer in time",
        "Run again later, or raise the time-outs if the server is known to be slow.",
    ),
    CaptureOutcome.CONNECTION_FAILURE: (
        "the connection could not be made or was broken off",
        "Check that the site is up and that this machine may reach it; then run again.",
    ),
    CaptureOutcome.PROTOCOL_FAILURE: (
        "the server's answer is not valid HTTP",
        "Run again; if it stays so, cite another copy of the source.",
    ),
    CaptureOutcome.DECODE_FAILURE: (
        "the body of the answer could not be decompressed",
        "Run again; if it stays so, cite another copy of the source.",
    ),
    CaptureOutcome.HTTP_ERROR: (
        "the server answered with an error",
        "404 and 410 mean that the page is gone: cite where it lives now or an archived copy. After 401, 403, "
        "429, 451 or 999 look at the page in a browser, since a program may be turned away where a reader is not.",
    ),
    CaptureOutcome.TOO_MANY_REDIRECTS: (
        "the address was redirected too many times",
        "Open it in a browser and cite the address where it ends.",
    ),
    CaptureOutcome.REDIRECT_LOOP: (
        "the address redirects in a loop",
        "Open it in a browser and cite the address where it ends; the page need not be dead.",
    ),
    CaptureOutcome.BLOCKED: (
        "a wall stands before the page (bot check, consent, log-in or script)",
        "The evidence is neither confirmed nor refuted: look at the page in a browser, or cite an open copy.",
    ),
    CaptureOutcome.SOFT_404: (
        "an error page was served as if it were the page",
        "Cite where the page lives now, or an archived copy.",
    ),
    CaptureOutcome.UNSUPPORTED_MEDIA: (
        "no text can be read from this kind of file",
        "Cite a page with text, or install the extra that reads this kind (PDF: evidence-lint[pdf]).",
    ),
    CaptureOutcome.EXTRACTION_FAILED: (
        "no text could be read from the answer",
        "Look at the page in a browser; if it is in order, cite another copy of the source.",
    ),
}

_DEAD = frozenset({404, 410})
_UNREACHABLE_FOR_US = frozenset({401, 403, 407, 429, 451, 999})


@dataclass(frozen=True, slots=True)
class CaptureLimits:
    """Bounds of a capture run. Times are seconds, sizes bytes."""

    concurrency: int = 16
    per_host: int = 4
    #: Longest wait for the header of one answer, and between two pieces of its body.
    hop_timeout: float = 10.0
    #: Longest time for one capture: all its hops, retries and back-off, not its wait for a free slot.
    total_timeout: float = 30.0
    dns_timeout: float = 5.0
    #: Longest wait for one of several addresses of a host before the next is tried.
    connect_timeout: float = 3.0
    #: A body is cut here, counted after decompression.
    max_bytes: int = 16 * 1024 * 1024
    #: A compressed body that grows by more than this factor is refused (small bodies excepted).
    max_ratio: float = 200.0
    max_redirects: int = 5
    max_retries: int = 2
    #: First back-off after 429, 502, 503 and 504; it doubles with each retry.
    backoff: float = 0.5
    #: A server that asks for a longer wait than this (Retry-After) is not asked again.
    max_retry_after: float = 15.0
    extract_timeout: float = 30.0

    def __post_init__(self) -> None:
        """Refuse bounds that would let nothing run or everything through."""
        may_be_zero = {"max_redirects", "max_retries", "backoff", "max_retry_after"}
        for field in fields(self):
            value = getattr(self, field.name)
            # Written so that NaN is refused as well.
            if not (value >= 0 if field.name in may_be_zero else value > 0):
                raise ValueError(f"{field.name} must be greater than zero, or zero where that means 'none'")


@dataclass(frozen=True, slots=True)
class Hop:
    """One request of a capture: where it went and what came back."""

    url: str
    #: Every address that the host resolved to, all of them judged; one of them was contacted.
    addresses: tuple[str, ...] = ()
    #: The address that was contacted, "" if no connection was made.
    connected: str = ""
    #: Status of the (last) answer, or None when there was none.
    status: int | None = None
    insecure: bool = False
    #: The addresses are not public; an explicit ``--allow-network`` let them through.
    via_allowed_network: bool = False
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a text extractor read from a body."""

    text: str
    title: str | None = None
    charset: str | None = None
    #: Name (and version) of what read it, for the audit.
    extractor: str = ""
    #: Text that is in the file and that a reader of the page does not see (WEB113).
    hidden_text: str = ""
    #: Why the text is missing or incomplete; None when it was read in full.
    problem: str | None = None
    #: Nothing here reads this media type (then ``problem`` says so).
    unsupported: bool = False


class Extractor(Protocol):
    """Reads the text of a body. Called from worker threads, for several pages at once."""

    def __call__(self, body: bytes, media_type: str, charset: str | None, url: str, /) -> Extraction:
        """Return the text of *body*; ``media_type`` is "" when the server named none."""
        ...


@dataclass(frozen=True, slots=True)
class Capture:
    """The facts of one capture in this process (chapter 4)."""

    requested_url: str
    final_url: str
    outcome: CaptureOutcome
    #: What exactly happened, for a person; more precise than the outcome's own message.
    reason: str
    fetched_at: datetime
    hops: tuple[Hop, ...] = ()
    status: int | None = None
    media_type: str = ""
    charset: str | None = None
    extractor: str = ""
    title: str | None = None
    text: str = ""
    hidden_text: str = ""
    #: SHA-256 of the body as decoded (and perhaps cut), and of the text in UTF-8; "" when there is none.
    raw_sha256: str = ""
    text_sha256: str = ""
    size: int = 0
    #: The body was cut at the size limit, so what is absent from ``text`` may still be on the page.
    truncated: bool = False
    #: The page looks like an error page served with status 200: a hint, see :meth:`outcome_given`.
    soft_404_reason: str | None = None
    #: Every name resolved to 198.18.0.0/15: the fault is this machine's resolver, not the source.
    reserved_resolver: bool = False
    elapsed: float = 0.0
    attempts: int = 0
    notes: tuple[str, ...] = ()

    @property
    def insecure(self) -> bool:
        """Plain http was used on some hop (LIVE108)."""
        return any(hop.insecure for hop in self.hops)

    @property
    def via_allowed_network(self) -> bool:
        """Some hop needed ``--allow-network``; such a capture never grants T1."""
        return any(hop.via_allowed_network for hop in self.hops)

    @property
    def redirected(self) -> bool:
        """More than one address was visited."""
        return len({hop.url for hop in self.hops}) > 1

    @property
    def dead(self) -> bool:
        """The server says that the page does not exist (404, 410)."""
        return self.outcome is CaptureOutcome.HTTP_ERROR and self.status in _DEAD

    @property
    def unreachable_for_us(self) -> bool:
        """The server turned this program away; the page may be fine for a reader (401, 403, 451, 999 …)."""
        return self.outcome is CaptureOutcome.HTTP_ERROR and self.status in _UNREACHABLE_FOR_US

    @property
    def searchable(self) -> bool:
        """There is text of a successful answer in which an excerpt may be looked for."""
        outcomes = (CaptureOutcome.OK, CaptureOutcome.BLOCKED, CaptureOutcome.SOFT_404)
        return self.outcome in outcomes and self.status is not None and 200 <= self.status < 300 and bool(self.text)

    def outcome_given(self, all_excerpts_found: bool) -> CaptureOutcome:
        """Combine the hints with whether *everything* wanted from this page stands in its text (B060).

        A page that holds every excerpt is fine, whatever its shape suggests; a hint of an error page
        counts only where an excerpt is absent.
        """
        if not self.searchable:
            return self.outcome
        if all_excerpts_found:
            return CaptureOutcome.OK
        if self.outcome is CaptureOutcome.OK and self.soft_404_reason is not None:
            return CaptureOutcome.SOFT_404
        return self.outcome

    def for_url(self, url: str) -> Capture:
        """Return these facts under another spelling of the requested URL (its fragment differs)."""
        return self if url == self.requested_url else replace(self, requested_url=url)

    def facts(self) -> dict[str, object]:
        """Return what an audit keeps, ready for JSON: everything but the text itself."""
        return {
            "requested_url": self.requested_url,
            "final_url": self.final_url,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "status": self.status,
            "fetched_at": self.fetched_at.isoformat(),
            "hops": [
                {
                    "url": hop.url,
                    "status": hop.status,
                    "addresses": list(hop.addresses),
                    "connected": hop.connected,
                    "insecure": hop.insecure,
                    "via_allowed_network": hop.via_allowed_network,
                    "attempts": hop.attempts,
                }
                for hop in self.hops
            ],
            "media_type": self.media_type,
            "charset": self.charset,
            "extractor": self.extractor,
            "title": self.title,
            "raw_sha256": self.raw_sha256,
            "text_sha256": self.text_sha256,
            "size": self.size,
            "truncated": self.truncated,
            "soft_404_reason": self.soft_404_reason,
            "insecure": self.insecure,
            "via_allowed_network": self.via_allowed_network,
            "elapsed": round(self.elapsed, 3),
            "attempts": self.attempts,
            "notes": list(self.notes),
        }
