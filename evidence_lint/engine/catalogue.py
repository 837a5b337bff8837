"""What is installed: rules, providers, dialects and formats, from plug-ins and local rule files, checked at load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pluggy

from evidence_lint import hooks
from evidence_lint.dialect import Dialect
from evidence_lint.engine.context import LATE_TYPES, RUN_TYPES
from evidence_lint.engine.plugins import gather, guarded, import_file, installed_plugins, refuse_distrusted
from evidence_lint.engine.resolve import ProviderGraph
from evidence_lint.errors import DefinitionError, PluginError
from evidence_lint.model.result import Format, RuleInfo
from evidence_lint.provide import Provider
from evidence_lint.rule import Rule, rules_in


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
    *,
    rule_files: Sequence[Path] = (),
    plugins: Sequence[str] = (),
    entry_point_plugins: bool = True,
    distrusted: Path | None = None,
) -> Catalogue:
    """Load plug-ins from entry points and by module name, and local rule files.

    The built-in ones come first, then those of entry points by name, then ``plugins`` and ``rule_files`` as they are
    given; where only one of two things can hold, the later does. Code of plug-ins below the folder ``distrusted`` is
    not run. Raises :class:`PluginError` when a plug-in cannot be imported or implements an unknown hook, and
    :class:`DefinitionError` when two rules, dialects or formats share a code or name, or a rule or provider asks for a
    type that nothing provides.
    """
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    if entry_point_plugins:
        for point in installed_plugins():
            if not manager.has_plugin(point.value):
                what = f"plug-in {point.value!r} (entry point {point.name!r})"
                refuse_distrusted(point.value.partition(":")[0], what, distrusted)
                _register(manager, point.value, guarded(point.load, what))
    for name in plugins:
        what = f"plug-in {name!r}"
        refuse_distrusted(name, what, distrusted)
        _register(manager, name, guarded(partial(import_module, name), what))
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as problem:
        raise PluginError(f"a plug-in implements a hook that does not exist: {problem}") from problem
    rules: list[Rule] = gather(manager, "evidence_lint_rules", Rule)
    providers: list[Provider] = gather(manager, "evidence_lint_providers", Provider)
    dialects: list[Dialect] = gather(manager, "evidence_lint_dialects", Dialect)
    formats: list[Format] = gather(manager, "evidence_lint_formats", Format)
    for path in dict.fromkeys(rule_files):
        definitions = list(definitions_in(import_file(path)))
        if not definitions:
            raise PluginError(f"rule file {path} defines no rule and no provider")
        rules += [definition for definition in definitions if isinstance(definition, Rule)]
        providers += [definition for definition in definitions if isinstance(definition, Provider)]
    _refuse_duplicates(rules)
    _refuse_namesakes("dialects", [dialect.name for dialect in dialects])
    _refuse_namesakes("output formats", [format_.name for format_ in formats])
    graph = ProviderGraph(providers, [dialect.bundle_type for dialect in dialects], RUN_TYPES, LATE_TYPES)
    graph.check(rules)
    rules.sort(key=lambda rule: rule.code)
    return Catalogue(
        tuple(rules),
        graph,
        tuple(sorted(dialects, key=lambda dialect: dialect.name)),
        tuple(sorted(formats, key=lambda format_: format_.name)),
        manager,
    )


def _register(manager: pluggy.PluginManager, name: str, plugin: object) -> None:
    if manager.has_plugin(name) or manager.is_registered(plugin):
        return
    unmarked = [
        word
        for word, value in vars(plugin).items()
        if word.startswith("evidence_lint_") and callable(value) and not hasattr(value, f"{hooks.PROJECT}_impl")
        if getattr(value, "__module__", None) == name
    ]
    if unmarked:
        raise PluginError(f"plug-in {name!r}: {unmarked[0]} lacks the marker @hookimpl, so it would never be called")
    try:
        manager.register(plugin, name=name)
    except pluggy.PluginValidationError as problem:
        raise PluginError(f"plug-in {name!r}: {problem}") from problem


def _refuse_duplicates(rules: Iterable[Rule]) -> None:
    seen: dict[str, Rule] = {}
    for rule in rules:
        for key in (rule.code, rule.name):
            other = seen.setdefault(key, rule)
            if other is not rule:
                raise DefinitionError(f"{key!r} is the rule of both {other.module} and {rule.module}")


def _refuse_namesakes(what: str, names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise DefinitionError(f"{count} {what} are called {name!r}; each needs a name of its own")
