"""Short battles of random, legal choices: nothing breaks, and replaying gives them again."""

import json
import random
from typing import Any

import pytest

from combat.dice import RolledDice, SingleRollDice
from combat.guided_actions import RollDice
from combat.guided_play import StepKind
from combat.participants import UMPIRE, Seat
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.ship_state import state_of
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_state
from combat.rulebooks.bismarck_advanced.guided_battle.plots import open_speeds
from combat.rulebooks.bismarck_advanced.movement.speed import halves
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.views import FireCheck
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    check_fire,
    check_move,
    check_plot,
    event,
    fire_draft,
    plot_draft,
    poses_of,
    read_event,
    replayed,
)
from tests.combat.bismarck_advanced.guided_battle.requests import write_pose
from tests.plain import plain

GERMAN = [ship.name for ship in load_warships() if ship.nation == "German"]
ALLIED = [ship.name for ship in load_warships() if ship.nation != "German"]
SEGMENTS = 2


def random_setup(source: random.Random) -> dict[str, Any]:
    ships: list[dict[str, Any]] = []
    numbers = list(range(1, 9))
    source.shuffle(numbers)
    distance = source.choice((3_000, 7_000, 15_000, 25_000))
    for side, names, x in (("allies", ALLIED, 0), ("axis", GERMAN, distance)):
        for number, kind in enumerate(source.sample(names, source.randint(1, 3))):
            pose: dict[str, float] = {
                "x": x,
                "y": number * 1_500,
                "heading": source.choice((0, 10, 355)),
            }
            if source.random() < 0.5:
                pose |= {"position_sigma": 40.0, "heading_sigma": 1.0}
            ships.append({"name": kind, "side": side, "pose": pose, "number": numbers[len(ships)]})
    options = {
        "radar_lost_with_superstructure": source.random() < 0.5,
        "ammunition_by_turret": source.random() < 0.3,
    }
    return {
        "ships": ships,
        "hidden": source.random() < 0.5,
        "visibility": source.randint(1, 8),
        "night": source.random() < 0.2,
        "options": options,
    }


