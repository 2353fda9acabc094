"""The two parties of the rules, and the nations of each (62.3, 65.1, 65.2)."""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from tabletop.schema import Schema, file_document

_SOURCE: Final = "nations.toml"


class Party(StrEnum):
    """The rows of the ammunition table."""

    ALLIED = "allied"
    GERMAN = "german"


@file_document
class _Parties:
    """The nations of each party, and the party of all other nations."""

    others: Party
    german: tuple[str, ...] = ()
    allied: tuple[str, ...] = ()


@cache
def _parties() -> _Parties:
    data = (files("combat.rulebooks.bismarck_advanced") / _SOURCE).read_bytes()
    found: _Parties = Schema(_Parties).read_toml(data, _SOURCE)
    return found


@cache
def party_of(nation: str) -> Party:
    """The party of a nation; unlisted nations belong to the file's default party."""
    parties = _parties()
    if nation in parties.allied:
        return Party.ALLIED
    return Party.GERMAN if nation in parties.german else parties.others
