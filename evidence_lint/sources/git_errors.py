"""What can go wrong when Git is asked; a branch of the tree in :mod:`evidence_lint.errors`.

::

    SourceError
    └── RepositoryError
        ├── RepositoryNotFound      no repository at that path, or it is damaged or of an unknown format
        ├── GitUnavailable          no usable git program
        ├── GitFailed               git ended with an error, took too long or said too much
        └── ObjectError             one object cannot be had; ``oid`` names it
            ├── ObjectMissing       not in this repository (``promised``: left out of a shallow or partial clone)
            ├── ObjectTooLarge      larger than the limit; ``size`` and ``limit`` in bytes
            ├── ObjectCorrupt       unreadable, or its bytes do not hash to its id
            └── ObjectTypeMismatch  exists, but is of another type than asked for
"""

from __future__ import annotations

from evidence_lint.errors import SourceError


class RepositoryError(SourceError):
    """Git could not answer."""


class RepositoryNotFound(RepositoryError):
    """No repository that can be opened stands at the path."""


class GitUnavailable(RepositoryError):
    """The git program is absent or cannot be started."""


class GitFailed(RepositoryError):
    """A git process failed, ran out of time or exceeded its output limit."""


class ObjectError(RepositoryError):
    """One object cannot be had."""

    def __init__(self, message: str, oid: str) -> None:
        super().__init__(message)
        self.oid = oid


class ObjectMissing(ObjectError):
    """The object is not here; never fetched."""

    def __init__(self, oid: str, *, promised: str = "") -> None:
        where = f"this {promised} clone (fetch it in full first)" if promised else "this repository"
        super().__init__(f"object {oid} is not in {where}", oid)
        self.promised = promised


class ObjectTooLarge(ObjectError):
    """The object is larger than the limit, and was not read."""

    def __init__(self, oid: str, size: int, limit: int) -> None:
        super().__init__(f"object {oid} has {size} bytes, more than the limit of {limit}", oid)
        self.size = size
        self.limit = limit


class ObjectCorrupt(ObjectError):
    """The object store holds something else under this id."""

    def __init__(self, oid: str, why: str) -> None:
        super().__init__(f"object {oid} is corrupt: {why}", oid)


class ObjectTypeMismatch(ObjectError):
    """The object is of another type."""

    def __init__(self, oid: str, wanted: str, found: str) -> None:
        super().__init__(f"object {oid} is a {found}, not a {wanted}", oid)
        self.found = found
