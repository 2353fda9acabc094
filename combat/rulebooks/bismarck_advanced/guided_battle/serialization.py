"""Actions, set-ups, marks and events as journals, exports and requests have them.

A journal has an action by its own fields. Journals of version 0.1.0 name an action's kind, its
side and its data, and some fields of the data otherwise: `_fields` knows how.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Final

from pydantic import AfterValidator

from combat.guided_actions import (
    BattleAction,
    BattleOptions,
    BattleSetup,
    Entrant,
    Opening,
    StartingMarks,
)
from combat.guided_play import RulebookSchemas
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.guided_battle.actions import (
    ACTION_TYPES,
    Designate,
    Plot,
    Reduce,
)
from combat.rulebooks.bismarck_advanced.guided_battle.setup import (
    AdvancedSetup,
    SetupShip,
    StoredState,
)
from combat.views import FireOrderView, FireRateView, PlotView
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.schema import Schema, UnionSchema, describe_value

_FOR_SIDE: Final = ("commit", "uncommit")


def _with_sides(setup: AdvancedSetup) -> AdvancedSetup:
    """The set-up; without sides, they are those of the ships."""
    present = tuple(dict.fromkeys(ship.side for ship in setup.ships))
    return setup if setup.sides else replace(setup, sides=present)


SCHEMAS: Final = RulebookSchemas(
    action=UnionSchema(ACTION_TYPES, "action"),
    setup=Schema(Annotated[AdvancedSetup, AfterValidator(_with_sides)], "setup"),
    marks=Schema(StoredState, "state"),
    options=Schema(Options, "options"),
)
_PLOT: Final[Schema[Plot]] = Schema(Plot, "plot")
_DESIGNATE: Final[Schema[Designate]] = Schema(Designate, "designate")
_REDUCE: Final[Schema[Reduce]] = Schema(Reduce, "reduce")
_SETUP: Final[Schema[AdvancedSetup]] = Schema(AdvancedSetup, "setup")


def read_version_1(kind: str, data: Mapping[str, object], side: str | None) -> BattleAction:
    """The action that an entry of version 0.1.0 has: kind, data and side apart."""
    return SCHEMAS.action.read(_fields(kind, data, side))


def plot(ship: str, written: PlotView, side: str | None) -> Plot:
    """A plot as a form has it, every value within its limits."""
    stated = {**asdict(written), "smoke_side": written.smoke_side or None}
    return _PLOT.read({"side": side, "ship": ship, **stated})


def designation(ship: str, orders: Sequence[FireOrderView], side: str | None) -> Designate:
    """Fire orders as a form has them; a battery or a turret may be any text there."""
    written = {"side": side, "ship": ship, "orders": [asdict(order) for order in orders]}
    return _DESIGNATE.read(written)


def reduction(ship: str, rates: Sequence[FireRateView], side: str | None) -> Reduce:
    """Rates of fire as a form has them: the turrets that fire with fewer guns."""
    written = [
        {
            "target": rate.target,
            "battery": rate.battery,
            "guns": {turret.name: turret.firing for turret in rate.reduced},
        }
        for rate in rates
        if rate.reduced
    ]
    return _REDUCE.read({"side": side, "ship": ship, "rates": written})


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
        options=Options() if opening.options is None else known_options(opening.options),
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


def known_options(options: BattleOptions) -> Options:
    """The options, if they are of this rulebook."""
    if not isinstance(options, Options):
        raise DreyerError("advanced.set_up.other_options")
    return options


def known_setup(setup: BattleSetup) -> AdvancedSetup:
    """The set-up, if it is one of this rulebook's."""
    if not isinstance(setup, AdvancedSetup):
        raise DreyerError("advanced.set_up.other_rulebook")
    return setup


def _fields(kind: str, data: Mapping[str, object], side: str | None) -> dict[str, object]:
    """The fields of an action as it has them."""
    found: dict[str, object] = dict(data)
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
