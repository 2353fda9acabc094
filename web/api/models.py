"""Requests and responses that several routes use."""

from tabletop.schema import document


@document
class Nothing:
    """An empty object."""


@document
class Done:
    """The number of the newest change."""

    seq: int


@document
class FaultWords:
    """The error in one sentence with its remedy, and its field."""

    message: str
    field: str | None


@document
class FaultAnswer:
    """The body of every error."""

    error: FaultWords
