"""Which tests a Python file holds, read from its syntax tree; nothing is imported or run (chapter 5)."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

_LARGEST = 1024 * 1024
_DEEPEST = 20
_BASES_TRIED = 8
_STEPS = 20_000
"""Classes looked at for one name: bases of bases can be exponentially many."""
_NAMES = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_TEST_NAME = re.compile(
    r"(?i:^(?:test|it_|should|check|spec|bench|describe|when_|given|example|suite|load_tests|runtest))|(?i:tests?$|_spec$)"
)
_TEST_CLASS = re.compile(r"(?i:test|spec|suite|case|scenario|should|describe|when|given)")
_PLAIN_BASES = frozenset({"object", "TestCase", "IsolatedAsyncioTestCase", "Exception", "ValueError", "RuntimeError",
                          "Enum",
                          "NamedTuple", "Protocol", "ABC", "TypedDict", "Generic", "BaseModel"})  # fmt: skip
"""Bases that give a class no tests."""
_MULTIPLYING = frozenset({"expand", "data", "file_data", "parameters", "named_parameters", "product"})
"""Decorators (parameterized, ddt, absl) that make several tests of one, named after it."""
_DYNAMIC = frozenset({"globals", "setattr", "exec", "vars"})


class Presence(Enum):
    """Whether a test is there. ``UNKNOWN``: the file makes definitions when it runs, so that nobody can tell."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Scope:
    """A module, class or function: what it defines.

    ``open`` when it can hold more than can be read; ``imported`` is the name of what is defined in another file.
    """

    members: dict[str, Scope] = field(default_factory=dict[str, "Scope"])
    bases: tuple[str, ...] = ()
    is_class: bool = False
    open: bool = False
    multiplied: bool = False
    imported: str = ""


def read_python(data: bytes) -> Scope:
    """The definitions of a file. A file that does not parse is read by its ``def`` and ``class`` lines."""
    if len(data) <= _LARGEST:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(data)
            return _scope(tree.body, 0)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    names = _NAMES.findall(data.decode("utf-8", "replace"))
    flat = {name: Scope(open=True) for name in names}
    return Scope({**flat, **{name: Scope(dict(flat), is_class=True) for name in names}})


