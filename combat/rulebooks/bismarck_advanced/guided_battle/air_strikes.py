"""Air strikes in a guided battle: ordered at the beginning of a round, then rolled (9.14, 27.5)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from combat.dice import BadDice, Dice, DiceByRoll, DiceKind, Roll
from combat.dice_wanted import DiceWanted, short_id
from combat.guided_actions import RollDice
from combat.guided_play import StepKind
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.fire.air_attacks import (
    RaidReport,
    own_antiaircraft,
    resolve_raid,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.guided_battle.actions import AirStrike
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import PhaseDice
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import find
from combat.rulebooks.bismarck_advanced.guided_battle.orders import check_roll
from combat.rulebooks.bismarck_advanced.guided_battle.state import (
    AdvancedState,
    FlownStrike,
    Strike,
)
from combat.rulebooks.bismarck_data.air_waves import (
    TARGETS,
    WORST_VISIBILITY,
    Bomber,
    Wave,
    check_weather,
    stopped_by_fighters,
)
from combat.weather import NO_VISIBILITY, WORST_LEVEL
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef

_MOST_BOXES: Final = 3
"""What one bomb or torpedo does at most to a battleship that it does not sink outright."""


class _LeastDice(DiceByRoll):
    """The dice that have fallen, then sixes: they stop the most planes, and no plane hits."""

    def __init__(self, fallen: Sequence[Roll]) -> None:
        self._fallen = tuple(fallen)
        self.count = 0
        """How many were rolled."""

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll."""
        self.count += 1
        if self.count <= len(self._fallen):
            return self._fallen[self.count - 1]
        return Roll((6, 6) if kind is DiceKind.PAIR else (6,), purpose)


def may_strike(state: AdvancedState, edition: Edition) -> bool:
    """Whether aircraft may attack now: as a round begins, by day, in tolerable weather."""
    battle = state.engagement
    begins = state.kind is StepKind.PLOT and state.segment == 1 and state.strike is None
    flyable = not battle.night and _level(battle) <= WORST_VISIBILITY
    return edition.air_attacks and begins and flyable


def _level(battle: Engagement) -> int:
    """The visibility level; X is worse than any."""
    return WORST_LEVEL + 1 if battle.visibility == NO_VISIBILITY else battle.visibility


def targets(state: AdvancedState, side: str | None) -> tuple[Combatant, ...]:
    """The ships that a side, or the umpire, may order attacked: enemies in action."""
    return tuple(each for each in state.engagement.in_action if each.side != side)


def order_strike(state: AdvancedState, action: AirStrike, edition: Edition) -> AdvancedState:
    """The wave is on its way, and its target is turned up (27.37); its dice are wanted now."""
    if not edition.air_attacks:
        reason = Message("advanced.air.not_in_edition", edition=edition.number)
        raise Forbidden(reason, "27")
    if state.kind is not StepKind.PLOT:
        raise DreyerError(f"advanced.not_now.{state.kind}")
    if state.strike is not None:
        raise DreyerError("advanced.air.waits", ship=ShipRef(state.strike.target))
    if state.segment != 1:
        raise DreyerError("advanced.air.begins_round")
    battle = state.engagement
    check_weather(_level(battle), "27.25", night=battle.night)
    ship = find(state, action.side, action.target)
    if not ship.in_action:
        raise DreyerError("advanced.order.gone", ship=ShipRef(ship.name))
    if ship.side == action.side:
        raise DreyerError("advanced.air.own_ship", ship=ShipRef(ship.name))
    own = own_antiaircraft(ship.vessel)
    strong = own if action.antiaircraft is None else action.antiaircraft
    land = action.zones_to_base is not None
    # Land-based units bring level bombers (27.33).
    bomber = Bomber.LEVEL if land else action.bomber
    wave = Wave(bomber, action.planes, strong, _level(battle), action.in_port)
    side = action.side or _attacker_of(state, ship)
    seen = {name: each for name, each in state.identities.items() if name != ship.name}
    if land and action.escorts:
        raise Forbidden(Message("advanced.air.no_escort"), "28.6")
    stopped = stopped_by_fighters(action.patrol, action.escorts)
    if not land and stopped >= wave.planes:
        raise Forbidden(Message("advanced.air.all_stopped", n=stopped), "28.82")
    strike = Strike(ship.name, side, wave, zones_to_base=action.zones_to_base, stopped=stopped)
    return replace(state, strike=strike, identities=seen)


