"""One battle of a plan, from its file and its seed alone, on whatever machine."""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from combat.balance.plan import Plan, Varied, Work, fighting_sides
from combat.battle_setup import SetUpOrder, fit_on_table
from combat.captain.all_captains import captain_of
from combat.captain.contest import Played, contest
from combat.captain.decision import Captain
from combat.guided_actions import Entrant, Opening, StartingConditions
from combat.guided_play import GuidedRulebook, OrderedRulebook
from combat.participants import UMPIRE, ShipStatus
from combat.rulebook_info import Ruleset
from combat.rulebooks import get_ruleset
from combat.scenarios import Scenario, read_scenario
from combat.ships import ShipType
from tabletop.errors import DreyerError
from tabletop.messages import SideRef
from tabletop.scale import Scale
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.sides import Sides

_LEAST_LEAD: Final = 0.1
"""A battle that ends with both sides afloat is won by a lead of so much of a fleet in losses."""
_MOST_TRIES: Final = 50
"""How often the dice of the set-up are rolled again when they give no battle."""


class Ending(StrEnum):
    """How a battle was won."""

    BEATEN = "beaten"
    """No enemy is left, or the rulebook says who has won."""
    LOSSES = "losses"
    """Both are left, and one has lost clearly less."""
    EVEN = "even"


@dataclass(frozen=True, slots=True)
class ShipResult:
    """A ship at the end of a battle."""

    name: str
    side: str
    status: ShipStatus
    lost: float
    """The part of her that was lost, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one battle."""

    number: int
    value: float | None
    winner: str | None
    """The side, one of those that fight together; None for a draw."""
    ending: Ending
    rounds: int
    ships: tuple[ShipResult, ...]


def fight(plan: Plan, work: Work) -> Result:
    """Fight one battle of a plan."""
    ground = _ground(plan.file, plan.source, plan.captains)
    last = None
    for played in actions(plan, work):
        last = played.outcome.state
    ships = ground.ships(last)
    winner, ending = _winner(ground, last, ships)
    rounds = ground.rulebook.place(last).round_number
    return Result(work.number, work.value, winner, ending, rounds, ships)


def actions(plan: Plan, work: Work) -> Iterator[Played[object]]:
    """Every action of one battle of a plan, and what came of it."""
    ground = _ground(plan.file, plan.source, plan.captains)
    source = random.Random(work.seed)  # noqa: S311 - a game, not a secret
    start = ground.start(plan, work, source)
    yield from contest(ground.rulebook, start, ground.captains, work.seed)


@dataclass(frozen=True)
class _Ground:
    """What all battles of a plan have in common."""

    scenario: Scenario
    ruleset: Ruleset
    rulebook: GuidedRulebook[object]
    captains: Mapping[str, Captain[object]]

    def start(self, plan: Plan, work: Work, source: random.Random) -> object:
        """The beginning of a battle."""
        varied = None if plan.sweep is None else plan.sweep.varied
        conditions = self.scenario.conditions
        if varied is Varied.VISIBILITY and work.value is not None:
            conditions = replace(conditions, visibility=int(work.value))
        poses = starting_poses(self.scenario, conditions, source)
        if varied is Varied.RANGE and work.value is not None:
            poses = at_range(poses, self._parties(), work.value)
        opening = self._opening(poses, conditions)
        return self.rulebook.begin(self.rulebook.set_up(opening))

    def _opening(self, poses: Mapping[str, Pose], conditions: StartingConditions) -> Opening:
        scenario = self.scenario
        sides = fighting_sides(scenario)
        return Opening(
            title=scenario.title,
            sides=sides,
            allies=scenario.sides.pairs_of_allies(sides),
            order_of_fire=scenario.sides.order_of_fire(sides),
            ships=tuple(
                Entrant(
                    name=ship.name,
                    type=ship.type.name,
                    side=ship.side,
                    pose=poses[ship.name],
                    base=ship.base
                    or self.ruleset.base_of(ship.type, Scale(scenario.yards_per_inch)),
                    marks=ship.marks,
                )
                for ship in scenario.ships
            ),
            smoke=scenario.smoke,
            conditions=conditions,
            options=scenario.options,
            divisions=scenario.divisions,
            limits=scenario.limits,
            table_yards=scenario.size_yards,
        )

    def _parties(self) -> Mapping[str, str]:
        """The party of each ship, by the first of its sides."""
        parties = self.scenario.sides.parties(fighting_sides(self.scenario))
        first = {side: party[0] for party in parties for side in party}
        return {ship.name: first[ship.side] for ship in self.scenario.ships}

    def ships(self, state: object) -> tuple[ShipResult, ...]:
        """Every ship as she is now."""
        return tuple(
            ShipResult(
                ship.id,
                ship.side,
                ship.status,
                1.0 if ship.status is ShipStatus.SUNK else round(ship.trouble or 0.0, 6),
            )
            for ship in self.rulebook.view(state, UMPIRE).ships
        )

    def worth_of(self, ship: ShipType) -> float:
        """What a ship counts when losses are compared: her points, or else her hull."""
        if isinstance(self.rulebook, OrderedRulebook):
            return float(self.rulebook.points_of(ship.name) or 1)
        return float(getattr(ship, "hull_boxes", 1))


