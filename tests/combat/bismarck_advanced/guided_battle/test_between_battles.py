"""Battles that follow one another: what is carried over, and the turns between them."""

import json
import random
import re
from dataclasses import asdict, replace
from typing import Any

import pytest

from combat.guided_actions import EarlierBattles, Entrant, Opening, StartingConditions
from combat.guided_play import StepKind, Survivor
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.after_battle.repair import prospects
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState, Vessel
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState, state_of
from combat.rulebooks.bismarck_advanced.guided_battle.action_events import opening_events
from combat.rulebooks.bismarck_advanced.guided_battle.between_battles import carried_over
from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from tabletop.errors import DreyerError
from tabletop.table import Pose
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    event,
    line_up,
    near,
    outcome,
    replayed,
)
from web.strings import words


def ended(state: dict[str, Any], **changes: object) -> Game:
    """Two against two; Hood has these marks, and the battle is over."""
    setup = near(**changes)
    setup["ships"][0]["state"] = state
    game = Game.begin(setup)
    game.do("end")
    return game


def hood(game: Game) -> Vessel:
    return game.state.engagement["Hood"].vessel


def by_name(state: AdvancedState) -> dict[str, Survivor]:
    return {each.name: each for each in BATTLE.survivors(state)}


def next_setup(state: AdvancedState, **changes: Any) -> AdvancedSetup:
    """A battle with everybody who goes on, side by side again."""
    going = [each for each in BATTLE.survivors(state) if each.goes_on]
    ships = tuple(
        Entrant(
            name=each.name,
            type=each.type,
            side=each.side,
            pose=Pose(0 if each.side == "british" else 9_000, 1_500 * n, 0),
            marks=each.marks,
            number=n,
        )
        for n, each in enumerate(going, start=1)
    )
    opening = Opening(
        title="Next",
        sides=state.sides,
        ships=ships,
        conditions=StartingConditions(),
        follows=BATTLE.next_of(state),
    )
    return BATTLE.set_up(replace(opening, **changes))


class TestCarriedOver:
    def test_marks_stay_and_what_belongs_to_the_battle_ends(self) -> None:
        marked = replace(
            hood(ended({})),
            turrets=(
                TurretState(12, destroyed=True),
                TurretState(3, out_for_phases=2, jammed_guns=1, solid_boxes=1),
                TurretState(out_for_battle=True),
                TurretState(),
            ),
            main_ammunition=7,
            hull_lost=9,
            solid_hull_boxes=2,
            torpedoes_fired=True,
            rounds_of_fire=8,
            steady_for_phases=1,
            held_speed_rounds=2,
            movement_factors_lost=2,
            director_destroyed=True,
        )
        after = carried_over(marked)
        assert after.turrets == (
            TurretState(12, destroyed=True),
            TurretState(3, solid_boxes=1),
            TurretState(),
            TurretState(),
        )
        kept = ("main_ammunition", "hull_lost", "solid_hull_boxes", "torpedoes_fired")
        assert all(getattr(after, key) == getattr(marked, key) for key in kept)
        assert (after.movement_factors_lost, after.director_destroyed) == (2, True)
        assert (after.rounds_of_fire, after.steady_for_phases, after.held_speed_rounds) == (0, 0, 0)

    def test_every_ship_is_told_with_her_rule(self) -> None:
        setup = line_up(
            ("Hood", "british", 0, 0, 0),
            ("Destroyer", "british", 0, -1_500, 0),
            ("Norfolk", "british", 0, -3_000, 0),
            ("Bismarck", "german", 11_000, 0, 0),
        )
        setup["ships"][1]["state"] = {"hull_lost": 0.25}
        setup["ships"][2]["state"] = {"ammunition": {"main": 3}}
        game = Game.begin(setup)
        with pytest.raises(DreyerError, match=r"advanced\.next_battle\.not_ended"):
            BATTLE.survivors(game.state)
        game.do("correct", None, ship="Hood", values={"sunk": True}, reason="a torpedo")
        game.do("end")
        found = by_name(game.state)
        assert {name: (each.goes_on, each.rule) for name, each in found.items()} == {
            "Hood": (False, "64.8"),
            "Destroyer": (False, "70.6"),
            "Norfolk": (True, "70.6"),
            "Bismarck": (True, "70.6"),
        }
        assert found["Norfolk"].marks == ShipState(ammunition={"main": 3})
        assert found["Bismarck"].marks is None

    def test_a_repair_that_waits_for_its_die_comes_first(self) -> None:
        game = ended({"hull_lost": 4})
        game.do("repair", "british", ship="Hood", part="hull")
        with pytest.raises(DreyerError, match=r"advanced\.repair_order\.waiting"):
            BATTLE.survivors(game.state)

    def test_a_wreck_does_not_begin(self) -> None:
        sunk = ShipState(hull_lost=float(hood(ended({})).warship.hull_boxes))
        game = ended({})
        ships = tuple(
            Entrant(name=s.name, side=s.side, pose=Pose(n * 3_000, 0, 0), marks=sunk)
            for n, s in enumerate(BATTLE.survivors(game.state)[:1])
        )
        setup = next_setup(game.state)
        assert setup.follows == EarlierBattles(campaign="Test", previous="Test", number=2)
        others = (
            Entrant(name=s.name, side=s.side, pose=Pose(s.pose.x_yards + 9_000, 0, 0))
            for s in setup.ships[1:]
        )
        with pytest.raises(DreyerError, match=r"advanced\.expected\.afloat.*setup, Hood"):
            next_setup(game.state, ships=(*ships, *others))


