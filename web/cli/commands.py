"""What each command adds itself to."""

from argparse import ArgumentParser
from typing import Protocol


class Commands(Protocol):
    """The subcommands of `dreyer`, as argparse keeps them."""

    def add_parser(
        self,
        name: str,
        *,
        help: str | None = ...,  # noqa: A002 - argparse calls it so
        description: str | None = ...,
    ) -> ArgumentParser:
        """One more command."""
        ...
