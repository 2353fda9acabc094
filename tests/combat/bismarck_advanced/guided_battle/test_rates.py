"""67.4: rates of fire, reduced by both sides after the jams and before the first die of a fire."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from combat.actions import Action
from combat.dice import RolledDice, TypedDice
from combat.game import Game as PlayedGame
from combat.guided_actions import Commit, RollDice
from combat.guided_play import StepKind
from combat.participants import SPECTATOR, UMPIRE, Seat
from combat.rulebooks.bismarck_advanced.fire.events import GunsJammed
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle, AdvancedState
from combat.rulebooks.bismarck_advanced.guided_battle.actions import RateOfFire, Reduce
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    RateChosen,
    RateReduced,
)
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.views import CheckedFire, FireCheck, TurretRate
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    RULESET,
    Game,
    advanced_battle,
    apply,
    event,
    line_up,
    near,
    read_event,
    replayed,
    resolution_of,
    roll,
)

BRITISH, GERMAN = Seat("british"), Seat("german")


def designated(setup: Mapping[str, Any], **orders: Sequence[Mapping[str, Any]]) -> Game:
    """A battle whose fire lies open; ships are named with _ for a blank."""
    game = Game.begin(setup)
    game.move_all()
    for name, aims in orders.items():
        ship = name.replace("_", " ")
        side = game.state.engagement[ship].side
        game.do("designate", side, ship=ship, orders=aims)
    game.do("commit")
    return game


def duel(**changes: object) -> Game:
    """Hood and Bismarck at each other, all that bears."""
    return designated(near(**changes), Hood=[{"target": "Bismarck"}], Bismarck=[{"target": "Hood"}])


def jam_setup(*ships: str, **changes: object) -> dict[str, Any]:
    lines = [(name, "british", 0.0, -3_000.0 * n, 0.0) for n, name in enumerate(ships)]
    return line_up(*lines, ("Bismarck", "german", 14_000, 0, 0), **changes)


def prince_of_wales(jam: str) -> Game:
    """Prince of Wales at Bismarck, her jams rolled."""
    game = designated(jam_setup("Prince of Wales"), Prince_of_Wales=[{"target": "Bismarck"}])
    game.do("dice", "british", values=[jam])
    return game


def turrets(game: Game, ship: str, side: str = "british") -> dict[str, int]:
    """How many guns each turret of a ship's only fire could fire with."""
    (fire,) = BATTLE.view(game.state, Seat(side)).rates[ship]
    return {turret.name: turret.guns for turret in fire.turrets}


def reduce(game: Game, ship: str, target: str, **guns: int) -> None:
    rate = {"target": target, "guns": guns}
    game.do("reduce", game.state.engagement[ship].side, ship=ship, rates=[rate])


def checked(game: Game, side: str, ship: str, *rates: dict[str, Any]) -> FireCheck:
    draft, _ = read_event(event("reduce", side, ship=ship, rates=list(rates)))
    found = BATTLE.check(game.state, draft)
    assert isinstance(found, FireCheck)
    return found


def only(check: FireCheck) -> CheckedFire:
    (fire,) = check.fires
    return fire


