"""Artifacts: the files of a bundle, as they were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


class Medium(StrEnum):
    """How an artifact is written, which decides how locations in it are found."""

    MARKDOWN = "markdown"
    JSON = "json"
    JSONL = "jsonl"
    TEXT = "text"


class FaultKind(StrEnum):
    """What is wrong with an artifact as a whole; each has a rule of family IN."""

    UNREADABLE = "artifact-unreadable"
    INVALID_JSON = "artifact-invalid-json"


@dataclass(frozen=True, slots=True)
class ArtifactFault:
    """A file that could not be read or parsed: what, and at which character of the decoded text."""

    kind: FaultKind
    message: str
    offset: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of a bundle.

    ``text`` is the decoded text without its byte order mark, line ends as in the file; None when the file is
    absent or undecodable. ``data`` is the parsed JSON (for JSONL: the list of its rows, None for a row that
    does not parse). ``faults`` are told by family IN.
    """

    name: str
    path: Path
    medium: Medium
    text: str | None = None
    data: JSON = None
    bom: bool = False
    present: bool = True
    faults: tuple[ArtifactFault, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether the file was read and parsed."""
        return self.present and self.text is not None and not self.faults


@dataclass(frozen=True, slots=True)
class Bundle:
    """What one run examines at a time: a report with its records, or whatever a dialect calls a bundle.

    ``path`` names the bundle in node ids and output, ``folder`` holds its files. Dialects derive from it.
    """

    path: Path
    folder: Path
    dialect: str
    main: str
    artifacts: Mapping[str, Artifact] = field(default_factory=dict[str, Artifact])

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return "bundle"
