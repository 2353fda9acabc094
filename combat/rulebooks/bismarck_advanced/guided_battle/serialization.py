"""Actions and set-ups as journals, exports and requests have them.

A journal has an action by its own fields. Requests, and journals of version 0.1.0, name an action's
kind, its side and its data, and some fields of the data otherwise: `_fields` knows how.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field

from combat.guided_actions import BattleSetup, Entrant, Opening, StartingMarks
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.guided_battle.actions import AdvancedAction
from combat.rulebooks.bismarck_advanced.guided_battle.setup import (
    AdvancedSetup,
    SetupShip,
    StoredState,
)
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.schema import Schema, describe_value

_ACTIONS: Final[Schema[AdvancedAction]] = Schema(
    Annotated[AdvancedAction, Field(discriminator="kind")], "action"
)
_SETUP: Final[Schema[AdvancedSetup]] = Schema(AdvancedSetup, "setup")
_MARKS: Final[Schema[ShipState]] = Schema(StoredState, "state")
_FOR_SIDE: Final = ("commit", "uncommit")


def read_action(document: object) -> AdvancedAction:
    """The action that an entry of a journal or an export has."""
    return _ACTIONS.read(document)


def read_request(kind: str, data: Mapping[str, Any], side: str | None) -> AdvancedAction:
    """The action that a side asks for, or that an entry of version 0.1.0 has."""
    return _ACTIONS.read(_fields(kind, data, side))


def write_action(action: AdvancedAction) -> dict[str, Any]:
    """An action as a journal keeps it."""
    side = {} if action.side is None else {"side": action.side}
    return {"kind": action.kind, **side, **_ACTIONS.write(action)}


def set_up(opening: Opening) -> AdvancedSetup:
    """The set-up of an opening, every value within its limits."""
    conditions = opening.conditions
    setup = AdvancedSetup(
        title=opening.title,
        sides=opening.sides,
        allies=opening.allies,
        order_of_fire=opening.order_of_fire,
        hidden=opening.hidden,
        follows=opening.follows,
        ships=tuple(map(_setup_ship, opening.ships)),
        visibility=conditions.visibility,
        night=conditions.night,
        starting_range_yards=conditions.starting_range_yards,
        smoke=opening.smoke,
    )
    return _SETUP.check(setup)


def _setup_ship(ship: Entrant) -> SetupShip:
    return SetupShip(
        name=ship.name,
        type=ship.type,
        side=ship.side,
        pose=ship.pose,
        base=ship.base,
        number=ship.number,
        state=None if ship.marks is None else known_marks(ship.marks),
    )


def known_marks(marks: StartingMarks) -> ShipState:
    """The marks, if they are of this rulebook."""
    if not isinstance(marks, ShipState):
        raise DreyerError("advanced.set_up.other_marks")
    return marks


def read_marks(document: object, place: str = "") -> ShipState:
    """The marks that a scenario, a request or a journal has."""
    return _MARKS.read(document, place)


def write_marks(marks: StartingMarks) -> dict[str, Any]:
    """Marks as a journal keeps them."""
    return _MARKS.write(known_marks(marks))


def write_setup(setup: BattleSetup) -> dict[str, Any]:
    """A set-up as a journal keeps it."""
    return _SETUP.write(known_setup(setup))


def known_setup(setup: BattleSetup) -> AdvancedSetup:
    """The set-up, if it is one of this rulebook's."""
    if not isinstance(setup, AdvancedSetup):
        raise DreyerError("advanced.set_up.other_rulebook")
    return setup


def read_setup(document: object) -> AdvancedSetup:
    """The set-up that a document describes; without sides, they are those of the ships."""
    setup = _SETUP.read(document)
    present = tuple(dict.fromkeys(ship.side for ship in setup.ships))
    return setup if setup.sides else replace(setup, sides=present)


def _fields(kind: str, data: Mapping[str, Any], side: str | None) -> dict[str, Any]:
    """The fields of an action as it has them."""
    found: dict[str, Any] = dict(data)
    if "kind" in found:
        raise DreyerError("advanced.order.kind_twice", kind=kind)
    acts_for = found.pop("side", None)
    if kind in _FOR_SIDE and acts_for is not None:
        found["for_side"] = acts_for
    elif kind == "move" and isinstance(found.get("accept"), bool):
        found["accept_all"] = found.pop("accept")
    elif kind == "correct" and found.get("ship") is None and "values" in found:
        found["conditions"] = found.pop("values")
    elif kind == "rule" and found.get("next") is not None:
        following = found.pop("next")
        if not isinstance(following, Mapping):
            raise BadField("rule", "next", Message("schema.object"), describe_value(following))
        kind = "roll_next"
        found.pop("who", None)
        found |= following
    return {**found, "kind": kind, "side": side}