class TestStep:
    def test_it_comes_between_designation_and_the_first_die(self) -> None:
        game = duel()
        step = BATTLE.step(game.state)
        assert (step.kind, step.reference) == (StepKind.REDUCE, "67.41")
        assert step.waiting_for == ("british", "german")
        assert BATTLE.dice_wanted(game.state) is None
        (now,) = [mark for mark in BATTLE.sequence(game.state) if mark.progress == "now"]
        assert (now.kind, now.reference) == (StepKind.RESOLVE, "56.4")
        with pytest.raises(DreyerError, match=r"advanced\.not_now\.reduce"):
            game.do("dice", "british", values=["11"])
        game.do("commit", "german")
        assert BATTLE.dice_wanted(game.state) is None
        assert BATTLE.step(game.state).waiting_for == ("british",)
        game.do("commit", "british")
        assert game.state.kind is StepKind.RESOLVE
        assert BATTLE.dice_wanted(game.state) is not None

    def test_fire_as_designated_is_one_word_and_changes_nothing(self) -> None:
        game = duel()
        game.do("commit", "british")
        game.do("commit", "german")
        for shot in game.state.resolution.shots if game.state.resolution else ():
            assert (shot.guns_firing, shot.guns_held_back) == (8, 0)
        assert not [each for each in game.happened if isinstance(each, RateReduced)]

    def test_where_nobody_fires_it_does_not_stop_the_game(self) -> None:
        game = designated(near())
        assert game.state.kind is StepKind.PLOT

    def test_where_every_turret_has_one_gun_it_does_not_stop_the_game(self) -> None:
        """Turret by turret, there is nothing to take away."""
        setup = near()
        jammed = {"turrets_lost": {"A": 3, "B": 3}, "jammed_guns": {"X": 1, "Y": 1}}
        setup["ships"][0]["state"] = jammed
        game = designated(setup, Hood=[{"target": "Bismarck"}])
        assert game.state.kind is StepKind.RESOLVE
        assert BATTLE.dice_wanted(game.state) is not None
        assert resolution_of(game.state, "british").current is not None

    def test_a_side_without_fire_commits_all_the_same(self) -> None:
        game = designated(near(), Hood=[{"target": "Bismarck"}])
        assert BATTLE.view(game.state, GERMAN).rates == {}
        assert [each.kind for each in BATTLE.actions(game.state, GERMAN)] == ["commit", "end"]
        game.do("commit", "british")
        assert BATTLE.step(game.state).waiting_for == ("german",)
        game.do("commit", "german")
        assert game.state.kind is StepKind.RESOLVE

    def test_the_umpire_commits_for_all(self) -> None:
        game = duel()
        game.do("commit", None, side="british")
        assert game.state.committed == {"british"}
        game.do("commit")
        assert game.state.kind is StepKind.RESOLVE

    def test_taken_back_while_the_other_side_has_not_committed(self) -> None:
        game = duel()
        reduce(game, "Hood", "Bismarck", A=1)
        game.do("commit", "british")
        with pytest.raises(DreyerError, match=r"advanced\.order\.committed"):
            reduce(game, "Hood", "Bismarck", B=1)
        game.do("uncommit", "british")
        reduce(game, "Hood", "Bismarck", B=1)
        (fire,) = BATTLE.view(game.state, BRITISH).rates["Hood"]
        assert fire.reduced == (TurretRate("B", 2, 1),)
        game.do("reduce", "british", ship="Hood")
        (fire,) = BATTLE.view(game.state, BRITISH).rates["Hood"]
        assert fire.reduced == ()

    def test_edition_1_asks_at_the_designation_alone(self) -> None:
        rules = advanced_battle(RULESET.of_edition(1))
        state = rules.begin(rules.schemas.setup.read(near()))
        for ship in state.engagement.in_action:
            state = _played(rules, state, "plot", ship=ship.name, speed=8, notation="4")
        state = _played(rules, _played(rules, state, "commit"), "move")
        main = rules.fire_options(state, "british", "Hood")[0].batteries[0]
        assert main.fewer_guns
        aim = {"target": "Bismarck", "guns": 5, "held_back": True}
        state = _played(rules, state, "designate", ship="Hood", orders=[aim])
        state = _played(rules, state, "commit")
        assert state.kind is StepKind.RESOLVE
        assert rules.dice_wanted(state) is not None
        assert state.resolution is not None
        (shot,) = state.resolution.shots
        assert (shot.guns_firing, shot.guns_held_back) == (5, 3)
        with pytest.raises(DreyerError, match=r"advanced\.not_now\.resolve"):
            _played(rules, state, "reduce", ship="Hood")


def _played(
    rules: AdvancedBattle, state: AdvancedState, kind: str, **data: object
) -> AdvancedState:
    action = rules.schemas.action.read({"kind": kind, **data})
    return rules.play(state, action, TypedDice("")).state


