"""Whole combat phases: what is simultaneous, what is remembered, and a duel to the end."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.captains import battle_from_scene, play
from benchmarks.duel import GOLDEN_SEED, duel_lines
from benchmarks.soak import opening
from combat.dice import Choice, Pair, RolledDice, TypedDice
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.editions import CURRENT, FIRST, Edition
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import (
    FireOrder,
    designate,
    resolve_fire_phase,
)
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, move
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.smoke import SmokeSide
from combat.rulebooks.bismarck_advanced.phases import Segment
from tabletop.messages import Message, ShipRef
from tests.combat.bismarck_advanced.battles import RULES, TABLES, battle, ship

CARD = CombatTables.of(TABLES)
GOLDEN = Path(__file__).parent / "golden"


class LoadedDice:
    """Every roll alike, and a record of what was asked for."""

    def __init__(self, pair: str = "11", die: int = 1) -> None:
        self._pair, self._die = Pair(int(pair[0]), int(pair[1])), die
        self.asked: list[Message] = []

    def pair(self, purpose: Message) -> Pair:
        self.asked.append(purpose)
        return self._pair

    def die(self, purpose: Message) -> int:
        self.asked.append(purpose)
        return self._die

    def ten_sided(self, purpose: Message) -> int:
        raise AssertionError(f"the Advanced Game has no ten-sided dice, yet rolls for {purpose}")

    def choice(self, count: int, purpose: Message) -> Choice:
        self.asked.append(purpose)
        return Choice(0, ())


def facing(distance: float = 12_000) -> Engagement:
    """Hood and Bismarck broadside to broadside."""
    return battle(ship("Hood", 0, 0), ship("Bismarck", distance, 0))


class TestFiring:
    def test_all_fire_is_simultaneous(self) -> None:
        """62.2: a ship that is sunk in a phase has still fired in it, with all her guns."""
        start = facing()
        nearly = replace(start["Hood"].vessel, hull_lost=start["Hood"].vessel.hull_quarters - 1)
        start = start.with_combatants({"Hood": replace(start["Hood"], vessel=nearly)})
        orders = [FireOrder("Bismarck", "Hood"), FireOrder("Hood", "Bismarck")]
        after, report = resolve_fire_phase(start, orders, LoadedDice("12"), CARD, RULES)
        assert report.sunk == ("Hood",)
        assert [fire.shot.firer.name for fire in report.fires] == ["Hood", "Bismarck"]
        assert report.fires[0].guns == 8
        assert report.fires[0].hits > 0
        assert after.is_over

    def test_the_allies_resolve_first(self) -> None:
        start = battle(
            ship("Bismarck", 12_000, 0),
            ship("Hood", 0, 0),
            ship("Dunkerque", 0, 4_000),
            ship("Prinz Eugen", 12_000, 4_000),
        )
        orders = [
            FireOrder("Bismarck", "Hood"),
            FireOrder("Dunkerque", "Prinz Eugen"),
            FireOrder("Prinz Eugen", "Hood"),
            FireOrder("Hood", "Bismarck"),
        ]
        _, report = resolve_fire_phase(start, orders, LoadedDice("66"), CARD, RULES)
        firers = [fire.shot.firer.name for fire in report.fires]
        assert firers == ["Dunkerque", "Hood", "Bismarck", "Prinz Eugen"]

    def test_what_the_ledger_knows_of_the_others(self) -> None:
        start = battle(
            ship("Bismarck", 12_000, 0), ship("Hood", 0, 0), ship("Prinz Eugen", 12_000, 3_000)
        )
        orders = [
            FireOrder("Hood", "Bismarck", turrets=("A", "B")),
            FireOrder("Hood", "Prinz Eugen", turrets=("X", "Y")),
            FireOrder("Bismarck", "Hood"),
            FireOrder("Prinz Eugen", "Hood"),
        ]
        at_bismarck, at_eugen, from_bismarck, _ = designate(start, orders, RULES)
        assert at_bismarck.conditions.several_targets
        assert not at_bismarck.conditions.several_firers
        assert at_bismarck.conditions.under_fire
        assert at_eugen.guns_firing == 4
        assert from_bismarck.conditions.several_firers
        assert not from_bismarck.conditions.several_targets

    def test_the_next_phase_remembers(self) -> None:
        """Targeting and modification 9 by gun type; modification 5; both from the last phase."""
        start = facing()
        orders = [FireOrder("Bismarck", "Hood"), FireOrder("Hood", "Bismarck")]
        after, report = resolve_fire_phase(start, orders, LoadedDice("21"), CARD, RULES)
        assert all(fire.shot.conditions.first_fire_at_target for fire in report.fires)
        second = {name: MoveOrder("4") for name in ("Hood", "Bismarck")}
        moved, _ = move(after, second, RULES, CARD)
        again = [*orders, FireOrder("Hood", "Bismarck", Battery.SECONDARY)]
        german, main, secondary = designate(moved, again, RULES)
        assert not main.conditions.first_fire_at_target
        assert main.conditions.hit_target_last_segment == (report.fires[0].hits > 0)
        assert secondary.conditions.first_fire_at_target
        assert german.conditions.hit_last_segment == (report.fires[0].hits > 0)

    def test_ammunition_is_spent_once(self) -> None:
        after, report = resolve_fire_phase(
            facing(), [FireOrder("Bismarck", "Hood")], LoadedDice("66"), CARD, RULES
        )
        assert report.fires[0].ammunition_spent == 8 * 6 // 2
        assert after["Bismarck"].vessel.main_ammunition == 600 - 24

    def test_ammunition_by_turret(self) -> None:
        """65.6: four turrets share Bismarck's 600; one that fires alone empties its own part."""
        start = facing()
        vessel = Vessel.fresh(start["Bismarck"].vessel.warship, ammunition_by_turret=True)
        assert vessel.turret_ammunition(Battery.MAIN, "A") == 150
        start = start.with_combatants({"Bismarck": replace(start["Bismarck"], vessel=vessel)})
        orders = [FireOrder("Bismarck", "Hood", turrets=("A",))]
        after, _ = resolve_fire_phase(start, orders, LoadedDice("66"), CARD, RULES)
        left = after["Bismarck"].vessel
        assert left.turret_ammunition(Battery.MAIN, "A") == 150 - 6
        assert left.turret_ammunition(Battery.MAIN, "B") == 150
        assert left.main_ammunition == 594
        spent = replace(left, turret_spent={"A": 150})
        start = start.with_combatants({"Bismarck": replace(start["Bismarck"], vessel=spent)})
        with pytest.raises(Forbidden, match=r"advanced\.forbidden\.turret_spent") as refused:
            resolve_fire_phase(start, orders, LoadedDice("66"), CARD, RULES)
        assert refused.value.rule == "65.6"

    def test_damage_slows_the_second_move(self) -> None:
        """58.8 through the Speed Loss Table."""
        start = facing()
        slow = replace(start["Hood"].vessel, movement_factors_lost=6)
        start = start.with_combatants({"Hood": replace(start["Hood"], vessel=slow)})
        after, report = resolve_fire_phase(start, [], LoadedDice(), CARD, RULES)
        assert report.slowed["Hood"].speed == 4
        assert after["Hood"].moving is not None
        assert after["Hood"].moving.second_factors == 2

    def test_crews_tire_after_six_rounds(self) -> None:
        start = facing()
        tired = replace(start["Hood"].vessel, rounds_of_fire=6)
        start = start.with_combatants({"Hood": replace(start["Hood"], vessel=tired)})
        (shot,) = designate(start, [FireOrder("Hood", "Bismarck")], RULES)
        assert shot.conditions.crew == "tired"

    @pytest.mark.parametrize(
        ("orders", "rule"),
        [
            ([FireOrder("Hood", "Bismarck"), FireOrder("Hood", "Bismarck")], "61.2"),
            (
                [FireOrder("Hood", "Bismarck", turrets=("A",)), FireOrder("Hood", "Bismarck")],
                "61.2",
            ),
            (
                [
                    FireOrder("Hood", "Bismarck", turrets=("A",)),
                    FireOrder("Hood", "Bismarck", turrets=("A", "B")),
                ],
                "61.2",
            ),
            ([FireOrder("Hood", "Hood")], "61.1"),
        ],
    )
    def test_designations_that_the_rules_forbid(self, orders: list[FireOrder], rule: str) -> None:
        with pytest.raises(Forbidden) as caught:
            resolve_fire_phase(facing(), orders, LoadedDice(), CARD, RULES)
        assert caught.value.rule == rule

    def test_jams_are_rolled_before_any_fire(self) -> None:
        """71.2: Prince of Wales rolls once; 15 jams one gun of A for this fire."""
        start = battle(ship("Prince of Wales", 0, 0), ship("Bismarck", 12_000, 0))
        orders = [
            FireOrder("Bismarck", "Prince of Wales"),
            FireOrder("Prince of Wales", "Bismarck"),
        ]
        dice = LoadedDice("15")
        _, report = resolve_fire_phase(start, orders, dice, CARD, RULES)
        assert dice.asked[0] == Message("advanced.roll.jams", ship=ShipRef("Prince of Wales"))
        assert [jam.words for jam in report.jams] == [
            Message("advanced.jam.this_fire", n=1, turret="A")
        ]
        assert report.fires[0].guns == 9

    def test_a_turret_put_out_waits_its_phases(self) -> None:
        start = facing()
        out = start["Bismarck"].vessel.turret_out(0, phases=2)
        start = start.with_combatants({"Bismarck": replace(start["Bismarck"], vessel=out)})
        waits = []
        for _ in range(3):
            start, _report = resolve_fire_phase(start, [], LoadedDice(), CARD, RULES)
            waits.append(start["Bismarck"].vessel.turrets[0].out_for_phases)
        assert waits == [1, 0, 0]

    def test_a_turret_hit_while_it_is_out_waits_anew(self) -> None:
        """Hit again in the phase it sits out, it has all its phases before it."""
        start = facing(15_000)
        for number in range(4):
            vessel = start["Bismarck"].vessel.turret_out(number, phases=1)
            start = start.with_combatants({"Bismarck": replace(start["Bismarck"], vessel=vessel)})
        # 22 is a bow turret that holds, and 4 on its table puts it out for one phase.
        dice = LoadedDice("22", 4)
        after, report = resolve_fire_phase(
            start, [FireOrder("Hood", "Bismarck")], dice, CARD, RULES
        )
        assert report.fires[0].hit_reports[0].place == Message("advanced.place.turret", turret="A")
        waits = [state.out_for_phases for state in after["Bismarck"].vessel.turrets]
        assert waits == [1, 0, 0, 0]

    def test_a_sunk_ship_is_no_target(self) -> None:
        start = facing()
        sunk = replace(start["Hood"].vessel, sunk_outright=True)
        start = start.with_combatants({"Hood": replace(start["Hood"], vessel=sunk)})
        with pytest.raises(Forbidden) as refused:
            resolve_fire_phase(start, [FireOrder("Bismarck", "Hood")], LoadedDice(), CARD, RULES)
        assert refused.value.reason == Message("advanced.forbidden.sunk", ship=ShipRef("Hood"))
        assert refused.value.rule == "64.8"


