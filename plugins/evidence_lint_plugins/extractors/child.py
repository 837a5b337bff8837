"""What runs in a child process of the :mod:`~evidence_lint_plugins.extractors.workers`: read jobs and answer them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from io import BufferedReader
from typing import BinaryIO

from evidence_lint.model.capture import Extraction
from evidence_lint_plugins.extractors.plain import without_surrogates
from evidence_lint_plugins.extractors.workers import LENGTH, MEMORY_LIMIT

_MOST_CHARACTERS = 20_000_000


def main() -> None:
    """Serve jobs from standard input to standard output."""
    # Whatever a library prints must not end up among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _limit()
    jobs = sys.stdin.buffer
    while (order := _receive(jobs)) is not None and (body := _receive(jobs)) is not None:
        job = json.loads(order)
        _limit_processor_time(job["seconds"])
        answer = json.dumps(_answer(str(job["kind"]), body, float(job["seconds"]))).encode()
        answers.write(LENGTH.pack(len(answer)))
        answers.write(answer)
        answers.flush()


def read(kind: str, body: bytes, seconds: float) -> Extraction:
    """Read *body* as *kind* in this very process."""
    if kind == "application/pdf":
        from evidence_lint_plugins.extractors.pdf import extract_pdf  # noqa: PLC0415 - an extra

        return extract_pdf(body, seconds)
    text = body.decode("utf-8", "replace")
    return _reader(kind)(text)


def _reader(kind: str) -> Callable[[str], Extraction]:
    if kind == "text/html":
        from evidence_lint_plugins.extractors.html import extract_html  # noqa: PLC0415

        return extract_html
    if kind == "text/markdown":
        from evidence_lint_plugins.extractors.plain import extract_markdown  # noqa: PLC0415

        return extract_markdown
    from evidence_lint_plugins.extractors import xml  # noqa: PLC0415

    return xml.extract_xhtml if kind == "application/xhtml+xml" else xml.extract_xml


def _answer(kind: str, body: bytes, seconds: float) -> dict[str, object]:
    try:
        found = asdict(read(kind, body, seconds))
    except MemoryError:
        return {"text": "", "problem": "reading it needs more memory than is allowed", "last": True}
    except Exception as error:  # noqa: BLE001 - a page made to break its parser must be told, whatever it raises
        return {"text": "", "problem": f"its parser failed ({type(error).__name__}: {error})"[:500], "last": True}
    for name in ("text", "hidden_text", "title"):
        if found[name] is not None:
            found[name] = without_surrogates(found[name])
    if len(found["text"]) > _MOST_CHARACTERS:
        found["text"] = found["text"][:_MOST_CHARACTERS]
        found["problem"] = found["problem"] or f"only the first {_MOST_CHARACTERS} characters were read"
    found["hidden_text"] = found["hidden_text"][:_MOST_CHARACTERS]
    return found


def _receive(stream: BufferedReader | BinaryIO) -> bytes | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size: int = LENGTH.unpack(head)[0]
    data = stream.read(size)
    return data if len(data) == size else None


def _limit() -> None:
    """Bound memory and files; where the system has no such limits, the parent's clock alone holds."""
    try:
        import resource  # noqa: PLC0415 - absent on some systems
    except ImportError:
        return
    for name, value in (("RLIMIT_AS", MEMORY_LIMIT), ("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0)):
        _set_limit(resource.__dict__.get(name), value)


def _limit_processor_time(seconds: float) -> None:
    """Make sure that a job ends even when the parent that watches it is gone."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _set_limit(limit: int | None, value: int) -> None:
    import resource  # noqa: PLC0415

    if limit is None:
        return
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(limit, (value, value))
    except (ValueError, OSError):  # macOS refuses a limit below what is in use
        return