class TestRates:
    def test_fewer_guns_cost_less_and_aim_better(self) -> None:
        """65.3, 65.4, 67.42: ranging in at medium range three factors a gun; each gun takes 1."""
        game = duel()
        full = only(checked(game, "british", "Hood"))
        rate = {"target": "Bismarck", "guns": {"A": 1, "B": 1, "X": 1}}
        reduced = only(checked(game, "british", "Hood", rate))
        assert (full.guns, full.cost) == (8, 24)
        assert (reduced.guns, reduced.cost) == (5, 15)
        (held,) = [line for line in reduced.ledger if line.number == "held_back"]
        assert held.reference == "67.42"
        assert -3 <= held.value < 0
        assert full.modifier_total is not None
        assert reduced.modifier_total == full.modifier_total + held.value
        assert full.forecast is not None
        assert reduced.forecast is not None
        assert reduced.forecast.expected_hits <= full.forecast.expected_hits

    def test_the_fire_is_resolved_as_it_was_checked(self) -> None:
        game = duel()
        rate = {"target": "Bismarck", "guns": {"A": 1, "B": 1, "X": 1, "Y": 1}}
        fire = only(checked(game, "british", "Hood", rate))
        before = game.state.engagement["Hood"].vessel.main_ammunition
        game.do("reduce", "british", ship="Hood", rates=[rate])
        game.do("commit")
        current = resolution_of(game.state, "german").current
        assert current is not None
        game.roll(random.Random(2))
        assert game.state.engagement["Hood"].vessel.main_ammunition == before - fire.cost
        (told,) = [e for e in game.story(GERMAN) if e.kind == "fire" and e.ships[0] == "Hood"]
        assert told.document is not None
        assert getattr(told.document, "guns", None) == fire.guns == 4
        assert getattr(told.document, "modifier_total", None) == fire.modifier_total

    def test_what_is_known_of_the_enemys_fire_is_no_guess_any_more(self) -> None:
        """62.555: all designations lie open, so she knows that she is fired upon."""
        fire = only(checked(duel(), "british", "Hood"))
        (under_fire,) = [line for line in fire.ledger if line.number == 13]
        assert under_fire.label.code != "advanced.modifier.as_far_as_known"
        assert under_fire.value == 2

    def test_several_turrets_at_different_targets(self) -> None:
        aims: list[dict[str, Any]] = [
            {"target": "Bismarck", "turrets": ["A", "B"]},
            {"target": "Prinz Eugen", "turrets": ["X", "Y"]},
            {"target": "Prinz Eugen", "battery": "secondary"},
        ]
        game = designated(near(), Hood=aims)
        fires = BATTLE.view(game.state, BRITISH).rates["Hood"]
        assert [(fire.target, fire.battery) for fire in fires] == [
            ("Bismarck", "main"),
            ("Prinz Eugen", "main"),
            ("Prinz Eugen", "secondary"),
        ]
        mounts = {turret.name: 1 for turret in fires[2].turrets if turret.guns > 1}
        game.do(
            "reduce",
            "british",
            ship="Hood",
            rates=[
                {"target": "Prinz Eugen", "guns": {"Y": 1}},
                {"target": "Prinz Eugen", "battery": "secondary", "guns": mounts},
            ],
        )
        game.do("commit")
        assert game.state.resolution is not None
        rates = {(s.target.name, s.battery): dict(s.rates) for s in game.state.resolution.shots}
        assert rates == {
            ("Bismarck", Battery.MAIN): {},
            ("Prinz Eugen", Battery.MAIN): {"Y": 1},
            ("Prinz Eugen", Battery.SECONDARY): mounts,
        }
        seen = BATTLE.view(game.state, GERMAN).reduced
        assert [(each.target, dict(each.guns)) for each in seen] == [
            ("Prinz Eugen", {"Y": 1}),
            ("Prinz Eugen", mounts),
        ]

    def test_ammunition_by_turret_follows_each_turret(self) -> None:
        """65.6: what a turret does not fire stays in its own magazine."""
        game = duel(options={"ammunition_by_turret": True})
        before = game.state.engagement["Hood"].vessel
        reduce(game, "Hood", "Bismarck", B=1, Y=1)
        game.do("commit")
        game.roll(random.Random(3))
        after = game.state.engagement["Hood"].vessel
        magazines = (
            {
                each.name: ship.turret_ammunition(Battery.MAIN, each.name)
                for each in before.warship.turrets
            }
            for ship in (before, after)
        )
        had, has = magazines
        spent = {name: had[name] - has[name] for name in had}
        assert spent == {"A": 6, "B": 3, "X": 6, "Y": 3}

    @pytest.mark.parametrize(
        ("rates", "code"),
        [
            ([{"target": "Bismarck", "guns": {"A": 0}}], r"advanced\.rate\.one_gun"),
            ([{"target": "Bismarck", "guns": {"A": 3}}], r"advanced\.rate\.too_many"),
            ([{"target": "Bismarck", "guns": {"Q": 1}}], r"advanced\.rate\.turret_not_firing"),
            ([{"target": "Prinz Eugen", "guns": {"A": 1}}], r"advanced\.rate\.no_such_fire"),
            (
                [{"target": "Bismarck", "battery": "secondary", "guns": {"S1": 1}}],
                r"advanced\.rate\.no_such_fire",
            ),
            ([{"target": "Bismarck"}] * 2, r"advanced\.rate\.twice"),
        ],
    )
    def test_what_is_not_allowed_is_refused_and_changes_nothing(
        self, rates: list[dict[str, Any]], code: str
    ) -> None:
        game = duel()
        before = game.state
        with pytest.raises(DreyerError) as refused:
            game.do("reduce", "british", ship="Hood", rates=rates)
        said = refused.value.message
        codes = [said.code, *(getattr(value, "code", "") for _, value in said.params)]
        assert any(code.replace("\\", "") == each for each in codes)
        assert game.state is before

    def test_the_rule_stands_in_the_check_of_a_draft(self) -> None:
        fault = checked(duel(), "british", "Hood", {"target": "Bismarck", "guns": {"A": 0}}).fault
        assert fault is not None
        assert fault.reference == "67.41"

    def test_it_is_for_its_own_side_and_its_own_time(self) -> None:
        game = duel()
        with pytest.raises(DreyerError, match=r"advanced\.order\.not_yours"):
            game.do("reduce", "german", ship="Hood")
        game.do("commit")
        with pytest.raises(DreyerError, match=r"advanced\.not_now\.resolve"):
            game.do("reduce", "british", ship="Hood")
        draft, _ = read_event(event("reduce", "british", ship="Hood"))
        with pytest.raises(DreyerError, match=r"advanced\.rate\.not_now"):
            BATTLE.check(game.state, draft)