class TestTorpedoesAndSmoke:
    def test_torpedoes_run_from_where_she_stood(self) -> None:
        start = Engagement((ship("Prinz Eugen", 0, 0), ship("Hood", 3_000, 0)))
        orders = {
            "Prinz Eugen": MoveOrder("4", 8, torpedo_target="Hood"),
            "Hood": MoveOrder("4", 8),
        }
        moved, report = move(start, orders, RULES, CARD)
        (salvo,) = report.launched
        assert (salvo.marker.x_yards, salvo.marker.y_yards) == (0, 0)
        assert moved["Prinz Eugen"].vessel.torpedoes_fired
        after, phase = resolve_fire_phase(moved, [], LoadedDice("66", 1), CARD, RULES)
        assert [t.hits > 0 for t in phase.torpedoes] == [True]
        assert after["Hood"].vessel.hull_lost > 0
        assert after["Hood"].hit_last_segment
        assert after.salvos == ()

    def test_a_far_target_is_reached_a_phase_later(self) -> None:
        start = Engagement((ship("Prinz Eugen", 0, 0), ship("Hood", 6_000, 0)))
        orders = {
            "Prinz Eugen": MoveOrder("4", 8, torpedo_target="Hood"),
            "Hood": MoveOrder("4", 8),
        }
        moved, _ = move(start, orders, RULES, CARD)
        after, phase = resolve_fire_phase(moved, [], LoadedDice("66"), CARD, RULES)
        assert phase.torpedoes == ()
        assert len(after.salvos) == 1
        second = {name: MoveOrder("4") for name in ("Prinz Eugen", "Hood")}
        moved, _ = move(after, second, RULES, CARD)
        _, phase = resolve_fire_phase(moved, [], LoadedDice("66"), CARD, RULES)
        assert len(phase.torpedoes) == 1

    def test_smoke_cover_and_fronts_reach_the_ledger(self) -> None:
        start = Engagement((ship("Hood", 0, 0), ship("Bismarck", 12_000, 0)))
        orders = {
            "Hood": MoveOrder("4SC", 8),
            "Bismarck": MoveOrder("4SF", 8, smoke_side=SmokeSide.PORT),
        }
        moved, _ = move(start, orders, RULES, CARD)
        (shot,) = designate(moved, [FireOrder("Bismarck", "Hood")], RULES)
        assert shot.conditions.target_smoke_cover
        assert shot.sightline.smoke
        after, _ = resolve_fire_phase(moved, [], LoadedDice(), CARD, RULES)
        assert len(after.table.smoke) == 1, "67.653: a front stands for two phases"
        after, _ = resolve_fire_phase(after, [], LoadedDice(), CARD, RULES)
        assert after.table.smoke == ()


