"""The settings of a project, ``[tool.evidence-lint]`` or ``evidence-lint.toml`` (chapter 10).

Selectors and rule codes are kept as they are written: whether a rule answers to them only the catalogue knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, PrivateAttr

from evidence_lint.config.fields import (
    MODEL_CONFIG,
    Bytes,
    Count,
    FailOn,
    Host,
    Natural,
    Networks,
    Path_,
    Paths,
    Patterns,
    Profile,
    Seconds,
    Selectors,
    SeverityWord,
    Text,
    frozen_list,
)
from evidence_lint.model.authority import AuthorityEntry, AuthorityLevel
from evidence_lint.model.globs import path_matches
from evidence_lint.model.policy import Gate, Label


def _day(value: object) -> object:
    """A date may be written as TOML's own type or as text."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError(f"a date such as 2026-07-01 is expected, not {value!r}") from None
    return value


class Table(BaseModel):
    """Base of all tables."""

    model_config = MODEL_CONFIG


class PathSettings(Table):
    """What holds only for bundles whose path fits a pattern (``[per-path."drafts/**"]``)."""

    select: Selectors | None = None
    extend_select: Selectors = ()
    ignore: Selectors = ()
    severity: dict[Text, SeverityWord] = Field(default_factory=dict[str, SeverityWord])


class LimitSettings(Table):
    """How much is read. Sizes are in bytes (``"32 MiB"`` or a number)."""

    artifact_bytes: Bytes = 32 * 1024 * 1024
    """Largest file of a bundle."""
    page_bytes: Bytes = 16 * 1024 * 1024
    """Largest page of a live capture, after decompression."""
    pages: Count | None = None
    """Most pages that one run fetches; what needs more counts as not captured."""


class AuthoritySettings(Table):
    """One entry of the authority registry (chapter 3, end). A basis is required: trust needs a reason."""

    host: Host
    level: AuthorityLevel
    reason: Text
    checked: Annotated[date | None, BeforeValidator(_day)] = None
    """The day on which ownership was checked."""
    project: Text | None = None
    """The project that a ``project-owned`` host speaks for."""

    def entry(self) -> AuthorityEntry:
        """The entry as witnesses and rules know it."""
        return AuthorityEntry(self.host, self.level, self.reason, self.checked, self.project)


class GateSettings(Table):
    """What a merge needs beyond rules that pass."""

    highest_without_live: Label | None = None
    """Highest label of a web claim in a run without live capture."""
    max_medium: Natural | None = None
    """Most findings that may stay Medium."""
    required_rules: Selectors = ()
    """Rules that have to run: a skipped one fails the gate."""
    unsuppressible: Selectors = ()
    """Rules and families that nothing may suppress."""

    def gate(self) -> Gate:
        """The gate as rules know it."""
        return Gate(self.highest_without_live, self.max_medium, self.required_rules, self.unsuppressible)


class NetworkSettings(Table):
    """Manners of live capture (chapter 4). ``allow`` opens networks that are not public; it never grants T1."""

    allow: Networks = ()
    concurrency: Count = 16
    per_host: Count = 4
    timeout: Seconds = 30.0
    """Seconds for one page, redirects and retries included."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rules run on a bundle and how grave they are, all overrides merged; selectors as written.

    ``select`` is empty where nothing was said, which selects every rule.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, SeverityWord] = field(default_factory=dict[str, SeverityWord])


class Settings(Table):
    """All settings of a project. Every key is optional; the defaults are those of a run without configuration."""

    select: Selectors = ()
    extend_select: Selectors = ()
    ignore: Selectors = ()
    severity: dict[Text, SeverityWord] = Field(default_factory=dict[str, SeverityWord])
    per_path: dict[Path_, PathSettings] = Field(default_factory=dict[str, PathSettings])
    exclude: Paths = ()
    """Patterns of what is not searched for bundles."""
    profile: Profile = "default"
    """``strict`` makes every warning an error, where ``severity`` says nothing of the rule."""
    fail_on: FailOn = "error"
    baseline: Path_ | None = None
    layout: dict[Text, Patterns] = Field(default_factory=dict[str, tuple[str, ...]])
    """Patterns of file names by artifact (chapter 2); ``{stem}`` is the report's."""
    limits: LimitSettings = LimitSettings()
    network: NetworkSettings = NetworkSettings()
    authority: Annotated[tuple[AuthoritySettings, ...], BeforeValidator(frozen_list)] = ()
    gate: GateSettings = GateSettings()
    suppressible: Selectors = ()
    """Rules that a report or a record may suppress itself when the policy comes from a revision."""
    rules: Paths = ()
    """Local rule files, which run as code: they are read from wherever the policy is."""
    plugins: Selectors = ()
    """Modules of further plug-ins."""

    _source: Path | None = PrivateAttr(default=None)

    @property
    def source(self) -> Path | None:
        """The file that the settings were read from; None for the defaults."""
        return self._source

    @property
    def folder(self) -> Path | None:
        """The folder that every path and pattern of the settings is relative to."""
        return self._source.parent if self._source is not None else None

    def from_source(self, source: Path) -> Settings:
        """The same settings, said to come from ``source``."""
        copy = self.model_copy()
        copy._source = source
        return copy

    def for_path(self, path: str) -> Selection:
        """The selection for a bundle at ``path``, ``/``-separated and relative to :attr:`folder`.

        Overrides apply in the order of the file: ``select`` replaces what was selected before, the other lists
        add to it, and the last severity of a selector counts.
        """
        select, extend, ignore = self.select, self.extend_select, self.ignore
        severity = dict(self.severity)
        for pattern, override in self.per_path.items():
            if path_matches(pattern, path):
                if override.select is not None:
                    select, extend = override.select, ()
                extend += override.extend_select
                ignore += override.ignore
                severity |= override.severity
        return Selection(select, extend, ignore, MappingProxyType(severity))

    def authority_entries(self) -> tuple[AuthorityEntry, ...]:
        """The authority registry."""
        return tuple(entry.entry() for entry in self.authority)