class TestJams:
    """Decision 8 and 71.2: jams are rolled first, and what has jammed is not held back."""

    def test_rolled_before_anybody_chooses(self) -> None:
        game = designated(
            jam_setup("Prince of Wales", "King George V"),
            Prince_of_Wales=[{"target": "Bismarck"}],
            King_George_V=[{"target": "Bismarck"}],
        )
        assert game.state.kind is StepKind.RESOLVE
        with pytest.raises(DreyerError, match=r"advanced\.not_now\.resolve"):
            reduce(game, "Prince of Wales", "Bismarck", A=1)
        game.do("dice", "british", values=["24"])
        assert BATTLE.dice_wanted(game.state) is not None
        game.do("dice", "british", values=["26"])
        assert BATTLE.step(game.state).kind is StepKind.REDUCE
        assert turrets(game, "Prince of Wales") == {"A": 2, "B": 2, "X": 4}
        # 26–31: both guns of B; the turret drops out.
        assert turrets(game, "King George V") == {"A": 4, "X": 4}

    def test_dice_of_the_fire_are_not_taken_with_those_of_the_jams(self) -> None:
        game = designated(jam_setup("Prince of Wales"), Prince_of_Wales=[{"target": "Bismarck"}])
        with pytest.raises(DreyerError, match=r"dice\.too_many|too_many"):
            roll(game.state, "66", "11")
        found = BATTLE.play(game.state, RollDice(), RolledDice(random.Random(1)))
        assert len(found.rolls) == 1
        assert found.state.kind is StepKind.REDUCE

    def test_jammed_guns_are_not_held_back(self) -> None:
        """71.5: two guns of A jammed; of the other eight one is held back."""
        game = prince_of_wales("24")
        reduce(game, "Prince of Wales", "Bismarck", A=1)
        game.do("commit")
        assert game.state.resolution is not None
        (shot,) = game.state.resolution.shots
        assert (shot.guns_firing, shot.guns_held_back) == (7, 1)

    def test_a_turret_jammed_to_one_gun_has_nothing_to_reduce(self) -> None:
        setup = jam_setup("Prince of Wales")
        setup["ships"][0]["state"] = {"jammed_guns": {"A": 1}}
        aims = [{"target": "Bismarck", "turrets": ["A"]}]
        game = designated(setup, Prince_of_Wales=aims)
        game.do("dice", "british", values=["24"])
        # A had three guns left, and two of them jam: one fires, and nobody is asked.
        assert game.state.kind is StepKind.RESOLVE
        assert game.state.resolution is not None
        (shot,) = game.state.resolution.shots
        assert shot.guns_firing == 1

    def test_a_lasting_jam_counts_at_once(self) -> None:
        """71.4: it is on her sheet while the fire is still to come."""
        game = prince_of_wales("11")
        assert turrets(game, "Prince of Wales") == {"A": 3, "B": 2, "X": 4}
        with pytest.raises(DreyerError):
            reduce(game, "Prince of Wales", "Bismarck", A=4)
        reduce(game, "Prince of Wales", "Bismarck", A=2)

    def test_where_all_that_fires_has_jammed_the_phase_is_over(self) -> None:
        aims = [{"target": "Bismarck", "turrets": ["B"]}]
        game = designated(jam_setup("King George V"), King_George_V=aims)
        game.do("dice", "british", values=["26"])
        assert game.state.kind is StepKind.MARK

    def test_events_come_in_the_order_of_the_rules(self) -> None:
        game = prince_of_wales("24")
        reduce(game, "Prince of Wales", "Bismarck", A=1, X=2)
        game.do("commit")
        game.roll(random.Random(1))
        kinds = [each for each in game.happened if isinstance(each, GunsJammed | RateReduced)]
        jam, rate = kinds
        assert isinstance(jam, GunsJammed)
        assert isinstance(rate, RateReduced)
        assert (dict(rate.guns), rate.firing, rate.held_back) == ({"A": 1, "X": 2}, 5, 3)
        told = [entry.kind for entry in game.story(GERMAN) if entry.kind in ("jam", "rate", "fire")]
        assert told == ["jam", "rate", "fire"]


