"""`SetUpRules` of the Advanced Game (55)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from combat.battle_setup import DieResult, DirectionMethod, SetUp, SetUpOrder
from combat.dice import TypedDice
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.rulebooks.bismarck_advanced.setup.approach import (
    Direction,
    NoAttack,
    direction_by_die,
    direction_by_zones,
    direction_of_shadowers,
    range_modifications,
    roll_starting_range,
)
from combat.rulebooks.bismarck_advanced.setup.formation import arrange, check_formation
from combat.rulebooks.bismarck_advanced.setup.placement import check_placement, propose_placement
from combat.tables import TableSet
from tabletop.arcs import Arcs, Quadrant
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.table import Base, Model, Pose

_WITH_ROOM: Final = replace(MOVEMENT, interval_least_yards=1200.0, marker_diameter_yards=1100.0)
"""Proposals exceed the least distances a little, because models are placed by hand."""


class AdvancedSetUp:
    """`SetUpRules` for the Advanced Game."""

    def __init__(self, base: Base, arcs: Arcs) -> None:
        self._base, self._arcs = base, arcs

    def set_up(self, order: SetUpOrder, tables: TableSet) -> SetUp:
        """The range, the direction, and the resulting places."""
        if len(order.columns) != 2 or not all(order.columns.values()):
            raise DreyerError("advanced.setup.two_sides")
        distance, yards, no_battle = _distance(order, tables)
        if no_battle is not None:
            return SetUp(distance, DieResult(), no_battle=no_battle)
        direction = _direction(order, tables)
        if direction is None:
            wanted = DieResult(
                (Line(Message("advanced.setup.die_wanted"), "55.24"),), wants_die=True
            )
            return SetUp(distance, wanted, yards)
        answer = Message(f"advanced.setup.quadrant.{direction.quadrant}")
        decided = DieResult((Line(direction.why, direction.rule),), answer)
        if yards is None:
            return SetUp(distance, decided, quadrant=direction.quadrant)
        poses = self._places(order, yards, direction.quadrant)
        return SetUp(distance, decided, yards, direction.quadrant, poses=poses)

    def check(
        self, order: SetUpOrder, models: Mapping[str, Model], range_yards: float, quadrant: str
    ) -> tuple[Line, ...]:
        """The check of both formations, and of the attackers' places."""
        found = []
        for columns in order.columns.values():
            check = check_formation([[models[name] for name in column] for column in columns])
            found += [*check.faults, *check.close_calls]
        attackers, defenders = (
            [models[name] for column in order.columns[side] for name in column]
            for side in (order.attacker, order.defender)
        )
        placed = check_placement(
            attackers, defenders, range_yards, Quadrant(quadrant), arcs=self._arcs
        )
        found += [*placed.faults, *placed.close_calls]
        return tuple(Line(finding.why, finding.rule) for finding in found)

    def _places(self, order: SetUpOrder, range_yards: float, quadrant: Quadrant) -> dict[str, Pose]:
        """The defenders on heading 0°, then the attackers, heading for them (55.26, 55.27)."""
        defenders = arrange(order.columns[order.defender], Pose(0.0, 0.0, 0.0), rules=_WITH_ROOM)
        models = [Model(name, pose, self._base) for name, pose in defenders.items()]
        attackers = propose_placement(
            order.columns[order.attacker],
            models,
            range_yards,
            quadrant,
            arcs=self._arcs,
            rules=_WITH_ROOM,
        )
        return {**defenders, **attackers}


def _distance(
    order: SetUpOrder, tables: TableSet
) -> tuple[DieResult, float | None, Message | None]:
    attackers = _vessels(order, order.columns[order.attacker])
    visibility, night = order.visibility, order.night
    ledger = range_modifications(attackers, tables, visibility=visibility, night=night)
    if isinstance(ledger, NoAttack):
        return DieResult((Line(ledger.why, ledger.rule),)), None, ledger.why
    lines = tuple(
        Line(Message("advanced.setup.modifier", label=each.label, value=each.value), each.reference)
        for each in ledger
    )
    if order.range_die is None:
        return DieResult(lines, wants_die=True), None, None
    dice = TypedDice(str(order.range_die))
    rolled = roll_starting_range(attackers, dice, tables, visibility=visibility, night=night)
    if isinstance(rolled, NoAttack):
        return DieResult(lines), None, rolled.why
    lines = (*lines, Line(rolled.why, rolled.rule))
    answer = Message("advanced.setup.yards", yards=rolled.yards)
    return DieResult(lines, answer), float(rolled.yards), None


def _direction(order: SetUpOrder, tables: TableSet) -> Direction | None:
    if order.coming is DirectionMethod.SHADOWING:
        return direction_of_shadowers()
    if order.coming is DirectionMethod.ZONES:
        if order.zones is None:
            raise DreyerError("advanced.setup.zones_wanted")
        return direction_by_zones(order.zones, tables)
    if order.direction_die is None:
        return None
    return direction_by_die(TypedDice(str(order.direction_die)), tables)


def _vessels(order: SetUpOrder, columns: Sequence[Sequence[str]]) -> list[Vessel]:
    warships = load_warships()
    return [
        Vessel.fresh(warships.named(order.types[name], "set-up"), name)
        for column in columns
        for name in column
    ]
