"""``evidence-lint capture``: fetch pages through the egress gate and write them as records of content.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack, closing
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Protocol, cast

import click

from evidence_lint.cli.notices import network_notices
from evidence_lint.cli.options import Options
from evidence_lint.cli.plan import capture_limits, networks_of
from evidence_lint.cli.sources import LiveCaptures, extractors_of
from evidence_lint.config.discover import discover_settings
from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.errors import OutputError, UsageError
from evidence_lint.model.capture import Capture
from evidence_lint.parse.json_text import parse_json
from evidence_lint.sources.files import Refused, read_text
from evidence_lint.sources.writing import replace_file

_LIMIT = 256 * 1024 * 1024


@click.command(name="capture")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "-o", "--output", "output", type=click.Path(path_type=Path), metavar="FILE", help="content.json to append to."
)
@click.option("--replace", is_flag=True, help="Replace rows of the same URL instead of adding one.")
@click.option(
    "--warc", type=click.Path(path_type=Path), metavar="FILE", help="Also archive what was fetched (extra warc)."
)
@click.option("--allow-network", multiple=True, metavar="CIDR", help="Let captures reach this network. Never T1.")
def command(
    urls: tuple[str, ...], output: Path | None, *, replace: bool, warc: Path | None, allow_network: tuple[str, ...]
) -> int:
    """Fetch each URL once, as a check would, and write what a reader sees there.

    Without -o the records are printed. A file keeps its rows and their order; a row of a URL that is there already is
    refused unless --replace is given. Exit status 1 when a page could not be read; its row tells why.
    """
    settings = discover_settings(Path.cwd())
    document = _read(output) if output is not None else _empty()
    rows = _rows(document, output)
    urls = tuple(dict.fromkeys(urls))
    known = [row.get("url") for row in rows]
    twice = [url for url in urls if url in known]
    if twice and not replace:
        raise UsageError(f"{output} has a row of {twice[0]} already; --replace replaces it")
    networks = networks_of(Options(allow_network=allow_network), settings)
    for notice in network_notices(networks):
        click.echo(f"evidence-lint: {notice}", err=True)
    captures = LiveCaptures(capture_limits(settings), networks, extractors_of(load_catalogue(plugins=settings.plugins)))
    with ExitStack() as stack:
        archive = stack.enter_context(closing(_Archive(warc))) if warc is not None else None
        made = captures.get(urls, keep=archive.add if archive is not None else None)
    failed = [capture for capture in (made[url] for url in urls) if not capture.searchable]
    _put(rows, {url: content_row(made[url]) for url in urls})
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        replace_file(output, text.encode("utf-8", "backslashreplace"))
        click.echo(f"{output}: {len(urls) - len(failed)} of {len(urls)} captured")
    for capture in failed:
        click.echo(f"evidence-lint: {capture.requested_url}: {capture.reason}", err=True)
    return 1 if failed else 0


def content_row(capture: Capture) -> dict[str, object]:
    """A capture as a row of content.json. What failed has its reason as ``error`` and no text."""
    sound = capture.searchable
    text = capture.text if sound else ""
    return {
        "url": capture.requested_url,
        "title": capture.title or "",
        "content": text,
        "word_count": len(text.split()),
        "error": "" if sound else capture.reason,
        "final_url": capture.final_url,
        "http_status": capture.status,
        "fetched_at": capture.fetched_at.isoformat(),
        "raw_sha256": capture.raw_sha256,
        **({"content_sha256": capture.text_sha256} if sound else {}),
        "resolved_ips": sorted({address for hop in capture.hops for address in hop.addresses}),
        "capture_method": f"evidence-lint capture ({capture.extractor})"
        if capture.extractor
        else "evidence-lint capture",
        "truncated": capture.truncated,
    }


def _put(rows: list[dict[str, object]], fresh: Mapping[str, dict[str, object]]) -> None:
    """Put new rows in the places of those with the same URL, of which one stays, and the others at the end."""
    left = dict(fresh)
    old, rows[:] = list(rows), []
    for row in old:
        url = row.get("url")
        if not isinstance(url, str) or url not in fresh:
            rows.append(row)
        elif url in left:
            rows.append(left.pop(url))
    rows += left.values()


def _read(path: Path) -> dict[str, object] | list[object]:
    try:
        read = read_text(path, limit=_LIMIT, within=Path(path.absolute().anchor))
    except Refused as problem:
        raise OutputError(f"{path} {problem}") from problem
    if read is None:
        return _empty()
    parsed = parse_json(read[0])
    if parsed.faults:
        raise OutputError(f"{path} is no JSON ({parsed.faults[0].message}) and is left as it is")
    if not isinstance(parsed.data, (dict, list)):
        raise OutputError(f"{path} holds no content records and is left as it is")
    return cast("dict[str, object] | list[object]", parsed.data)


def _empty() -> dict[str, object]:
    return {"items": []}


def _rows(document: dict[str, object] | list[object], path: Path | None) -> list[dict[str, object]]:
    rows: object = document if isinstance(document, list) else document.setdefault("items", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[object]", rows)):
        raise OutputError(f"{path} holds no list of content records and is left as it is")
    return cast("list[dict[str, object]]", rows)


class _Writer(Protocol):
    """What of warcio is used, which has no types of its own."""

    def create_warc_record(self, uri: str, record_type: str, *, payload: BytesIO, warc_content_type: str) -> object:
        """Make a record."""
        ...

    def write_record(self, record: object) -> None:
        """Write it."""
        ...


class _Archive:
    """A WARC file of what was fetched, made with warcio."""

    def __init__(self, path: Path) -> None:
        try:
            made = import_module("warcio.warcwriter").WARCWriter
        except ImportError as problem:
            raise UsageError("--warc needs the extra: pip install 'evidence-lint[warc]'") from problem
        try:
            self._file = path.open("ab")
        except OSError as problem:
            raise OutputError(f"{path} cannot be written: {problem.strerror}") from problem
        self._writer = cast("_Writer", made(self._file, gzip=True))

    def add(self, url: str, body: bytes, media_type: str) -> None:
        """Archive one body as a resource record."""
        record = self._writer.create_warc_record(
            url, "resource", payload=BytesIO(body), warc_content_type=media_type or "application/octet-stream"
        )
        self._writer.write_record(record)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