def _attacker_of(state: AdvancedState, ship: Combatant) -> str:
    """The side whose planes an umpire sends: the first that is an enemy of the ship."""
    foes = [each.side for each in state.engagement.enemies_of(ship)]
    others = [side for side in state.sides if side != ship.side]
    return next((side for side in others if side in foes), others[0])


def strike_wanted(state: AdvancedState, combat_tables: CombatTables) -> DiceWanted | None:
    """The next dice of the strike that is on its way."""
    strike, tables = state.strike, combat_tables.tables
    if strike is None:
        return None
    dice, _ = _played(state, strike, combat_tables, None)
    if dice.ran_out is None:
        return None
    kind, purpose = dice.ran_out
    least = _LeastDice(strike.rolls)
    vessel = state.engagement[strike.target].vessel
    resolve_raid(vessel, strike.wave, strike.zones_to_base, strike.stopped, least, tables)
    left = least.count - len(strike.rolls)
    if combat_tables.edition.futile_roll_takes_no_dice and _may_sink(vessel, strike.wave):
        # She may sink by the next plane and its hit, after which nothing is rolled.
        left = min(left, 2)
    roll = short_id(state.phase, purpose, *(each.faces for each in strike.rolls))
    return DiceWanted(kind, purpose, strike.side, len(strike.rolls) + 1, max(1, left), roll)


def roll_strike(
    state: AdvancedState, action: RollDice, source: Dice, combat_tables: CombatTables
) -> tuple[AdvancedState, tuple[Roll, ...]]:
    """Some dice of the strike; with the last of them its damage counts (27.56)."""
    strike = state.strike
    if strike is None:
        raise DreyerError("advanced.order.no_dice_wanted")
    check_roll(action, strike_wanted(state, combat_tables))
    dice, report = _played(state, strike, combat_tables, source)
    rolls = tuple(dice.new)
    if not rolls:
        raise BadDice("advanced.order.no_dice")
    strike = replace(strike, rolls=(*strike.rolls, *rolls))
    if dice.ran_out is not None:
        return replace(state, strike=strike), rolls
    return _flown(state, strike, report), rolls


def _flown(state: AdvancedState, strike: Strike, report: RaidReport) -> AdvancedState:
    ship = state.engagement[strike.target]
    vessel = report.on(ship.vessel)
    struck = replace(
        ship,
        vessel=vessel,
        record=replace(ship.record, movement_factor=vessel.movement_factor),
        hit_last_segment=ship.hit_last_segment or bool(report.damage),
    )
    flown = FlownStrike(strike, report, vessel.is_sunk)
    return replace(
        state,
        engagement=state.engagement.with_combatants({ship.name: struck}),
        strike=None,
        flown=(*state.flown, flown),
        # Plots were made for a ship with other speed, or for one that is gone.
        committed=frozenset(),
    )


def _played(
    state: AdvancedState, strike: Strike, combat_tables: CombatTables, source: Dice | None
) -> tuple[PhaseDice, RaidReport]:
    """The strike with the dice that have fallen, then more of a source while it has any."""
    label = strike_label(strike)
    shot = short_id(strike.wave)
    dice = PhaseDice(strike.rolls, source, label=label, shot=shot, side=strike.side)
    vessel = state.engagement[strike.target].vessel
    report = resolve_raid(
        vessel,
        strike.wave,
        strike.zones_to_base,
        strike.stopped,
        dice,
        combat_tables.tables,
        spare_dice=combat_tables.edition.futile_roll_takes_no_dice,
    )
    return dice, report


def _may_sink(vessel: Vessel, wave: Wave) -> bool:
    """Whether a wave could sink a ship: some by one hit, others by three boxes of each plane."""
    by_one = TARGETS[vessel.warship.ship_class] != "battleship"
    left = vessel.hull_quarters - vessel.hull_lost
    return by_one or left <= _MOST_BOXES * QUARTERS * wave.planes


def strike_label(strike: Strike) -> Message:
    """A strike in a few words."""
    if strike.zones_to_base is not None:
        bomber = Message("advanced.bomber.land_based")
        code = "advanced.label.strike_in_port" if strike.wave.in_port else "advanced.label.strike"
        return Message(code, bombers=bomber, target=ShipRef(strike.target))
    bomber = Message(f"advanced.bomber.{strike.wave.bomber}", n=strike.wave.planes)
    code = "advanced.label.strike_in_port" if strike.wave.in_port else "advanced.label.strike"
    return Message(code, bombers=bomber, target=ShipRef(strike.target))
