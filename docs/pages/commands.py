"""The command line, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from evidence_lint.cli import cli
from evidence_lint.engine.catalogue import load_catalogue
from pages.text import code, paragraphs, prose, table, word


def pages() -> Iterator[tuple[str, str]]:
    """The reference of the command line, and that of the output formats."""
    yield "reference/command-line.md", "\n\n".join(_all()) + "\n"
    yield "reference/formats.md", _formats()


def _all() -> Iterator[str]:
    yield "# Command line"
    yield (
        "`evidence-lint` and `python -m evidence_lint` are one program. Statuses: see "
        "[exit statuses](exit-statuses.md). RULE is a code (`WEB104`), a name (`excerpt-not-in-content`), a family "
        "(`WEB`), the beginning of a code (`WEB10`) or `ALL`; options that take one may be repeated or given commas."
    )
    group = click.Context(cli, info_name="evidence-lint")
    for name in cli.list_commands(group):
        command = cli.get_command(group, name)
        if command is not None:
            yield from _command(command, ["evidence-lint", name], 2)


def _command(command: click.Command, words: Sequence[str], level: int) -> Iterator[str]:
    context = click.Context(command, info_name=" ".join(words))
    yield f"{'#' * level} {' '.join(words[1:])}"
    yield code(" ".join([*words, *command.collect_usage_pieces(context)]))
    yield paragraphs(command.help or "")
    rows = [row for parameter in command.get_params(context) if (row := _option(parameter, context)) is not None]
    yield table(("option", "meaning"), rows)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _command(inner, [*words, name], level + 1)


def _option(parameter: click.Parameter, context: click.Context) -> tuple[str, str] | None:
    record = parameter.get_help_record(context)
    if record is None:
        return None
    names, text = record
    if not text:
        return None
    return word(names), prose(text)


def _formats() -> str:
    rows = [(word(row.name), prose(row.description)) for row in load_catalogue().formats]
    return (
        "\n\n".join(
            [
                "# Output formats",
                "`--format NAME` chooses one; an `--output FILE` behind it sends it to a file, and several "
                "pairs may be given "
                "in one run. At most one format goes to standard output. An `--output` without a format before "
                "it takes the "
                "one that its suffix suggests (`.json`, `.sarif`, `.xml` for junit, `.html`, `.md`, `.txt`).",
                table(("name", "for"), rows),
                "The document of `json` is described [on a page of its own](schemas/results.md).",
                "Colours are used on a terminal only, and not under `NO_COLOR`; `--color` decides otherwise. "
                "What is printed "
                "is sorted, and two runs on the same input print the same, but for times and durations of live "
                "captures.",
            ]
        )
        + "\n"
    )
