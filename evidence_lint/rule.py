"""Rules: one definition that is implementation, documentation, severity and tests.

::

    @rule(
        "WEB104",
        "excerpt-not-in-content",
        passes=[research_example("A sentence of the page")],
        fails=[research_example("A paraphrase", Expected("…", pointer="/findings/0/evidence/0/excerpt"), …)],
    )
    def excerpt_in_content(evidence: WebEvidence, pages: Pages) -> Iterator[Problem]:
        \"\"\"The excerpt of a web citation occurs in the extracted text of its page.

        Why: …

        Fix: …
        \"\"\"

The type of the first parameter is the *subject*: the rule runs once for each. The other parameters are *provided*
by their type (:mod:`evidence_lint.provide`), as pytest provides fixtures by name. A rule is pure: it reads its
arguments and yields problems; what is absent or undecidable it says with
:class:`~evidence_lint.errors.Unavailable`.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from evidence_lint.errors import DefinitionError
from evidence_lint.model.example import Example, Examples
from evidence_lint.model.verdict import Problem, Severity

_CODE = re.compile(r"[A-Z]{2,8}[0-9]{3}")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

Check = Callable[..., Iterable[Problem]]


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule as the engine and the documentation see it; calling it runs the check."""

    code: str
    name: str
    severity: Severity
    check: Check
    subject: object
    needs: Mapping[str, object]
    summary: str
    why: str
    fix: str
    examples: Examples
    module: str
    fixable: bool = False

    @property
    def family(self) -> str:
        """The letters of the code: ``WEB`` of ``WEB104``."""
        return self.code.rstrip("0123456789")

    def __call__(self, *args: object, **kwargs: object) -> Iterable[Problem]:
        """Run the check itself."""
        return self.check(*args, **kwargs)


def rule(
    code: str,
    name: str,
    *,
    severity: Severity = Severity.ERROR,
    passes: Sequence[Example],
    fails: Sequence[Example],
    fixable: bool = False,
) -> Callable[[Check], Rule]:
    """Make a function a rule.

    ``code`` is letters and three digits and never reused, ``name`` is words joined by hyphens. At least one passing
    and one failing example are needed; they run as tests. Raises :class:`DefinitionError` at import when the
    definition is incomplete, naming the rule and the part.
    """

    def decorate(check: Check) -> Rule:
        return _define(check, code, name, severity, Examples(tuple(passes), tuple(fails)), fixable)

    return decorate


def _define(check: Check, code: str, name: str, severity: Severity, examples: Examples, fixable: bool) -> Rule:
    what = f"rule {code} ({getattr(check, '__module__', '?')}.{getattr(check, '__name__', '?')})"
    if not _CODE.fullmatch(code):
        raise DefinitionError(f"{what}: a code is capital letters and three digits, as WEB104")
    if not _NAME.fullmatch(name):
        raise DefinitionError(f"{what}: the name {name!r} is not words joined by hyphens")
    if not examples.passes or not examples.fails:
        raise DefinitionError(f"{what}: a passing and a failing example are needed")
    for example in examples.fails:
        if not example.problems:
            raise DefinitionError(f"{what}: failing example {example.title!r} lists no problem")
    for example in examples.passes:
        if example.problems:
            raise DefinitionError(f"{what}: passing example {example.title!r} lists problems")
    summary, why, fix = _documentation(check, what)
    parameters = annotated_parameters(check, what)
    if not parameters:
        raise DefinitionError(f"{what}: a rule takes at least its subject")
    subject, *needs = parameters.items()
    return Rule(
        code=code,
        name=name,
        severity=severity,
        check=check,
        subject=subject[1],
        needs=dict(needs),
        summary=summary,
        why=why,
        fix=fix,
        examples=examples,
        module=check.__module__,
        fixable=fixable,
    )


def annotated_parameters(function: Callable[..., object], what: str) -> dict[str, object]:
    """The parameters of a rule or provider with their types. Raises :class:`DefinitionError` where one has none."""
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError, AttributeError, SyntaxError) as problem:
        raise DefinitionError(f"{what}: an annotation cannot be resolved: {problem}") from problem
    found: dict[str, object] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise DefinitionError(f"{what}: parameter {parameter.name!r} is not a plain one, with its type alone")
        if parameter.name not in hints:
            raise DefinitionError(f"{what}: parameter {parameter.name!r} has no annotation")
        found[parameter.name] = hints[parameter.name]
    return found


def _documentation(check: Check, what: str) -> tuple[str, str, str]:
    text = inspect.getdoc(check)
    if not text:
        raise DefinitionError(f"{what}: the docstring is missing")
    parts = re.split(r"^(Why|Fix):\s+", text, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    for word in ("Why", "Fix"):
        if not found.get(word):
            raise DefinitionError(f"{what}: the docstring has no paragraph that begins with '{word}:'")
    return parts[0].strip(), found["Why"], found["Fix"]


def rules_in(module: ModuleType) -> Iterator[Rule]:
    """The rules that a module itself defines, in the order of their codes."""
    found = [value for value in vars(module).values() if isinstance(value, Rule) and value.module == module.__name__]
    yield from sorted(found, key=lambda rule: rule.code)


def rules_in_package(package: ModuleType) -> Iterator[Rule]:
    """The rules of a package and of every module below it: what a plug-in returns from ``evidence_lint_rules``."""
    yield from rules_in(package)
    for info in sorted(pkgutil.walk_packages(package.__path__, package.__name__ + "."), key=lambda i: i.name):
        yield from rules_in(import_module(info.name))
