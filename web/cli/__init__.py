"""The command `dreyer`: one module for each family of subcommands."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from tabletop.errors import DreyerError
from web.cli.commands import WRONG_INPUT, list_command, new_parser
from web.language_files import ENGLISH
from web.strings import ON_COMMAND_LINE, check_language, in_language, text, words

MODULES: Final = {
    "serve": "serve",
    "check": "check",
    "resolve": "fire",
    "forecast": "fire",
    "replay": "replay",
    "convert": "convert",
    "tables": "tables",
    "verify": "verify",
    "rulesets": "verify",
    "sheets": "sheets",
    "render": "render",
    "locate": "locate",
    "calibrate": "calibrate",
    "camera": "camera",
    "doctor": "doctor",
    "balance": "balance",
}
"""The module of each command, in the order of the help."""
LANGUAGE_VARIABLE: Final = "DREYER_LANGUAGE"
"""The environment variable for the language of the commands: a code, or a file of strings."""


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one command, or else of the list of all.

    Only the module of the one command is imported: those of all take longer than most commands.
    """
    parser = new_parser()
    commands = parser.add_subparsers(
        title=str(text("command.help.commands")), metavar="COMMAND", required=True
    )
    if command in MODULES:
        import_module(f"web.cli.{MODULES[command]}").add_command(commands)
    else:
        for name in MODULES:
            list_command(commands, name)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # On Windows redirected output has an old code page, which lacks ± and ◌.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    given = sys.argv[1:] if arguments is None else arguments
    language = os.environ.get(LANGUAGE_VARIABLE) or ENGLISH
    before = ON_COMMAND_LINE.set(True)
    try:
        check_language(language)
        with in_language(language):
            result = _run(given)
    except DreyerError as error:
        # Only the language file can be wrong here.
        print(f"dreyer: {words(error)}", file=sys.stderr)
        return WRONG_INPUT
    finally:
        ON_COMMAND_LINE.reset(before)
    return result


def _run(given: Sequence[str]) -> int:
    try:
        result = _start_or_open() if not given else _run_command(given)
        sys.stdout.flush()
    except DreyerError as error:
        print(f"dreyer: {words(error)}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:
        # The reader of a pipe has closed it; Python must not report an error at exit.
        _give_up_output()
        return 1
    except OSError as error:
        reason = error.strerror or str(error)
        print(text("command.no_output", reason=reason), file=sys.stderr)
        _give_up_output()
        return 1
    except KeyboardInterrupt:
        return 130
    return result


def _run_command(given: Sequence[str]) -> int:
    options = build_parser(given[0]).parse_args(given)
    result: int = options.run(options)
    return result


def _start_or_open() -> int:
    from web.cli.open_table import open_table

    return open_table(_run_command)


def _give_up_output() -> None:
    """Redirect output to nowhere, so that Python's flush at exit does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