def starting_poses(
    scenario: Scenario, conditions: StartingConditions, source: random.Random
) -> dict[str, Pose]:
    """Where a scenario's ships begin: as its file says, or as dice set them up."""
    ruleset = get_ruleset(scenario.ruleset)
    rules = ruleset.setting_up
    if scenario.attacker is None or rules is None:
        return {ship.name: ship.pose for ship in scenario.ships if ship.pose is not None}
    parties = scenario.sides.parties(fighting_sides(scenario))
    for _ in range(_MOST_TRIES):
        order = SetUpOrder(
            columns={party[0]: _columns(scenario, party) for party in parties},
            types={ship.name: ship.type.name for ship in scenario.ships},
            attacker=next(party[0] for party in parties if scenario.attacker in party),
            visibility=conditions.visibility,
            night=conditions.night,
            range_die=source.randint(1, 6),
            direction_die=source.randint(1, 6),
        )
        found = rules().set_up(order, ruleset.tables)
        if found.poses:
            return fit_on_table(found.poses, *scenario.size_yards)
    raise DreyerError("balance.fault.no_battle", scenario=scenario.title)


@lru_cache(maxsize=8)
def _ground(file: bytes, source: str, captains: tuple[tuple[str, str], ...]) -> _Ground:
    scenario = read_scenario(file, source)
    ruleset = get_ruleset(scenario.ruleset)
    if ruleset.battle is None:
        raise DreyerError("balance.fault.not_guided", scenario=scenario.title)
    rulebook = ruleset.battle(ruleset.tables)
    # What a captain has worked out before never changes what it decides, only how soon.
    chosen = {side: captain_of(rulebook, name, scenario.size_yards) for side, name in captains}
    return _Ground(scenario, ruleset, rulebook, chosen)


def _columns(scenario: Scenario, party: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(ship.name for ship in scenario.side(side) if ship.column == column)
        for side in party
        for column in sorted({ship.column for ship in scenario.side(side)})
    )


def at_range(
    poses: Mapping[str, Pose], parties: Mapping[str, str], yards: float
) -> dict[str, Pose]:
    """The same formations, moved together or apart until the nearest enemies are so far off."""
    first = next(iter(parties.values()))
    own = [pose for name, pose in poses.items() if parties[name] == first]
    others = [pose for name, pose in poses.items() if parties[name] != first]
    way_x = _mean([pose.x_yards for pose in others]) - _mean([pose.x_yards for pose in own])
    way_y = _mean([pose.y_yards for pose in others]) - _mean([pose.y_yards for pose in own])
    length = math.hypot(way_x, way_y) or 1.0
    unit_x, unit_y = way_x / length, way_y / length

    def nearest(shift: float) -> float:
        return min(
            math.hypot(
                two.x_yards + shift * unit_x - one.x_yards,
                two.y_yards + shift * unit_y - one.y_yards,
            )
            for one in own
            for two in others
        )

    low, high = -length, yards + length
    for _ in range(60):
        middle = (low + high) / 2
        if nearest(middle) < yards:
            low = middle
        else:
            high = middle
    return {
        name: pose
        if parties[name] == first
        else replace(
            pose,
            x_yards=pose.x_yards + high * unit_x,
            y_yards=pose.y_yards + high * unit_y,
        )
        for name, pose in poses.items()
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _winner(
    ground: _Ground, state: object, ships: tuple[ShipResult, ...]
) -> tuple[str | None, Ending]:
    sides: Sides = ground.scenario.sides
    parties = sides.parties(fighting_sides(ground.scenario))
    party = {side: each[0] for each in parties for side in each}
    ending = ground.rulebook.view(state, UMPIRE).ending
    # A rulebook that counts points names the side that has won.
    said = dict(ending.params).get("side")
    said = said.key if isinstance(said, SideRef) else said
    if isinstance(said, str) and said in party:
        return party[said], Ending.BEATEN
    left = {party[ship.side] for ship in ships if ship.status is not ShipStatus.SUNK}
    if len(left) == 1:
        return left.pop(), Ending.BEATEN
    worth = {ship.name: ground.worth_of(ship.type) for ship in ground.scenario.ships}
    shares = sorted(
        (
            sum(worth[ship.name] * ship.lost for ship in ships if party[ship.side] == each)
            / sum(worth[ship.name] for ship in ships if party[ship.side] == each),
            each,
        )
        for each in dict.fromkeys(party.values())
    )
    if shares[1][0] - shares[0][0] >= _LEAST_LEAD:
        return shares[0][1], Ending.LOSSES
    return None, Ending.EVEN
