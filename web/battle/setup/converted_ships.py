"""The set-up of a battle with ships that were carried over from the Basic Game (72)."""

from urllib.parse import urlencode

from combat.conversions import starting_states
from combat.sides import FEWEST_SIDES, Sides, usual
from web.battle.setup.draft import STATE, named_ship
from web.battle.setup.starting_state import written
from web.conversions.address import ChosenShip, ConversionChoice
from web.games.guided_game import guided_rulebook


def set_up_address(chosen: ConversionChoice, sides: Sides) -> str:
    """The set-up of a battle with these ships in their states, for a table of these sides.

    Empty unless ships of two parties float.
    """
    ships = {each.ship.name: each for each in chosen.ships}
    states = starting_states(chosen.conversions)
    rulebook, fresh = guided_rulebook(chosen.ruleset.name), chosen.rules.read_state({}, "")
    pairs: list[tuple[str, str]] = []
    present: set[str] = set()
    for name, state in states.items():
        ship = ships[name]
        side = _fighting_side(ship, sides)
        present.add(side)
        pairs += named_ship(name, ship.type, side)
        if state != fresh:
            pairs.append((f"{STATE}{name}", written(rulebook, state)))
    if len(sides.parties(present)) < FEWEST_SIDES:
        return ""
    return f"/battles/new?{urlencode(pairs)}"


def _fighting_side(ship: ChosenShip, sides: Sides) -> str:
    """Her own side, or that of her nation; without one she sails with the foes of her foes."""
    known = usual()
    nations = known.of_nation(ship.type.nation).key
    friends = known.foes.get(known.foes.get(nations, ""), "")
    keys = sides.fighting.keys
    return next((key for key in (ship.ship.side, nations, friends) if key in keys), keys[0])