class TestTurnsBetween:
    def test_in_port_without_a_die(self) -> None:
        game = ended({"hull_lost": 4.5, "hull_solid": 5, "turrets_lost": {"A": 1, "B": 2}})
        found = outcome(
            game.state,
            event("repair", "british", ship="Hood", part="hull", in_port=True, turns=2),
        )
        assert [each.kind for each in found.events] == ["repaired-in-port"]
        assert found.rolls == ()
        game.state = found.state
        assert (hood(game).hull_lost, hood(game).solid_hull_boxes) == (8, 2)
        # She has spent this turn and the next.
        for _ in range(2):
            with pytest.raises(DreyerError, match=r"advanced\.repair_order\.tried"):
                game.do("repair", "british", ship="Hood", part="turret", turret="B", in_port=True)
            game.do("repair", "british", next_turn=True)
        game.do("repair", "british", ship="Hood", part="turret", turret="B", in_port=True)
        assert [turret.lost_quarters for turret in hood(game).turrets] == [4, 0, 0, 0]
        game.do("repair", None, next_turn=True, turns=5)
        game.do("repair", "british", ship="Hood", part="hull", in_port=True)
        assert hood(game).hull_lost == 4
        repairs = BATTLE.view(game.state, Seat("british")).repairs
        assert repairs is not None
        assert (repairs.turn, repairs.ships["Hood"].busy_until) == (8, 8)
        assert len(repairs.ships["Hood"].tries) == 3
        assert [each.part for each in repairs.ships["Hood"].in_port] == ["hull", "turret"]

    def test_a_rudder_takes_its_die_in_port_too_though_it_failed_at_sea(self) -> None:
        game = ended({"rudder_faults": ["no_port"], "rudder_solid": ["no_port"]})
        with pytest.raises(DreyerError, match=r"40\.3"):
            game.do("repair", "british", ship="Hood", part="rudder")
        game.do("repair", "british", ship="Hood", part="rudder", in_port=True)
        game.do("dice", "british", values=["5"])
        assert hood(game).helm
        game.do("repair", "british", next_turn=True)
        game.do("repair", "british", ship="Hood", part="rudder", in_port=True)
        game.do("dice", "british", values=["4"])
        assert not hood(game).helm

    def test_torpedoes_come_back_by_refuelling_alone(self) -> None:
        game = ended({"torpedoes_fired": True, "hull_lost": 1})
        game.do("repair", "british", ship="Hood", part="hull", in_port=True, turns=9)
        assert hood(game).torpedoes_fired
        with pytest.raises(DreyerError, match=r"17\.2"):
            game.do("repair", "british", ship="Hood", refuel=True)
        found = outcome(
            game.state, event("repair", "british", ship="Hood", refuel=True, in_port=True)
        )
        assert [each.kind for each in found.events] == ["refuelled"]
        game.state = found.state
        assert not hood(game).torpedoes_fired
        assert by_name(game.state)["Hood"].marks is None

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            ({"ship": "Hood"}, "part"),
            ({"ship": "Hood", "part": "hull", "turns": 2}, "turns"),
            ({"ship": "Hood", "part": "turret", "turret": "A", "in_port": True}, "68.21"),
            ({"ship": "Bismarck", "part": "hull", "in_port": True}, "not_yours"),
            ({"ship": "Hood", "refuel": True, "in_port": True}, "lacks_nothing"),
            ({"ship": "Hood", "part": "hull", "in_port": True, "turns": 0}, "turns"),
        ],
    )
    def test_refused(self, data: dict[str, Any], said: str) -> None:
        game = ended({"hull_lost": 4, "turrets_lost": {"A": 3}})
        with pytest.raises(DreyerError) as refused:
            game.do("repair", "british", **data)
        assert re.search(said, f"{refused.value} {words(refused.value)}")

    def test_twice_in_a_turn(self) -> None:
        game = ended({"ammunition": {"main": 0, "secondary": 0}})
        game.do("repair", "british", ship="Hood", refuel=True, in_port=True)
        with pytest.raises(DreyerError, match=r"advanced\.refuel\.done"):
            game.do("repair", "british", ship="Hood", refuel=True, in_port=True)


