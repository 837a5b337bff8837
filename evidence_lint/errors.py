"""The one tree of exceptions.

::

    EvidenceLintError
    ├── UsageError                 the command line or the configuration is wrong (exit status 4)
    │   ├── ConfigError            a configuration file holds a wrong key or value
    │   └── SelectionError         a rule, family or node id that nothing answers to
    ├── DefinitionError            a rule, provider, dialect or format is defined wrongly (exit status 4)
    │   └── PluginError            a plug-in could not be loaded, or names a hook that does not exist
    ├── Unavailable                what a check needs is absent or undecidable here: the check is skipped
    ├── SourceError                Git, the network or the file system refused or failed
    └── OutputError                a result could not be written where it was asked for

A check that raises :class:`Unavailable` is reported as skipped with its reason; any other exception that
leaves a rule makes that rule ``errored``, which is never a pass.
"""

from __future__ import annotations

from pathlib import Path


class EvidenceLintError(Exception):
    """Root of every error that evidence-lint raises on purpose."""


class UsageError(EvidenceLintError):
    """The command line or the configuration cannot be followed; exit status 4."""


class ConfigError(UsageError):
    """A configuration file is unreadable or holds a wrong key or value.

    ``path`` is the file, ``key`` the dotted key at fault ("" for the whole file).
    """

    def __init__(self, message: str, *, path: Path | str | None = None, key: str = "") -> None:
        where = f"{path}: " if path is not None else ""
        super().__init__(f"{where}{key + ': ' if key else ''}{message}")
        self.path = path
        self.key = key


class SelectionError(UsageError):
    """A selector names no rule, family or node."""


class DefinitionError(EvidenceLintError):
    """A rule, provider, dialect or format is not well-defined; found at load, never during a run."""


class PluginError(DefinitionError):
    """A plug-in could not be imported, or implements a hook that does not exist."""


class Unavailable(EvidenceLintError):
    """Something that a check needs is absent or undecidable in this run.

    ``code`` is a short stable word (``no-records``, ``offline``), ``message`` says to a person what is
    missing. Raised by providers and rules; the engine turns it into a *skipped* verdict.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class SourceError(EvidenceLintError):
    """A source (Git, network, file system) refused or failed."""


class OutputError(EvidenceLintError):
    """A result could not be written."""
