"""``evidence-lint new-rule``: write the skeleton of a rule that already loads and whose examples already run."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

import click

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.errors import OutputError, UsageError

_SKELETON = '''"""Rule {code} {name}."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected, research_example
from evidence_lint.model.report import StatedFinding
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule


@rule(
    "{code}",
    "{name}",
    severity=Severity.WARNING,
    passes=[research_example("A finding with a title")],
    fails=[
        research_example(
            "A finding without a title",
            Expected("this finding has no title", at="- (Medium confidence): Something holds. [1]"),
            sections={{4: "- (Medium confidence): Something holds. [1]"}},
        ),
    ],
)
def {function}(finding: StatedFinding) -> Iterator[Problem]:
    """Every finding has a title.

    Why: say here what goes wrong when the rule is broken.

    Fix: say here what the author can do.
    """
    if not finding.title:
        yield Problem("this finding has no title", finding.location, help="Begin the bullet with a bold title.")
'''


@click.command(name="new-rule")
@click.argument("code")
@click.argument("name")
@click.option(
    "--output", "output", type=click.Path(path_type=Path), metavar="FILE", help="Where to write it (default: NAME.py)."
)
def command(code: str, name: str, output: Path | None) -> None:
    """Write the skeleton of a rule with a CODE (ACME101) and a NAME (finding-title-missing)."""
    if not re.fullmatch(r"[A-Z]{2,8}[0-9]{3}", code):
        raise UsageError(f"{code!r} is no code: capital letters and three digits, as ACME101")
    if not re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", name):
        raise UsageError(f"{name!r} is no name: lower-case words joined by hyphens, as finding-title-missing")
    for word in (code, name):
        taken = load_catalogue().rule(word)
        if taken is not None:
            raise UsageError(f"{word} is the rule {taken.code} {taken.name} already")
    function = name.replace("-", "_")
    function += "_" if iskeyword(function) else ""
    path = output or Path(f"{function}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(_SKELETON.format(code=code, name=name, function=function))
    except FileExistsError as problem:
        raise OutputError(f"{path} exists already and is left as it is") from problem
    except OSError as problem:
        raise OutputError(f"{path} cannot be written: {problem.strerror}") from problem
    click.echo(
        f"{path} written. {_next_step(path)}\n\n"
        "Its examples are its tests; run them with evidence_lint.testing (see CONTRIBUTING.md)."
    )


def _next_step(path: Path) -> str:
    """How the rule is made to run: by a configuration, or by the package that it lies in."""
    package = _package_around(path)
    if package is not None and package.endswith("_rules"):
        return (
            f"It lies in the package {package}; where that gathers its rules with rules_in_package, as the built-in "
            "one does, nothing needs to be configured."
        )
    return f'Name it in the configuration to run it:\n\n    [tool.evidence-lint]\n    rules = ["{path.as_posix()}"]'


def _package_around(path: Path) -> str | None:
    """The name of the outermost Python package that a file lies in, or None."""
    folder, name = path.absolute().parent, None
    while (folder / "__init__.py").is_file():
        folder, name = folder.parent, folder.name
    return name
