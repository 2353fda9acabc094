"""A rulebook ready to play: its rules with the owner's table values and the players' cards."""

from pathlib import Path
from typing import Any

from combat.free_play import FreeRulebook
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from web.owner.cards.files import library_in
from web.owner.tables.files import effective_tables


def open_rulebook(name: object, data_folder: Path, place: str) -> FreeRulebook[Any]:
    """The rulebook of this name with what is kept in a data folder."""
    if not isinstance(name, str):
        raise DreyerError("errors.not_a_ruleset", place=place, name=repr(name))
    ruleset = library_in(data_folder, [get_ruleset(name, place).name]).get(name)
    if ruleset.rulebook is None:
        raise DreyerError("errors.resolves_no_fire", ruleset=ruleset.name)
    return ruleset.rulebook(effective_tables(ruleset.name, data_folder))
