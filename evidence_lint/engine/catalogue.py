"""What is installed: rules, providers, dialects and formats, from plug-ins and local rule files, checked at load."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pluggy

from evidence_lint import hooks
from evidence_lint.dialect import Dialect
from evidence_lint.engine.context import RUN_TYPES
from evidence_lint.engine.resolve import ProviderGraph
from evidence_lint.errors import DefinitionError, EvidenceLintError, PluginError
from evidence_lint.model.result import Format, RuleInfo
from evidence_lint.provide import Provider
from evidence_lint.rule import Rule, rules_in

T = TypeVar("T")


def definitions_in(module: ModuleType) -> Iterator[Rule | Provider]:
    """The rules and providers that a module defines itself."""
    yield from rules_in(module)
    for value in vars(module).values():
        if isinstance(value, Provider) and value.make.__module__ == module.__name__:
            yield value


@dataclass(frozen=True)
class Catalogue:
    """Everything that a run can use. Made once by :func:`load_catalogue`."""

    rules: tuple[Rule, ...]
    graph: ProviderGraph
    dialects: tuple[Dialect, ...]
    formats: tuple[Format, ...]
    manager: pluggy.PluginManager

    def rule(self, word: str) -> Rule | None:
        """The rule of this code or name (any case), or None."""
        wanted = word.strip().casefold()
        for candidate in self.rules:
            if wanted in {candidate.code.casefold(), candidate.name}:
                return candidate
        return None

    def format(self, name: str) -> Format | None:
        """The output format of this name, or None."""
        return next((candidate for candidate in self.formats if candidate.name == name), None)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of all rules, sorted."""
        return tuple(sorted({rule.family for rule in self.rules}))

    def describe(self) -> dict[str, RuleInfo]:
        """The rules by code, as documentation and formats describe them."""
        return {
            rule.code: RuleInfo(rule.code, rule.name, rule.family, rule.severity, rule.summary, rule.why, rule.fix)
            for rule in self.rules
        }


def load_catalogue(
    *, rule_files: Sequence[Path] = (), plugins: Sequence[str] = (), entry_point_plugins: bool = True
) -> Catalogue:
    """Load plug-ins from entry points and by module name, and local rule files.

    Raises :class:`PluginError` when a plug-in cannot be imported or implements an unknown hook, and
    :class:`DefinitionError` when two rules share a code or name, or a rule or provider asks for a type that nothing
    provides.
    """
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    if entry_point_plugins:
        _load_entry_points(manager)
    for name in plugins:
        _register(manager, name, _import(name, f"plug-in {name!r}"))
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as problem:
        raise PluginError(f"a plug-in implements a hook that does not exist: {problem}") from problem
    rules: list[Rule] = _called(manager, "evidence_lint_rules", Rule)
    providers: list[Provider] = _called(manager, "evidence_lint_providers", Provider)
    dialects: list[Dialect] = _called(manager, "evidence_lint_dialects", Dialect)
    formats: list[Format] = _called(manager, "evidence_lint_formats", Format)
    for path in rule_files:
        for definition in definitions_in(_import_file(path)):
            (rules if isinstance(definition, Rule) else providers).append(definition)  # type: ignore[arg-type]
    _refuse_duplicates(rules)
    graph = ProviderGraph(providers, [dialect.bundle_type for dialect in dialects], RUN_TYPES)
    graph.check(rules)
    rules.sort(key=lambda rule: rule.code)
    return Catalogue(
        tuple(rules),
        graph,
        tuple(sorted(dialects, key=lambda dialect: dialect.name)),
        tuple(sorted(formats, key=lambda format_: format_.name)),
        manager,
    )


def _load_entry_points(manager: pluggy.PluginManager) -> None:
    for point in sorted(entry_points(group=hooks.PROJECT), key=lambda point: point.name):
        if manager.has_plugin(point.value):
            continue
        try:
            module = point.load()
        except EvidenceLintError:
            raise
        except Exception as problem:
            raise PluginError(
                f"plug-in {point.value!r} (entry point {point.name!r}) cannot be loaded: "
                f"{type(problem).__name__}: {problem}"
            ) from problem
        _register(manager, point.value, module)


def _register(manager: pluggy.PluginManager, name: str, plugin: object) -> None:
    if manager.has_plugin(name) or manager.is_registered(plugin):
        return
    try:
        manager.register(plugin, name=name)
    except pluggy.PluginValidationError as problem:
        raise PluginError(f"plug-in {name!r}: {problem}") from problem


def _import(name: str, what: str) -> ModuleType:
    try:
        return import_module(name)
    except EvidenceLintError:
        raise
    except Exception as problem:
        raise PluginError(f"{what} cannot be loaded: {type(problem).__name__}: {problem}") from problem


def _import_file(path: Path) -> ModuleType:
    name = "evidence_lint_local_" + "".join(c if c.isalnum() else "_" for c in str(path.resolve()))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"rule file {path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except EvidenceLintError:
        del sys.modules[name]
        raise
    except Exception as problem:
        del sys.modules[name]
        raise PluginError(f"rule file {path} cannot be loaded: {type(problem).__name__}: {problem}") from problem
    return module


def _called(manager: pluggy.PluginManager, hook: str, kind: type[T]) -> list[T]:
    found: list[T] = []
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        for value in _values(implementation.function(), implementation.plugin_name, hook):
            if not isinstance(value, kind):
                raise PluginError(
                    f"plug-in {implementation.plugin_name!r}: {hook} returned {value!r}, no {kind.__name__}"
                )
            found.append(value)
    return found


def _values(returned: object, plugin: str, hook: str) -> Iterable[object]:
    if returned is None:
        return ()
    if not isinstance(returned, Iterable):
        raise PluginError(f"plug-in {plugin!r}: {hook} returned {returned!r}, which cannot be iterated")
    return returned


def _refuse_duplicates(rules: Iterable[Rule]) -> None:
    seen: dict[str, Rule] = {}
    for rule in rules:
        for key in (rule.code, rule.name):
            other = seen.setdefault(key, rule)
            if other is not rule:
                raise DefinitionError(f"{key!r} is the rule of both {other.module} and {rule.module}")
