"""A rulebook with the owner's table values and the players' cards."""

from pathlib import Path

from combat.free_play import FreeRulebook
from combat.rulebook_info import Ruleset
from combat.rulebooks import get_ruleset
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import PlaceLike, shorten
from web.owner.cards.files import library_in
from web.owner.tables.files import effective_tables


def open_rulebook(
    name: object, data_folder: Path, place: PlaceLike, edition: object = None
) -> FreeRulebook[object]:
    """The rulebook of this name with the data of a data folder.

    Name and edition are as in a file; without an edition it is the latest.
    """
    if not isinstance(name, str):
        raise DreyerError("errors.not_a_ruleset", place=place, name=repr(name))
    ruleset = library_in(data_folder, [get_ruleset(name, place).name]).get(name)
    if edition is not None:
        ruleset = ruleset.of_edition(_known_edition(ruleset, edition, place))
    if ruleset.rulebook is None:
        raise DreyerError("errors.resolves_no_fire", ruleset=ruleset.name)
    return ruleset.rulebook(effective_tables(ruleset.name, data_folder, ruleset.edition))


def _known_edition(ruleset: Ruleset, edition: object, place: PlaceLike) -> int:
    known = sorted((ruleset.edition, *ruleset.earlier))
    if isinstance(edition, bool) or not isinstance(edition, int) or edition not in known:
        expected = Message("schema.choice", choices=tuple(map(str, known)))
        raise BadField(place, "edition", expected, shorten(repr(edition)))
    return edition
