"""The frame of the commands: argparse with its words from the string tables."""

import argparse
from collections.abc import Iterable, Sequence
from typing import NoReturn, Protocol

from web.strings import text
from web.version import own_version

WRONG_INPUT = 2
"""The exit code for wrong input."""


class Commands(Protocol):
    """The subcommands of `dreyer`, as argparse keeps them."""

    def add_parser(
        self,
        name: str,
        *,
        help: str | None = ...,  # noqa: A002 - argparse calls it so
        description: str | None = ...,
        add_help: bool = ...,
        formatter_class: type[argparse.HelpFormatter] = ...,
    ) -> argparse.ArgumentParser:
        """One more command."""
        ...


class CommandParser(argparse.ArgumentParser):
    """A parser that reports a wrong command line in one line."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, in argparse's words, and exit."""
        wrong = text("command.wrong_line", program=self.prog, reason=message)
        self.exit(WRONG_INPUT, f"{wrong}\n")


class _Version(argparse.Action):
    """Prints the version; read only then, because that takes as long as a short command."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        help: str | None = None,  # noqa: A002 - argparse calls it so
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it and exit."""
        print(f"{parser.prog} {own_version()}")
        parser.exit()


class TranslatedFormatter(argparse.HelpFormatter):
    """Help whose first word comes from the string tables."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """The line that shows how the command is written; subcommands begin with a prefix."""
        first = str(text("command.help.usage")) if prefix is None else prefix
        super().add_usage(usage, actions, groups, first)


def new_parser() -> CommandParser:
    """The parser of `dreyer` itself, without its commands."""
    parser = CommandParser(
        prog="dreyer",
        description=str(text("command.help.program")),
        add_help=False,
        formatter_class=TranslatedFormatter,
    )
    _add_frame(parser)
    parser.add_argument("--version", action=_Version, help=help_text("command.help.version"))
    return parser


def list_command(commands: Commands, name: str) -> None:
    """One more command for a list of them, with what it is for."""
    commands.add_parser(name, help=help_text(f"command.help.{name}.summary"), add_help=False)


def add_parser(commands: Commands, name: str, **values: object) -> argparse.ArgumentParser:
    """One more command, with what its help says; `values` are put into its description."""
    parser = commands.add_parser(
        name,
        help=help_text(f"command.help.{name}.summary"),
        description=str(text(f"command.help.{name}.description", **values)),
        add_help=False,
        formatter_class=TranslatedFormatter,
    )
    _add_frame(parser)
    return parser


def help_text(key: str, **values: object) -> str:
    """The help of an option or a command, as argparse takes it: a percent sign is doubled."""
    return str(text(key, **values)).replace("%", "%%")


def _add_frame(parser: argparse.ArgumentParser) -> None:
    """The headings of the help, and its own option."""
    parser._positionals.title = str(text("command.help.arguments"))
    parser._optionals.title = str(text("command.help.options"))
    parser.add_argument("-h", "--help", action="help", help=help_text("command.help.help"))
