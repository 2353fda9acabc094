"""Which of the two parties of the rules a nation's ships belong to (62.3, 65.1, 65.2)."""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from tabletop.fields import Fields, parse_toml

_SOURCE: Final = "nations.toml"


class Party(StrEnum):
    """The rows of the ammunition table."""

    ALLIED = "allied"
    GERMAN = "german"


@cache
def party_of(nation: str) -> Party:
    """The party of a nation; one that the file does not list has a party there too."""
    data = (files("combat.rulebooks.bismarck_advanced") / _SOURCE).read_bytes()
    fields = Fields(parse_toml(data, _SOURCE), _SOURCE, ("others", *Party))
    for party in Party:
        if nation in fields.texts(party):
            return party
    return Party(fields.choice("others", list(Party)))