class TestSecrets:
    """The enemy learns that a side has committed, and nothing of what."""

    @pytest.mark.parametrize("guns", [{}, {"A": 1}, {"A": 1, "Y": 1}])
    def test_whatever_is_chosen_the_other_side_sees_the_same(self, guns: dict[str, int]) -> None:
        game, other = duel(), duel()
        for one, chosen in ((game, guns), (other, {"B": 1})):
            reduce(one, "Hood", "Bismarck", **chosen)
            one.do("commit", "british")
            for seat in (GERMAN, SPECTATOR):
                assert BATTLE.view(one.state, seat).rates.keys() <= {"Bismarck"}
        for seat in (GERMAN, SPECTATOR):
            assert BATTLE.view(game.state, seat) == BATTLE.view(other.state, seat)
            assert game.story(seat) == other.story(seat)
        assert [type(each) for each in game.happened[-2:-1]] == [RateChosen]
        assert BATTLE.view(game.state, UMPIRE).rates.keys() == {"Hood", "Bismarck"}

    def test_both_open_together(self) -> None:
        game = duel()
        reduce(game, "Hood", "Bismarck", A=1)
        reduce(game, "Bismarck", "Hood", A=1)
        game.do("commit", "german")
        assert not [each for each in game.happened if isinstance(each, RateReduced)]
        game.do("commit", "british")
        opened = [each for each in game.happened if isinstance(each, RateReduced)]
        assert [each.ship for each in opened] == ["Hood", "Bismarck"]
        reduced = BATTLE.view(game.state, GERMAN).reduced
        assert [(each.firer, dict(each.guns)) for each in reduced] == [
            ("Hood", {"A": 1}),
            ("Bismarck", {"A": 1}),
        ]

    def test_a_hidden_target_has_no_odds(self) -> None:
        setup = near(hidden=True)
        for number, ship in enumerate(setup["ships"], start=1):
            ship["number"] = 40 + number
        game = Game.begin(setup)
        game.move_all()
        targets = BATTLE.fire_options(game.state, "british", "Hood")
        hidden = next(each for each in targets if each.hidden)
        game.do("designate", "british", ship="Hood", orders=[{"target": hidden.target}])
        game.do("commit")
        fire = only(checked(game, "british", "Hood", {"target": hidden.target, "guns": {"A": 1}}))
        assert (fire.forecast, fire.modifier_total) == (None, None)
        assert fire.guns == 7


