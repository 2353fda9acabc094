"""Fights of every rulebook, from files: what came of each action was worked out by hand."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from combat.fight_file import play_fight
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.previews import Forbidden
from combat.rulebooks import NAMES, get_ruleset
from tabletop.messages import Message
from tests.combat.free_battles import rulebook_of

FOLDER = Path(__file__).parent / "fights"
Fought = Game[FreeState[Any]]


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight file, and what it comes to."""

    name: str
    document: dict[str, Any]
    expected: dict[str, Any]
    rulebook: FreeRulebook[Any]

    def fought(self, actions: int | None = None) -> Fought:
        """The fight after so many of its actions; without a number after all that are allowed."""
        refused = [each["action"] for each in self.expected.get("refused", [])]
        some = self.document["action"][: min(refused) - 1 if refused else None]
        if actions is not None:
            some = self.document["action"][:actions]
        return play_fight(self.rulebook, {**self.document, "action": some}, self.name)

    def marked(self, game: Fought, ship: str) -> dict[str, Any]:
        """A ship's status and marks."""
        state = game.state
        marks = self.rulebook.state_document(state.ship(ship), state.marks[ship])
        return {"status": self.rulebook.status(state, ship).value, **marks}


def _opened(path: Path) -> Fight:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    expected = path.with_suffix(".expected.toml").read_text(encoding="utf-8")
    ruleset = get_ruleset(document["ruleset"])
    rulebook = rulebook_of(ruleset.of_edition(document.get("edition", ruleset.edition)))
    return Fight(path.name, document, tomllib.loads(expected), rulebook)


FIGHTS = [
    _opened(path) for path in sorted(FOLDER.glob("*.toml")) if ".expected" not in path.suffixes
]
every_fight = pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)


def test_every_rulebook_has_one() -> None:
    assert {fight.document["ruleset"] for fight in FIGHTS} == set(NAMES)


@every_fight
def test_ships_are_marked_as_the_rules_say(fight: Fight) -> None:
    for after in fight.expected["after"]:
        game = fight.fought(after["action"])
        assert game.state.round_number == after.get("round", game.state.round_number), after["why"]
        for ship, expected in after["ships"].items():
            marked = fight.marked(game, ship)
            # Marks that must not be there are listed under "absent".
            expected = {**dict.fromkeys(expected.get("absent", ())), **expected}
            expected.pop("absent", None)
            found = {key: marked.get(key) for key in expected}
            assert found == expected, (ship, after["why"])
            assert all(type(found[key]) is type(expected[key]) for key in expected), (ship, found)


@every_fight
def test_events_tell_what_the_rules_say(fight: Fight) -> None:
    adapter = fight.rulebook.event_schema().adapter
    for told in fight.expected.get("event", []):
        played = fight.fought(told["action"]).played[-1]
        written = [adapter.dump_python(event, mode="json") for event in played.events]
        same = [event for event in written if event["kind"] == told["is"]["kind"]]
        assert [{key: event.get(key) for key in told["is"]} for event in same] == [told["is"]], (
            told["why"]
        )


@every_fight
def test_what_the_rules_forbid_is_refused_with_its_number(fight: Fight) -> None:
    for refused in fight.expected.get("refused", []):
        with pytest.raises(Forbidden, match=f"action {refused['action']}") as error:
            fight.fought(refused["action"])
        assert error.value.rule == refused["rule"]


@every_fight
def test_taken_back_to_its_beginning_and_played_again_it_is_the_same(fight: Fight) -> None:
    game = fight.fought()
    back = game.undo(1)
    assert back.state == game.start
    again = back
    for played in game.played:
        again = again.play(played.n, played.action, _NoDice())
    assert again.state == game.state
    assert [each.events for each in again.played] == [each.events for each in game.played]


class _NoDice:
    """Only dice that were kept are there."""

    def pair(self, purpose: Message) -> Any:
        raise AssertionError(purpose)

    die = ten_sided = pair

    def choice(self, count: int, purpose: Message) -> Any:
        raise AssertionError((count, purpose))


@every_fight
def test_every_action_may_be_taken_back_and_made_again(fight: Fight) -> None:
    game = fight.fought()
    adapter = fight.rulebook.action_schema().adapter
    for count, played in enumerate(game.played, start=1):
        before = game.undo(played.n)
        assert before.state == game.state_after(count - 1)
        # As a server that was started again reads it.
        written = adapter.dump_python(played.action, mode="json")
        again = before.play(played.n, adapter.validate_python(written), _NoDice())
        assert again.state == game.state_after(count)
        assert again.played[-1].events == played.events


@every_fight
def test_marks_never_go_down_but_by_an_undo_or_a_repair(fight: Fight) -> None:
    game, mended = fight.fought(), fight.expected.get("mended", [])
    before: dict[str, dict[str, Any]] = {}
    for count in range(1, len(game.played) + 1):
        state = game.state_after(count)
        for ship in state.ships:
            marks = state.marks[ship.id]
            now = fight.rulebook.state_document(ship, marks)
            for key, value in before.get(ship.id, {}).items():
                if count not in mended and key.endswith(
                    ("_lost", "_fired", "_used", "_damaged", "_destroyed", "damage")
                ):
                    assert _total(now[key]) >= _total(value), (ship.name, key)
            before[ship.id] = now


def _total(value: Any) -> float:
    return float(sum(value.values()) if isinstance(value, dict) else len(value)
                 if isinstance(value, list | tuple) else value)  # fmt: skip
