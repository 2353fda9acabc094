"""The book's fight of Prinz Eugen and Norfolk, die by die, the marks carried on."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from combat.actions import Action, NextRound
from combat.dice import RolledDice, TypedDice
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship, ShipStatus
from combat.rulebooks.chase_of_the_bismarck import load
from combat.rulebooks.chase_of_the_bismarck.actions import Gunfire, Marks, Torpedoes
from combat.rulebooks.chase_of_the_bismarck.board import Position
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
from combat.rulebooks.chase_of_the_bismarck.table_files import TANKERS
from tests.combat.shot_runner import ShotRunner, in_words

CHASE = load()
TABLES = CHASE.tables
DESK = ShotRunner(CHASE)
RULEBOOK = ChaseRulebook(TABLES, CHASE.ships)
PRINZ_EUGEN, NORFOLK = "Prinz Eugen", "Norfolk"


@dataclass
class Fight:
    """The two ships of the book in free play, and how they lie in this round."""

    game: Game[FreeState[Marks]]
    positions: dict[str, Position]
    zones_between: int

    def begin_round(self, zones_between: int, prinz_eugen: Position, norfolk: Position) -> None:
        self._play(NextRound(), "")
        self.zones_between = zones_between
        self.positions = {PRINZ_EUGEN: prinz_eugen, NORFOLK: norfolk}

    def attack(self, firer: str, dice: str, torpedoes: int = 0) -> Mapping[str, Any]:
        target = NORFOLK if firer == PRINZ_EUGEN else PRINZ_EUGEN
        position, other = self.positions[firer], self.positions[target]
        action: Action = Gunfire(
            by=firer, at=target, firer_position=position, target_position=other,
            zones_between=self.zones_between, visibility=9,
        )  # fmt: skip
        if torpedoes:
            action = Torpedoes(
                by=firer, at=target, firer_position=position, target_position=other,
                zones_between=self.zones_between, visibility=9, torpedoes=torpedoes,
            )  # fmt: skip
        self._play(action, dice)
        document: Mapping[str, Any] = in_words(RULEBOOK.document(self.game.played[-1].events))
        return document

    def _play(self, action: Action, dice: str) -> None:
        rolls = TypedDice(dice)
        self.game = self.game.play(len(self.game.played) + 1, action, rolls)
        rolls.finish()

    def marks(self, ship: str) -> Marks:
        return self.game.state.marks[ship]


def test_the_three_rounds_of_the_book() -> None:
    ships = (
        Ship(PRINZ_EUGEN, PRINZ_EUGEN, "german", PRINZ_EUGEN),
        Ship(NORFOLK, NORFOLK, "british", NORFOLK),
    )
    state: FreeState[Marks] = FreeState()
    for ship in ships:
        state = state.with_ship(ship, RULEBOOK.fresh(ship))
    start = {PRINZ_EUGEN: Position.CLOSING, NORFOLK: Position.BREAKING_OFF}
    fight = Fight(Game(RULEBOOK, state), start, 3)

    reports = [fight.attack(PRINZ_EUGEN, "9 5 2"), fight.attack(NORFOLK, "5 0")]
    assert all(report["target_acquired"] for report in reports)
    assert fight.marks(NORFOLK) == Marks(stern_lost=1, acquired=frozenset([PRINZ_EUGEN]))
    assert fight.marks(PRINZ_EUGEN) == Marks(hull_lost=1, acquired=frozenset([NORFOLK]))

    fight.begin_round(1, Position.CLOSING, Position.OPENING)
    # Who was hit last round is an acquired target, without anybody's saying so.
    salvo = fight.attack(PRINZ_EUGEN, "7 7 8 3 5")
    assert salvo["results"] == ["9: miss", "9: miss", "10: miss", "5: hull 1", "7: stern 1"]
    # The stern hit of this round does not yet count: three factors make five dice.
    assert fight.attack(NORFOLK, "7 7 8 6 2 0")["dice_count"] == 5
    critical = fight.attack(PRINZ_EUGEN, "4 0 0 0 5 9", torpedoes=3)
    assert critical["endings"][-1] == "Norfolk now moves 2 movement zones at most"
    rudder = fight.attack(NORFOLK, "7 1 6 3", torpedoes=3)
    assert rudder["endings"][-1] == "Prinz Eugen now moves 0 movement zones at most"
    assert fight.marks(NORFOLK) == Marks(
        hull_lost=3, stern_lost=2, evasion_lost=10, torpedoes_used=3,
        acquired=frozenset([PRINZ_EUGEN]),
    )  # fmt: skip
    assert fight.marks(PRINZ_EUGEN) == Marks(
        hull_lost=2, evasion_lost=5, torpedoes_used=3, rudder_damaged=True,
        acquired=frozenset([NORFOLK]),
    )  # fmt: skip

    fight.begin_round(1, Position.CLOSING, Position.OPENING)
    assert fight.attack(PRINZ_EUGEN, "9 3 8 8 7")["target_sunk"] is True
    assert fight.attack(NORFOLK, "5 7 3")["dice_count"] == 3
    fight.attack(NORFOLK, "2 4", torpedoes=1)
    assert fight.marks(PRINZ_EUGEN) == Marks(
        hull_lost=3, bow_lost=1, stern_lost=1, evasion_lost=5, torpedoes_used=3,
        rudder_damaged=True, acquired=frozenset([NORFOLK]),
    )  # fmt: skip
    assert fight.marks(NORFOLK).torpedoes_used == 4
    assert RULEBOOK.sheet(fight.game.state, NORFOLK).status == "sunk"
    assert RULEBOOK.status(fight.game.state, NORFOLK) is ShipStatus.SUNK


WARSHIPS = [ship.name for ship in load().ships if ship.name not in TANKERS]


@pytest.mark.parametrize("ship", WARSHIPS)
def test_the_marks_of_any_ship_can_be_carried_on_until_she_sinks(ship: str) -> None:
    """Bombs, submarines and Bismarck's guns in turn: every report's marks make the next file."""
    marks: Mapping[str, object] = {}
    dice, hull = RolledDice(random.Random(ship)), 0
    for number in range(300):
        battery, firer = (("guns", "Bismarck"), ("air", ""), ("submarine", ""))[number % 3]
        shot: dict[str, object] = {
            "target": {"name": "She", "type": ship, "state": marks},
            "fire": {"battery": battery},
            "conditions": {"visibility": 4},
        }
        if firer:
            shot["firer"] = {"name": firer}
        report = DESK.resolve(shot, dice)
        marks = report.marks["target"]
        drawn = DESK.sheet("She", ship, "", marks)
        lost = drawn.parts[0].lost
        assert hull <= lost <= drawn.parts[0].total
        hull = lost
        if report.document["target_sunk"]:
            break
    assert (drawn.status, drawn.trouble) == ("sunk", 1.0)