class TestAfterwards:
    def test_replayed_it_is_the_same_battle(self) -> None:
        setup = jam_setup("Prince of Wales")
        game = designated(setup, Prince_of_Wales=[{"target": "Bismarck"}])
        game.do("dice", None, values=["24"])
        reduce(game, "Prince of Wales", "Bismarck", A=1, B=1)
        assert replayed(setup, game.events) == game.state
        game.do("commit", "german")
        game.do("uncommit", "german")
        game.do("commit")
        game.roll(random.Random(4))
        assert replayed(setup, game.events) == game.state

    def test_a_correction_takes_commitments_back_and_drops_what_does_not_fit(self) -> None:
        game = duel()
        reduce(game, "Hood", "Bismarck", A=1)
        reduce(game, "Bismarck", "Hood", A=1)
        game.do("commit", "german")
        game.do("correct", None, ship="Hood", values={"jammed_guns": {"A": 1}}, reason="seen")
        assert game.state.kind is StepKind.REDUCE
        assert game.state.committed == frozenset()
        assert set(game.state.reduced) == {"Bismarck"}
        assert turrets(game, "Hood")["A"] == 1

    def test_a_correction_after_the_first_die_keeps_the_rates(self) -> None:
        game = prince_of_wales("66")
        reduce(game, "Prince of Wales", "Bismarck", A=1)
        game.do("commit")
        game.do("dice", None, values=["61"])
        values = {"superstructure_lost": 1}
        game.do("correct", None, ship="Bismarck", values=values, reason="seen")
        game.roll(random.Random(1))
        assert game.state.kind is StepKind.MARK
        assert game.state.resolution is not None
        (fire,) = game.state.resolution.fires
        assert fire.shot.guns_held_back == 3
        told = [entry.kind for entry in game.story(GERMAN) if entry.kind in ("jam", "rate", "fire")]
        assert told == ["jam", "rate", "fire"]

    def test_the_order_of_fire_is_chosen_with_the_rates(self) -> None:
        """62.3: drawn forward, a fire keeps its rate."""
        aims: dict[str, Any] = {
            "Hood": [{"target": "Bismarck"}],
            "Norfolk": [{"target": "Prinz Eugen"}],
        }
        game = designated(near(), **aims)
        assert resolution_of(game.state, "british").choices == ()
        reduce(game, "Norfolk", "Prinz Eugen", **{next(iter(turrets(game, "Norfolk"))): 1})
        game.do("commit")
        game.do("roll_next", "british", firer="Norfolk", target="Prinz Eugen")
        assert game.state.resolution is not None
        first = game.state.resolution.shots[0]
        assert (first.firer.name, first.guns_held_back) == ("Norfolk", 1)

    @pytest.mark.parametrize(("guns", "kept"), [({}, True), ({"A": 1}, False)])
    def test_dice_from_before_an_undo_are_kept_for_the_very_fire(
        self, guns: dict[str, int], kept: bool
    ) -> None:
        """A step back to the rates keeps the jams; at another rate a fire has fresh dice."""
        game: PlayedGame[AdvancedState] = PlayedGame(BATTLE, prince_of_wales("24").state)
        fired = _play(game, Commit())
        fought = fired.play(50, RollDice(), RolledDice(random.Random(5)))
        back = fought.undo(to=fought.played[0].n)
        assert back.state == game.state
        rate = RateOfFire(target="Bismarck", guns=guns)
        again = _play(back, Reduce(ship="Prince of Wales", rates=(rate,)), Commit())
        again = again.play(90, RollDice(), RolledDice(random.Random(6)))
        first, then = fought.played[-1].rolls[0], again.played[-1].rolls[0]
        assert (then.value == first.value, then.again) == (kept, kept)
        assert again.state.resolution is not None
        assert again.state.resolution.fires[0].shot.guns_firing == (8 if kept else 7)

    def test_ending_the_battle_forgets_the_drafts(self) -> None:
        game = duel()
        reduce(game, "Hood", "Bismarck", A=1)
        game.do("end")
        assert game.state.kind is StepKind.ENDED
        assert game.state.reduced == {}


def _play(game: PlayedGame[AdvancedState], *actions: Action) -> PlayedGame[AdvancedState]:
    for action in actions:
        number = game.played[-1].n + 1 if game.played else 1
        game = game.play(number, action, TypedDice(""))
    return game


def test_a_draft_travels_through_the_journal() -> None:
    state = duel().state
    drafted = apply(
        state,
        event("reduce", "british", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}]),
    )
    written = BATTLE.schemas.action.write(
        Reduce(side="british", ship="Hood", rates=(RateOfFire(target="Bismarck", guns={"A": 1}),))
    )
    assert BATTLE.play(state, BATTLE.schemas.action.read(written), TypedDice("")).state == drafted
