"""How captains weigh the harm that they do against the harm that they take, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import Field

from tabletop.schema import Number, Schema, Text, file_document

_Weight = Annotated[Number, Field(ge=0, le=10)]
_Share = Annotated[Number, Field(ge=0, le=1)]


@file_document
class Temperament:
    """A captain's temperament; the file says what each value means."""

    key: Text
    taken: _Weight
    intensity: _Share
    intensity_weight: _Weight
    least_lead: Annotated[Number, Field(ge=-1, le=1)]
    least_hits: _Weight
    break_off_share: _Share


@file_document
class _File:
    """The file of temperaments."""

    temperament: tuple[Temperament, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """The range at which a ship wants to fight, and what she expects there."""

    yards: float
    most: float
    """The most harm, given and taken, that a segment can bring at any range."""
    is_safer: bool
    """Whether she would be hurt much more at some other range."""
    breaks_off: bool = False


@cache
def temperaments() -> Mapping[str, Temperament]:
    """Every temperament, by key."""
    source = files(__package__) / "temperaments.toml"
    read: _File = Schema(_File).read_toml(source.read_bytes(), source.name)
    return {each.key: each for each in read.temperament}
