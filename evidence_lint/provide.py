"""Providers: typed functions that make what rules ask for, found by their return type.

::

    @provide
    def pages(bundle: ResearchBundle) -> Pages: ...

    @provide
    def findings(report: Report, records: Records) -> Sequence[Finding]: ...

A provider may itself ask for provided values. Values are made when first asked for and kept: once a bundle, or once a
run (``scope="run"``; such a provider sees run values only). A provider of ``Sequence[T]`` also makes ``T`` a
*subject*: a rule whose first parameter is a ``T`` runs once for each. A provider that cannot deliver raises
:class:`~evidence_lint.errors.Unavailable`; every rule that needs it is then skipped with that reason.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, overload

from evidence_lint.errors import DefinitionError
from evidence_lint.rule import annotated_parameters

Scope = Literal["bundle", "run"]


@dataclass(frozen=True, eq=False)
class Provider:
    """A function that provides values of one type."""

    make: Callable[..., object]
    provides: object
    needs: Mapping[str, object]
    scope: Scope
    name: str

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Make the value."""
        return self.make(*args, **kwargs)


@overload
def provide(function: Callable[..., object], /) -> Provider: ...
@overload
def provide(*, scope: Scope) -> Callable[[Callable[..., object]], Provider]: ...
def provide(
    function: Callable[..., object] | None = None, /, *, scope: Scope = "bundle"
) -> Provider | Callable[[Callable[..., object]], Provider]:
    """Make a function a provider of its return type.

    Raises :class:`DefinitionError` at import when a parameter or the return type is not annotated.
    """

    def decorate(make: Callable[..., object]) -> Provider:
        name = f"{make.__module__}.{getattr(make, '__name__', '?')}"
        what = f"provider {name}"
        needs = annotated_parameters(make, what)
        provides: object = typing.get_type_hints(make).get("return")
        if provides in {None, type(None)}:
            raise DefinitionError(f"{what}: the return type is not annotated")
        if not make.__doc__:
            raise DefinitionError(f"{what}: the docstring is missing")
        return Provider(make, provides, needs, scope, name)

    return decorate if function is None else decorate(function)
