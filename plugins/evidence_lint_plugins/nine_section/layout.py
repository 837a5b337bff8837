"""Which file of a folder is which artifact of a report (chapter 2, bundle layout)."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, FINDINGS, RECORD_ARTIFACTS, RESULTS, SESSION
from evidence_lint.model.report import REPORT

DEFAULT_REPORTS = ("report.md",)
DEFAULT_RECORDS: Mapping[str, tuple[str, ...]] = {
    FINDINGS: ("{stem}.findings.json", "findings.json"),
    RESULTS: ("{stem}.results.json", "results.json"),
    CONTENT: ("{stem}.content.json", "content.json"),
    CODE_EVIDENCE: ("{stem}.code_evidence.json", "code_evidence.json"),
    SESSION: ("{stem}.session.json", "{stem}.research_plan.json", "session.json", "research_plan.json"),
}

MARKDOWN = {".md", ".markdown"}
"""Suffixes of files that may be reports."""

_STEM = "{stem}"


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of reports and, for each record artifact, patterns in order of preference.

    Record patterns are relative to the report's folder and may hold ``{stem}`` (the report's name without
    ``.report.md`` or its last suffix), ``*``, ``?`` and ``[ab]``; of several files that fit the first by name is taken.
    Report patterns are compared with the last names of a path: ``out/final.md`` is a ``final.md`` in a folder
    ``out``.
    """

    reports: tuple[str, ...] = DEFAULT_REPORTS
    records: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(DEFAULT_RECORDS))

    @classmethod
    def configured(cls, patterns: Mapping[str, Sequence[str]]) -> Layout:
        """The default layout with the configured artifacts replaced; names of other dialects are left alone."""
        records = {name: tuple(patterns.get(name, DEFAULT_RECORDS[name])) for name in RECORD_ARTIFACTS}
        return cls(tuple(patterns.get(REPORT, DEFAULT_REPORTS)), records)

    def is_named(self, path: Path) -> bool:
        """Whether a path bears a report's name, or findings stand beside it that bear its own stem."""
        return any(_ends_with(path, pattern) for pattern in self.reports) or (
            path.suffix.lower() in MARKDOWN
            and self._first(path.parent, FINDINGS, stem_of(path), stemmed=True) is not None
        )

    def artifacts(self, report: Path) -> dict[str, Path]:
        """The file of each record artifact of a report.

        Where there is none, the file that is missing: the place at which its absence is told. Records without
        the stem are shared by the reports of a folder, but a report with findings of its own takes nothing
        from a set that has findings of its own too: those are another report's.
        """
        stem = stem_of(report)
        own_findings = self._first(report.parent, FINDINGS, stem, stemmed=True)
        foreign = own_findings is not None and self._first(report.parent, FINDINGS, stem, stemmed=False) is not None
        found = {
            name: self._first(report.parent, name, stem, stemmed=True if foreign else None) for name in RECORD_ARTIFACTS
        }
        stemmed = foreign or any(
            path is not None and path == self._first(report.parent, name, stem, stemmed=True)
            for name, path in found.items()
        )
        return {
            name: path if path is not None else self._missing(report.parent, name, stem, stemmed)
            for name, path in found.items()
        }

    def orphans(self, folder: Path, names: Collection[str], stems: Collection[str]) -> list[Path]:
        """Where reports should stand that are absent, by the records among the ``names`` of a folder's files.

        ``stems`` are those of the reports that are there. Records with a stem count when at least two of them
        bear it, one of which is the findings: a lone ``x.findings.json`` may be any tool's.
        """
        plain = [pattern for pattern in self.records[FINDINGS] if _STEM not in pattern and "/" not in pattern]
        unclaimed = not stems and any(fnmatchcase(name, pattern) for name in names for pattern in plain)
        orphans = [folder / self._usual_report()] if unclaimed else []
        for name in sorted(names):
            stem = self._stem_of_findings(name)
            if stem and stem not in stems:
                others = (p for key in RECORD_ARTIFACTS if key != FINDINGS for p in self.records[key] if _STEM in p)
                if any(other.replace(_STEM, stem) in names for other in others):
                    orphans.append(folder / f"{stem}.report.md")
        return orphans

    def _usual_report(self) -> str:
        return next((pattern for pattern in self.reports if not _wild(pattern) and "/" not in pattern), "report.md")

    def _stem_of_findings(self, name: str) -> str | None:
        for pattern in self.records[FINDINGS]:
            if pattern.count(_STEM) == 1 and "/" not in pattern and not _wild(pattern):
                before, after = pattern.split(_STEM)
                if name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after):
                    return name[len(before) : len(name) - len(after)]
        return None

    def _first(self, folder: Path, name: str, stem: str, *, stemmed: bool | None) -> Path | None:
        for pattern in self.records[name]:
            if stemmed is None or (_STEM in pattern) == stemmed:
                path = _first_match(folder, pattern, stem)
                if path is not None:
                    return path
        return None

    def _missing(self, folder: Path, name: str, stem: str, stemmed: bool) -> Path:
        patterns = self.records[name] or DEFAULT_RECORDS[name]
        fitting = [pattern for pattern in patterns if (_STEM in pattern) == stemmed] or list(patterns)
        return folder / fitting[0].replace(_STEM, stem)


def stem_of(report: Path) -> str:
    """The stem that a report shares with its records: ``auth`` for ``auth.report.md`` and for ``auth.md``."""
    stem = report.name.removesuffix(report.suffix)
    return stem.removesuffix(".report") or stem


def _first_match(folder: Path, pattern: str, stem: str = "") -> Path | None:
    if not _wild(pattern):
        path = folder / pattern.replace(_STEM, stem)
        return path if os.path.lexists(path) else None
    full = os.path.join(glob.escape(str(folder)), pattern.replace(_STEM, glob.escape(stem)))  # noqa: PTH118
    found = sorted(glob.glob(full))  # noqa: PTH207 - Path.glob knows no "..", and a pattern may begin with it
    return Path(found[0]) if found else None


def _wild(pattern: str) -> bool:
    return any(mark in pattern for mark in "*?[")


def _ends_with(path: Path, pattern: str) -> bool:
    wanted = PurePosixPath(pattern).parts
    names = path.parts[-len(wanted) :]
    return len(names) == len(wanted) and all(map(fnmatchcase, names, wanted))