def test_what_is_carried_is_no_secret_told_of_a_hidden_ship() -> None:
    """67.1: damage from an earlier battle must not give a face-down ship away."""
    game = ended({"hull_lost": 5, "movement_factors_lost": 4, "turrets_lost": {"A": 3}})
    setup = next_setup(game.state, hidden=True)
    state = BATTLE.begin(setup)
    enemy = BATTLE.view(state, Seat("german"))
    hidden = [ship for ship in enemy.ships if ship.side == "british"]
    assert len({(s.glance, s.trouble, s.movement_factor, s.status) for s in hidden}) == 1
    assert all(ship.hidden and ship.name is None for ship in hidden)
    events = tuple(opening_events(state))
    told = [
        *BATTLE.story(state, events, Seat("german")),
        *BATTLE.story(state, events, Seat(None)),
    ]
    assert "Hood" not in json.dumps([asdict(each) for each in told], default=str)
    own = {ship.name: ship for ship in BATTLE.view(state, Seat("british")).ships}
    assert own["Hood"].movement_factor == hood(game).movement_factor
    # The enemy's fire options and a closed sheet know her by her number alone.
    with pytest.raises(DreyerError):
        BATTLE.sheet(state, "Hood", Seat("german"))


def fought(game: Game, source: random.Random) -> None:
    """One round in which everybody fires at the nearest enemy, and the end of the battle."""
    for _ in range(2):
        if game.state.kind is StepKind.ENDED:
            return
        speeds = {"speed": 6} if game.state.segment == 1 else {}
        for ship in game.state.engagement.in_action:
            factor = min(6, ship.vessel.movement_factor)
            data = {"speed": factor, "notation": str(-(-factor // 2))} if speeds else {}
            if not speeds:
                data = {"notation": str((ship.moving.speed if ship.moving else 0) // 2)}
            game.do("plot", ship.side, ship=ship.name, **data)
        game.commit()
        game.do("move")
        for ship in game.state.engagement.in_action:
            targets = BATTLE.fire_options(game.state, ship.side, ship.name)
            for option in targets:
                try:
                    order = [{"target": option.target}]
                    game.do("designate", ship.side, ship=ship.name, orders=order)
                except DreyerError:
                    continue
                break
        game.commit()
        game.roll(source)
        game.mark()
    if game.state.kind is not StepKind.ENDED:
        game.do("end")


def test_a_campaign_of_three_battles() -> None:
    """Each begins as the one before has ended, from its own set-up alone."""
    source = random.Random(13)
    game = Game.begin(near())
    setup: Any = near()
    seen: list[AdvancedState] = []
    for number in (1, 2, 3):
        fought(game, source)
        assert replayed(setup, game.events) == game.state
        for ship in game.state.engagement.combatants:
            hull = [each for each in prospects(ship.vessel) if each.section.part == "hull"]
            if hull and not ship.vessel.is_sunk:
                # What can no longer be repaired at sea waits for a port.
                in_port = not hull[0].repairable
                game.do("repair", ship.side, ship=ship.name, part="hull", in_port=in_port)
                game.roll(source)
        assert replayed(setup, game.events) == game.state
        seen.append(game.state)
        going = {each.name: each for each in BATTLE.survivors(game.state) if each.goes_on}
        sides = {each.side for each in going.values()}
        assert number == 3 or sides == {"british", "german"}, "the seed leaves both sides ships"
        if number == 3:
            break
        before = {name: carried_over(game.state.engagement[name].vessel) for name in going}
        setup = json.loads(json.dumps(BATTLE.schemas.setup.write(next_setup(game.state))))
        game = Game.begin(setup)
        assert {c.name: c.vessel for c in game.state.engagement.combatants} == before
        assert game.state.follows == EarlierBattles(
            campaign="Test", previous="Test" if number == 1 else "Next", number=number + 1
        )
        kinds = [each.line.text.code for each in game.story(Seat("german"))]
        assert "advanced.story.next_battle" in kinds
    first, last = seen[0].engagement, seen[-1].engagement
    shared = [ship for ship in last.combatants if ship.name in first.by_name]
    assert all(
        ship.vessel.main_ammunition <= first[ship.name].vessel.main_ammunition for ship in shared
    )
    assert any(state_of(ship.vessel) != ShipState() for ship in shared)
