"""Finding bundles: one report, a folder, or a tree (chapter 2, bundle layout)."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evidence_lint.dialect import Candidate, LoadOptions
from evidence_lint.model.globs import matches_any
from evidence_lint.sources.files import Refused, read_bytes
from evidence_lint.sources.places import place_below
from evidence_lint_plugins.nine_section.layout import MARKDOWN, Layout, stem_of
from evidence_lint_plugins.nine_section.recognise import is_report

_LOG = logging.getLogger(__name__)

_SKIPPED = {"node_modules", "__pycache__", "site-packages", "venv"}


def find_bundles(path: Path, options: LoadOptions) -> list[Candidate]:
    """List the bundles at ``path`` (a report, one of its records, or a folder to search), in a stable order.

    A file that is Markdown is a report because it was named; any other gives the bundles of its folder that
    use it. A folder is searched to the bottom, but not in hidden folders, virtual environments,
    ``node_modules``, folders behind symbolic links, or what ``options.exclude`` names. A path that is not there has
    no bundles. Only Markdown files are opened.
    """
    layout = Layout.configured(options.layout)
    # os.path, not Path: the latter raises on what may not be looked at, or has an impossible name.
    if os.path.isdir(path):  # noqa: PTH112
        return [
            candidate
            for folder, names in _folders(path, options)
            for candidate in _in_folder(folder, names, layout, options)
        ]
    if not os.path.lexists(path):
        return []
    siblings = _in_folder(path.parent, _names(path.parent), layout, options)
    if path.suffix.lower() in MARKDOWN or layout.is_named(path):
        known = [candidate for candidate in siblings if candidate.main == path]
        return (
            known
            if known or options.changed
            else [replace(_candidate(path, layout, alone=not siblings), certain=False)]
        )
    record = os.path.realpath(path)
    return [
        candidate for candidate in siblings if record in {os.path.realpath(file) for file in candidate.files.values()}
    ]


def _folders(top: Path, options: LoadOptions) -> Iterator[tuple[Path, list[str]]]:
    """Each folder to look into, with the names of its files; parents before children, in order of name."""
    base = place_below(top, options.root) if options.root is not None else None
    for root, folders, files in os.walk(top, onerror=_unreadable):
        here = Path(root)
        relative = here.relative_to(top) if base is None else base / here.relative_to(top).as_posix()
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _SKIPPED
            and not os.path.lexists(here / name / "pyvenv.cfg")
            and not matches_any(options.exclude, (relative / name).as_posix())
        )
        yield here, sorted(name for name in files if not matches_any(options.exclude, (relative / name).as_posix()))


def _unreadable(error: OSError) -> None:
    _LOG.warning("%s could not be searched for reports: %s", error.filename, error.strerror)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder) if not entry.is_dir())
    except OSError as error:
        _unreadable(error)
        return []


def _in_folder(folder: Path, names: Sequence[str], layout: Layout, options: LoadOptions) -> list[Candidate]:
    reports = [folder / name for name in names if layout.is_named(folder / name)]
    # A link to a report of the same folder (latest.md) is no second report.
    targets = {os.path.realpath(report) for report in reports}
    reports += [
        path
        for path in (folder / name for name in names)
        if path.suffix.lower() in MARKDOWN
        and path not in reports
        and not path.is_symlink()
        and os.path.realpath(path) not in targets
        and _recognised(path, options)
    ]
    reports += layout.orphans(folder, names, {stem_of(report) for report in reports})
    return [_candidate(report, layout, alone=len(reports) == 1) for report in sorted(reports)]


def _recognised(path: Path, options: LoadOptions) -> bool:
    try:
        data = read_bytes(path, limit=options.max_bytes)
    except Refused as refusal:
        _LOG.warning("%s %s; whether it is a report is unknown", path, refusal)
        return False
    return data is not None and is_report(data)


def _candidate(report: Path, layout: Layout, *, alone: bool) -> Candidate:
    return Candidate(path=report.parent if alone else report, main=report, files=layout.artifacts(report))
