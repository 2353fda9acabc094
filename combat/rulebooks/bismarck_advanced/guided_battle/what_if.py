"""The ships of a guided battle as free play has them: for the calculator's what-ifs."""

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType

from combat.free_play import FreeState
from combat.participants import Ship, Side
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks, GunsFired
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.weather import NO_VISIBILITY, WORST_LEVEL


def free_state(state: AdvancedState, names: KnownNames) -> FreeState[object]:
    """A copy of the battle with the ships whose names a viewer may know, as they are marked."""
    order = {side: number for number, side in enumerate(state.sides)}
    found: FreeState[object] = FreeState(
        sides=tuple(Side(key, order_of_fire=number) for key, number in order.items()),
        round_number=state.phase.round_number,
        usual=_usual(state.engagement),
    )
    for ship in state.engagement.combatants:
        if not names.hides(ship.name):
            card = ship.vessel.warship.name
            found = found.with_ship(Ship(ship.name, ship.name, ship.side, card), _marks(ship))
    return found


def _usual(battle: Engagement) -> Mapping[str, object]:
    """The weather of the battle and its optional rules, as a fire is asked for them."""
    # At visibility X fire counts as at the worst level.
    level = WORST_LEVEL if battle.visibility == NO_VISIBILITY else battle.visibility
    return MappingProxyType({**asdict(battle.options), "visibility": level, "night": battle.night})


def _marks(ship: Combatant) -> FightMarks:
    return FightMarks(
        vessel=ship.vessel,
        fired_before=tuple(GunsFired(each.battery, each.target, each.hit) for each in ship.fired),
        hit_before=ship.hit_last_segment,
    )