class Captain:
    """Tries things at random until one is allowed."""

    def __init__(self, game: Game, source: random.Random) -> None:
        self.game, self.source = game, source

    def plot(self, ship: Combatant) -> None:
        state, source = self.game.state, self.source
        speeds = open_speeds(state.engagement, ship)
        speed = source.randint(speeds.lowest, speeds.highest)
        factors = ship.moving.second_factors if ship.moving else 0
        if state.engagement.segment is Segment.INITIAL:
            factors = halves(speed)[0]
        data: dict[str, Any] = {"ship": ship.name}
        if state.engagement.segment is Segment.INITIAL:
            data["speed"] = speed
        notes = source.choice(("", "", " C", " SC", " SF"))
        orders = ("L", "R", "1 ", "1 ")
        moves = ["".join(source.choices(orders, k=factors)) for _ in range(4)]
        moves += ["1 " * factors, "L" * factors, "R" * factors]
        friends = [mate.name for mate in state.fleet(ship.side) if mate is not ship]
        tries = [{"notation": move + notes} for move in moves]
        if friends and source.random() < 0.3:
            tries.insert(0, {"notation": "follow", "follows": source.choice(friends)})
        enemies = [each.id for each in BATTLE.view(state, Seat(ship.side)).ships
                   if not each.yours]  # fmt: skip
        if source.random() < 0.3:
            tries.insert(0, tries[0] | {"torpedo": source.choice(enemies)})
        for attempt in tries:
            check = check_plot(state, plot_draft(ship.side, ship.name, data | attempt))
            try:
                self.game.do("plot", ship.side, **data, **attempt)
            except DreyerError:
                assert check.faults
            else:
                assert check.legal
                return
        raise AssertionError(f"no plot for {ship.name}: {check.faults}")

    def commit(self) -> None:
        for side in self.game.state.sides:
            try:
                self.game.do("commit", side)
            except DreyerError:
                # A column whose leader has changed her mind; everybody for himself then.
                for ship in self.game.state.fleet(side):
                    if self.game.state.plots[ship.name].follows:
                        self._alone(ship)
                self.game.do("commit", side)

    def _alone(self, ship: Combatant) -> None:
        order = self.game.state.plots[ship.name]
        speed, factors = {}, ship.moving.second_factors if ship.moving else 0
        if order.speed is not None:
            speed, factors = {"speed": order.speed}, halves(order.speed)[0]
        notation = str(factors) if factors else ""
        self.game.do("plot", ship.side, ship=ship.name, notation=notation, **speed)

    def move(self) -> None:
        state, source = self.game.state, self.source
        assert state.open_move is not None
        ships = BATTLE.view(state, UMPIRE).move
        poses = {}
        for name, seen in ships.items():
            if source.random() < 0.3:
                assert seen.plotted is not None
                pose = write_pose(seen.plotted)
                pose["x"] += source.choice((0, 30, 400))
                poses[name] = {**pose, "position_sigma": 20.0}
        json.dumps(plain(check_move(state, None, poses_of(poses))))
        self.game.do("move", None, poses=poses, accept=True)

    def designate(self, ship: Combatant) -> None:
        state, source = self.game.state, self.source
        orders: list[dict[str, Any]] = []
        for option in BATTLE.fire_options(state, ship.side, ship.name):
            for battery in option.batteries:
                if not battery.allowed or source.random() < 0.5:
                    continue
                if any(order["battery"] == battery.battery for order in orders):
                    continue
                bearing = [mount for mount in battery.mounts if mount.bears]
                chosen = source.sample(bearing, source.randint(1, len(bearing)))
                order: dict[str, Any] = {"target": option.target, "battery": battery.battery}
                order["turrets"] = [mount.name for mount in chosen]
                orders.append(order)
        checked = check_fire(state, fire_draft(ship.side, ship.name, {"orders": orders}))
        assert checked.fault is None
        self.game.do("designate", ship.side, ship=ship.name, orders=orders)

    def reduce(self) -> None:
        """Some of the fires with fewer guns, once the jams are rolled (67.41)."""
        state, source = self.game.state, self.source
        if state.kind is not StepKind.REDUCE:
            return
        for ship in state.engagement.in_action:
            fires = BATTLE.view(state, Seat(ship.side)).rates.get(ship.name, ())
            rates = [
                {
                    "target": fire.target,
                    "battery": fire.battery,
                    "guns": {each.name: source.randint(1, each.guns) for each in fire.turrets},
                }
                for fire in fires
                if source.random() < 0.4
            ]
            draft, _ = read_event(event("reduce", ship.side, ship=ship.name, rates=rates))
            checked = BATTLE.check(state, draft)
            assert isinstance(checked, FireCheck)
            assert checked.fault is None
            for fire in checked.fires:
                assert fire.guns >= len(fire.turrets)
            self.game.do("reduce", ship.side, ship=ship.name, rates=rates)
        self.look()
        self.game.fire_as_designated()

    def look(self) -> None:
        state = self.game.state
        for side in (*state.sides, None):
            view, story = BATTLE.view(state, Seat(side)), self.game.story(Seat(side))
            json.dumps(plain(view))
            json.dumps(plain(story))
        json.dumps(plain(BATTLE.view(state, UMPIRE)))
        for ship in state.engagement.combatants:
            json.dumps(plain(BATTLE.sheet(state, ship.name, UMPIRE)))


def play(seed: int) -> tuple[dict[str, Any], Game]:
    source = random.Random(seed)
    setup = random_setup(source)
    game = Game.begin(setup)
    captain = Captain(game, source)
    for _ in range(SEGMENTS):
        for ship in game.state.engagement.in_action:
            captain.plot(ship)
        captain.commit()
        captain.look()
        captain.move()
        for ship in game.state.engagement.in_action:
            captain.designate(ship)
        game.do("commit")
        captain.look()
        one_by_one = source.random() < 0.5
        captain.reduce()
        while BATTLE.dice_wanted(game.state) is not None:
            dice = RolledDice(source)
            rolls = BATTLE.play(
                game.state, RollDice(), SingleRollDice(dice) if one_by_one else dice
            ).rolls
            game.do("dice", None, values=[roll.value for roll in rolls])
            captain.reduce()
        captain.look()
        game.mark()
        if game.state.kind is StepKind.ENDED:
            break
    return setup, game


# A seed is as good as any other: there is nothing to shrink, and nothing to search for.
@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(12), id="twelve"),
        pytest.param(range(12, 200), id="two hundred", marks=pytest.mark.soak),
    ],
)
def test_random_battles(seeds: range) -> None:
    for seed in seeds:
        setup, game = play(seed)
        assert replayed(setup, game.events) == game.state, seed
        for ship in game.state.engagement.combatants:
            # What play leads to, anybody may write down.
            check_state(state_of(ship.vessel), ship.vessel.warship)
