"""Dependency injection: who provides what a rule asks for, in which order, made once.

Types are the names. :class:`ProviderGraph` checks at load that every asked type has a provider or is a root, and that
nothing depends on itself; :class:`Values` makes values when they are asked for, and keeps them or the reason why they
cannot be had.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar, cast, get_origin

from evidence_lint.errors import DefinitionError
from evidence_lint.model.artifact import Bundle
from evidence_lint.provide import Provider
from evidence_lint.rule import Rule

T = TypeVar("T")


def type_name(kind: object) -> str:
    """A type as messages show it."""
    return kind.__name__ if isinstance(kind, type) and get_origin(kind) is None else str(kind)


class ProviderGraph:
    """Which provider makes which type, checked as a whole."""

    def __init__(
        self,
        providers: Iterable[Provider],
        bundle_types: Iterable[type[Bundle]],
        run_types: Iterable[type] = (),
        late_types: Iterable[object] = (),
    ) -> None:
        self._run_types = frozenset[object](run_types)
        self._late_types = frozenset[object](late_types)
        self._by_type: dict[object, Provider] = {provider.provides: provider for provider in providers}
        self._bundle_types = frozenset[object]({Bundle, *bundle_types})
        self._roots: dict[object, frozenset[type[Bundle]]] = {}
        for provider in self._by_type.values():
            for name, kind in provider.needs.items():
                self._require(kind, f"provider {provider.name}: parameter {name!r}")
                if kind in self._late_types:
                    raise DefinitionError(
                        f"provider {provider.name}: parameter {name!r} asks for {type_name(kind)}, which is known only "
                        "after the run; a rule may ask for it, a provider may not"
                    )
                if provider.scope == "run" and not self._is_run_value(kind):
                    raise DefinitionError(
                        f"provider {provider.name}: parameter {name!r} asks for {type_name(kind)}, "
                        "which belongs to a bundle, but the provider's scope is the run"
                    )
        self._refuse_cycles()

    def provider(self, kind: object) -> Provider | None:
        """The provider of a type, or None."""
        return self._by_type.get(kind)

    def check(self, rules: Iterable[Rule]) -> None:
        """Raise :class:`DefinitionError` for a rule whose subject or parameter nothing provides."""
        for rule in rules:
            what = f"rule {rule.code} ({rule.name})"
            if self.subject_source(rule) is None:
                raise DefinitionError(f"{what}: nothing provides its subject {type_name(rule.subject)}")
            for name, kind in rule.needs.items():
                self._require(kind, f"{what}: parameter {name!r}")

    def subject_source(self, rule: Rule) -> object | None:
        """What to resolve for the rule's subjects: the type itself, ``Sequence`` of it, or None when unknown."""
        if self._known(rule.subject):
            return rule.subject
        many = Sequence[rule.subject]  # type: ignore[name-defined]
        return many if self._known(many) else None

    def bundle_types(self, rule: Rule) -> frozenset[type[Bundle]]:
        """The bundle types that the rule depends on: it applies to bundles that are all of them."""
        kinds: set[type[Bundle]] = set()
        for kind in (self.subject_source(rule), *rule.needs.values()):
            kinds |= self._roots_of(kind)
        return frozenset(kinds)

    def applies(self, rule: Rule, bundle: Bundle) -> bool:
        """Whether the bundle is of the dialect that the rule speaks about."""
        return all(isinstance(bundle, kind) for kind in self.bundle_types(rule))

    def _roots_of(self, kind: object) -> frozenset[type[Bundle]]:
        if kind in self._roots:
            return self._roots[kind]
        if kind in self._bundle_types:
            found = frozenset({cast("type[Bundle]", kind)})
        else:
            provider = self._by_type.get(kind)
            found = frozenset[type[Bundle]]()
            if provider is not None:
                found = found.union(*(self._roots_of(need) for need in provider.needs.values()))
        self._roots[kind] = found
        return found

    def _known(self, kind: object) -> bool:
        return (
            kind in self._by_type or kind in self._bundle_types or kind in self._run_types or kind in self._late_types
        )

    def _is_run_value(self, kind: object) -> bool:
        provider = self._by_type.get(kind)
        return kind in self._run_types or (provider is not None and provider.scope == "run")

    def _require(self, kind: object, what: str) -> None:
        if not self._known(kind):
            raise DefinitionError(f"{what} asks for {type_name(kind)}, which nothing provides")

    def _refuse_cycles(self) -> None:
        # By type, not by name: two functions may share a name.
        sorter = graphlib.TopologicalSorter(
            {
                kind: [need for need in provider.needs.values() if need in self._by_type]
                for kind, provider in self._by_type.items()
            }
        )
        try:
            sorter.prepare()
        except graphlib.CycleError as problem:
            kinds = cast("list[object]", problem.args[1])
            circle = " → ".join(f"{self._by_type[kind].name} ({type_name(kind)})" for kind in kinds)
            raise DefinitionError(f"providers ask for each other: {circle}") from problem


class _Failure(Generic[T]):
    """Remembers why a value could not be made."""

    def __init__(self, error: BaseException) -> None:
        self._error = error
        self._traceback = error.__traceback__

    @property
    def error(self) -> BaseException:
        """The error as it first came: each time that it is raised again would otherwise lengthen its traceback."""
        return self._error.with_traceback(self._traceback)


class Values:
    """The provided values of one bundle, or of the run; each is made at most once.

    An error of a provider is kept and raised again for everyone who asks, so that a broken provider costs one attempt
    and each of its rules says why it could not run.
    """

    def __init__(self, graph: ProviderGraph, given: Mapping[object, object], parent: Values | None = None) -> None:
        self._graph = graph
        self._made: dict[object, object] = dict(given)
        self._parent = parent

    def give(self, kind: type[T], value: T) -> None:
        """Add a value that becomes known during the run."""
        self._made[kind] = value

    def get(self, kind: type[T]) -> T:
        """Return the value of this type; raises what its provider raised."""
        return cast("T", self.resolve(kind))

    def resolve(self, kind: object) -> object:
        """Like :meth:`get`, for any annotation (``Sequence[Finding]``)."""
        if kind not in self._made:
            provider = self._graph.provider(kind)
            if self._parent is not None and (provider is None or provider.scope == "run"):
                return self._parent.resolve(kind)
            if provider is None:
                raise DefinitionError(f"nothing provides {type_name(kind)} here")
            self._made[kind] = self._make(provider)
        value = self._made[kind]
        if isinstance(value, _Failure):
            raise cast("_Failure[object]", value).error
        return value

    def _make(self, provider: Provider) -> object:
        try:
            arguments = {name: self.resolve(kind) for name, kind in provider.needs.items()}
            return provider(**arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - kept whole, and raised again for everyone who asks
            return _Failure[object](error)
