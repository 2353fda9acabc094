"""Worked examples of a rulebook in free play, asked of its engine.

Kinds of cases: `factor`, `modifiers` (those that are not nought), `needs` (the ten-sided dice that
hit) and `resolve` with typed dice, of which one key of the document is shown.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from combat.case_file import Kind, replay_cases, shots_in, shown
from combat.dice import TEN_SIDES, BadDice, Dice, TypedDice
from combat.events import Event
from combat.free_play import FreeRulebook
from combat.shot_file import Shot, ShotForm
from combat.verification import Case, Figure
from tabletop.fields import Fields

Named = Callable[[Fields], Shot[Any]]
"""The shot that a case names."""


def resolved(
    rulebook: FreeRulebook[Any], shot: Shot[Any], dice: Dice
) -> tuple[tuple[Event, ...], Mapping[str, object]]:
    """The events of a shot, and its document."""
    events = rulebook.play(shot.state, shot.action, dice).events
    return events, rulebook.document(events)


def replay_shots(
    data: bytes,
    rulebook: FreeRulebook[Any],
    more: Callable[[Named], Mapping[str, Kind]] = lambda _: {},
) -> Iterator[Case]:
    """Every case of a rulebook's examples; `more` are kinds of its own."""
    source = f"{rulebook.name}/examples.toml"
    shots = shots_in(data, source, ShotForm(rulebook).read_fields)

    def named(given: Fields) -> Shot[Any]:
        return shots[given.choice("shot", shots)]

    def factor(given: Fields) -> Figure:
        shot = named(given)
        return rulebook.strength(rulebook.attempt(shot.state, shot.action)).factor

    def modifiers(given: Fields) -> Figure:
        shot = named(given)
        ledger = rulebook.strength(rulebook.attempt(shot.state, shot.action)).ledger
        return [line.value for line in ledger if line.value]

    def resolve(given: Fields) -> Figure:
        dice = TypedDice(given.text("dice") if "dice" in given else "")
        try:
            _, document = resolved(rulebook, named(given), dice)
            dice.finish()
        except BadDice as error:
            # An owner's table may make a hit of what was none, and hits take more dice.
            return error.message
        return shown(document, given.text("show"))

    def needs(given: Fields) -> Figure:
        return [
            die
            for die in range(1, TEN_SIDES + 1)
            # What may follow a hit is rolled too; it makes no hit of a miss.
            for dice in [TypedDice(f"{die % TEN_SIDES} 1 1 1")]
            if resolved(rulebook, named(given), dice)[1]["hits"]
        ]

    kinds: dict[str, Kind] = {
        "factor": (factor, ("shot",)),
        "modifiers": (modifiers, ("shot",)),
        "needs": (needs, ("shot",)),
        "resolve": (resolve, ("shot", "dice", "show")),
        **more(named),
    }
    return replay_cases(rulebook.name, data, source, kinds)