@pytest.mark.parametrize(
    ("edition", "golden"),
    [(CURRENT, "denmark_strait.txt"), (FIRST, "denmark_strait_edition_1.txt")],
)
def test_the_golden_duel(edition: Edition, golden: str) -> None:
    """Denmark Strait to the end; after a deliberate change: python -m benchmarks.duel > golden.

    That of an earlier edition never changes.
    """
    lines = list(duel_lines(GOLDEN_SEED, edition))
    assert lines == (GOLDEN / golden).read_text("utf-8").splitlines()


@pytest.mark.parametrize("seed", range(4))
def test_whole_battles_keep_the_books(seed: int) -> None:
    """No boxes come back, no ammunition appears, and nobody sunk fires."""
    start = battle_from_scene(opening())
    dice = RolledDice(random.Random(seed))
    before = {c.name: c.vessel for c in start.combatants}
    for turn in play(start, dice, CARD, RULES, goal_yards=10_000, most_rounds=25):
        for fire in turn.report.fires:
            assert not fire.shot.firer.is_sunk
        for after in turn.after.combatants:
            old, new = before[after.name], after.vessel
            assert new.hull_lost >= old.hull_lost
            assert new.superstructure_lost >= old.superstructure_lost
            assert new.secondaries_lost >= old.secondaries_lost
            assert 0 <= new.main_ammunition <= old.main_ammunition
            assert new.hull_lost <= new.hull_quarters
            before[after.name] = new


def test_typed_dice_play_a_phase() -> None:
    """The same chain with dice from the table: one salvo, one hit on the hull."""
    start = facing(15_000)
    after, report = resolve_fire_phase(
        start, [FireOrder("Hood", "Bismarck")], TypedDice("35 12"), CARD, RULES
    )
    assert report.fires[0].hits == 1
    assert report.fires[0].hit_reports[0].place == Message("advanced.place.hull")
    assert after.segment is Segment.SECOND