class PythonTests:
    """The definitions of the tested Python files, so that a base class is found in whichever of them has it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._steps = 0
        self.modules = {path: read_python(data) for path, data in files.items() if path.endswith((".py", ".pyi"))}

    def find(self, module: Scope, names: Sequence[str]) -> Presence:
        """Whether ``Class``, ``Class::method`` or ``function`` is defined in a file."""
        self._steps = _STEPS
        return self._find(module, module, names, 0)

    def anywhere(self, module: Scope, name: str) -> Presence:
        """Whether a class, function or method of this name is defined in a file, at any depth."""
        self._steps = _STEPS
        found = [self._find(module, module, [name], 0)]
        found += [self._find(scope, module, [name], 0) for scope in module.members.values() if scope.is_class]
        if Presence.YES in found:
            return Presence.YES
        return Presence.UNKNOWN if Presence.UNKNOWN in found else Presence.NO

    def _find(self, scope: Scope, module: Scope, names: Sequence[str], depth: int) -> Presence:
        if not names:
            return Presence.YES
        self._steps -= 1
        if depth > _DEEPEST or self._steps < 0:
            return Presence.UNKNOWN
        if names[0] in scope.members:
            return self._find(scope.members[names[0]], module, names[1:], depth + 1)
        if any(other.multiplied and names[0].startswith(f"{name}_") for name, other in scope.members.items()):
            return Presence.YES
        bases = (scope.imported,) if scope.imported else scope.bases
        found = [self._inherited(base, module, names, depth) for base in bases]
        if Presence.YES in found:
            return Presence.YES
        return Presence.UNKNOWN if scope.open or Presence.UNKNOWN in found else Presence.NO

    def _inherited(self, base: str, module: Scope, names: Sequence[str], depth: int) -> Presence:
        """Whether a base class has it: one of the same file, else one of that name in another tested file."""
        own = module.members.get(base)
        if own is not None and not own.imported:
            return self._find(own, module, names, depth + 1)
        name = own.imported if own is not None else base.rpartition(".")[2]
        others = [other for other in self.modules.values() if other is not module and name in other.members]
        found = [self._find(other.members[name], other, names, depth + 1) for other in others[:_BASES_TRIED]]
        if Presence.YES in found:
            return Presence.YES
        return Presence.UNKNOWN if Presence.UNKNOWN in found else Presence.NO


def is_test_name(name: str) -> bool:
    """Whether a function may be a test by its name; the common settings of ``python_functions`` are allowed for."""
    return _TEST_NAME.search(name) is not None


def holds_tests(scope: Scope) -> bool:
    """Whether a module or class holds a test, or may hold one that cannot be read from it."""
    if scope.open or scope.multiplied:
        return True
    for name, member in scope.members.items():
        if member.is_class and (member.bases or _TEST_CLASS.search(name)) and _has_methods(member):
            return True
        if not member.is_class and not member.imported and is_test_name(name):
            return True
        if member.imported and (_TEST_CLASS.search(member.imported) or is_test_name(member.imported)):
            return True
    return False


def _has_methods(scope: Scope) -> bool:
    inherited = any(base.rpartition(".")[2] not in _PLAIN_BASES for base in scope.bases)
    return (
        scope.open or inherited or any(is_test_name(name) or inner.multiplied for name, inner in scope.members.items())
    )


def test_names(module: Scope) -> Iterator[tuple[str, ...]]:
    """The names of everything that may be a test, classes before their methods."""
    for name, scope in module.members.items():
        yield (name,)
        if scope.is_class:
            yield from ((name, member) for member in scope.members)


def _scope(body: Sequence[ast.stmt], depth: int) -> Scope:
    scope = Scope()
    if depth > _DEEPEST:
        scope.open = True
        return scope
    for statement in body:
        _define(scope, statement, depth)
    return scope


def _define(scope: Scope, statement: ast.stmt, depth: int) -> None:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            names = {_last_name(decorator) for decorator in statement.decorator_list}
            scope.members[statement.name] = Scope(multiplied=bool(names & _MULTIPLYING))
        case ast.ClassDef():
            inner = _scope(statement.body, depth + 1)
            inner.is_class = True
            inner.bases = tuple(_dotted(base) for base in statement.bases)
            inner.open |= any(not _harmless(decorator) for decorator in statement.decorator_list)
            scope.members[statement.name] = inner
        case ast.Import() | ast.ImportFrom():
            for alias in statement.names:
                if alias.name == "*":
                    scope.open = True
                else:
                    local = (alias.asname or alias.name).partition(".")[0]
                    scope.members.setdefault(local, Scope(imported=alias.name.rpartition(".")[2]))
        case ast.Assign() | ast.AnnAssign():
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                if isinstance(target, ast.Name):
                    scope.members[target.id] = Scope(open=True)
                elif _is_dynamic(target):
                    scope.open = True
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
            _branches(scope, statement, depth)
        case ast.Expr() if _is_dynamic(statement.value):
            scope.open = True
            for member in scope.members.values():
                member.open |= member.is_class
        case _:
            pass


def _branches(scope: Scope, statement: ast.If | ast.Try | ast.With | ast.For | ast.While, depth: int) -> None:
    bodies = [statement.body, getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]
    if isinstance(statement, ast.Try):
        bodies += [handler.body for handler in statement.handlers]
    if depth > _DEEPEST:
        scope.open = True
        return
    for body in bodies:
        for inner in body:
            _define(scope, inner, depth + 1)


def _is_dynamic(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id in _DYNAMIC for part in ast.walk(node))


def _harmless(decorator: ast.expr) -> bool:
    """Whether a class decorator makes no tests: marks, skips, usefixtures."""
    dotted = _dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return dotted.startswith(("pytest.", "mark.", "unittest.", "skip", "override_settings", "tag", "dataclass"))


def _last_name(decorator: ast.expr) -> str:
    return _dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2]


def _dotted(node: ast.expr) -> str:
    """``a.b.C`` of a name, attribute or subscript (``Generic[T]``); ``?`` for any other expression."""
    parts: list[str] = []
    while True:
        match node:
            case ast.Attribute():
                parts.append(node.attr)
                node = node.value
            case ast.Subscript():
                node = node.value
            case ast.Name():
                return ".".join([node.id, *reversed(parts)])
            case _:
                return "?"
