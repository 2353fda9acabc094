"""Requests and answers that several routes have."""

from tabletop.schema import document


@document
class Nothing:
    """An empty object."""


@document
class Done:
    """Done; the number of the newest change."""

    seq: int


@document
class FaultWords:
    """What is wrong, in one sentence with its remedy, and the field it is about."""

    message: str
    field: str | None


@document
class FaultAnswer:
    """Every fault is told like this."""

    error: FaultWords
