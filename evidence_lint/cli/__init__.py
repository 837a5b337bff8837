"""The command line: one thin file a command, each imported only when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click

from evidence_lint.errors import DefinitionError, EvidenceLintError, OutputError, UsageError
from evidence_lint.version import __version__

_COMMANDS = {
    "baseline": "evidence_lint.cli.baseline",
    "capture": "evidence_lint.cli.capture",
    "check": "evidence_lint.cli.check",
    "doctor": "evidence_lint.cli.doctor",
    "explain": "evidence_lint.cli.explain",
    "init": "evidence_lint.cli.init",
    "lsp": "evidence_lint.cli.lsp",
    "new-rule": "evidence_lint.cli.new_rule",
    "pin": "evidence_lint.cli.pin",
    "receipt": "evidence_lint.cli.receipt",
    "rules": "evidence_lint.cli.rules",
    "schema": "evidence_lint.cli.schema",
    "snapshot": "evidence_lint.cli.snapshot",
}

_PROGRAM = "evidence-lint"
_COMPLETION = "_EVIDENCE_LINT_COMPLETE"
"""The variable by which a shell asks for completions."""

OK, INTERRUPTED, INTERNAL_ERROR, USAGE_ERROR = 0, 2, 3, 4


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return its ``command``."""
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(_COMMANDS[cmd_name]).command
        return command if isinstance(command, click.Command) else None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="evidence-lint")
def cli() -> None:
    """Check finished research reports against their evidence: pytest for evidence.

    Exit status: 0 all passed, 1 some failed, 2 interrupted, 3 internal error, 4 usage or configuration error, 5 nothing
    to check.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # No character of a report shall break a message, whatever the encoding of the terminal.
            stream.reconfigure(errors="backslashreplace")
    if _COMPLETION in os.environ:
        cli.main(prog_name=_PROGRAM)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status; every error becomes one message on standard error."""
    try:
        returned = _invoke(sys.argv[1:] if arguments is None else arguments)
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as problem:
        problem.show()
        return USAGE_ERROR
    except (KeyboardInterrupt, click.Abort):
        _tell("interrupted")
        return INTERRUPTED
    except (UsageError, DefinitionError, OutputError) as problem:
        _tell(f"error: {problem}")
        return USAGE_ERROR
    except BrokenPipeError:
        # The reader of a pipe went away (`… | head`): nothing is left to say, and nobody to say it to.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except EvidenceLintError as problem:
        _tell(f"internal error: {problem}")
        return INTERNAL_ERROR
    except SystemExit as request:
        _tell(f"internal error: something tried to end the program with status {request.code!r}")
        return INTERNAL_ERROR
    except Exception as problem:
        if os.environ.get("EVIDENCE_LINT_TRACEBACK"):
            raise
        _tell(
            f"internal error: {type(problem).__name__}: {problem}\n"
            "This is a bug of evidence-lint. Set EVIDENCE_LINT_TRACEBACK=1 to see where, and report it."
        )
        return INTERNAL_ERROR
    return returned if isinstance(returned, int) else OK


def _invoke(arguments: Sequence[str]) -> object:
    # Not `cli.main`, which answers a closed pipe by an exit of its own.
    with cli.make_context(_PROGRAM, list(arguments)) as context:
        return cli.invoke(context)


def _tell(message: str) -> None:
    click.echo(f"evidence-lint: {message}", err=True)
