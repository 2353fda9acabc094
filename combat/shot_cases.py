"""Worked examples of a rulebook in free play.

Kinds of cases: `factor`, `modifiers` (those that are not 0), `needs` (the ten-sided dice that
hit) and `resolve` with typed dice, which checks one key of the document.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from typing_extensions import TypeVar

from combat.case_file import CASE_FILE, CaseFile, Kind, replay_cases, shown
from combat.dice import TEN_SIDES, BadDice, Dice, TypedDice
from combat.events import Event
from combat.free_play import FreeRulebook
from combat.previews import Document
from combat.shot_file import Shot, ShotForm
from combat.strength import Strength
from combat.verification import Case, Figure
from tabletop.errors import UnknownName
from tabletop.places import DocumentPlace
from tabletop.schema import Text

M = TypeVar("M")
S = TypeVar("S", default=M)
Named: TypeAlias = Callable[[str], Shot[M]]
"""Finds a shot by its name."""


def resolved(
    rulebook: FreeRulebook[M, S], shot: Shot[M], dice: Dice
) -> tuple[tuple[Event, ...], Document]:
    """The events of a shot, and its document."""
    events = rulebook.play(shot.state, shot.action, dice).events
    return events, rulebook.document(events)


def replay_shots(
    data: bytes,
    rulebook: FreeRulebook[M, S],
    more: Callable[[Named[M]], Mapping[str, Kind]] = lambda _: {},
) -> Iterator[Case]:
    """Every case of a rulebook's examples; `more` gives its own kinds of cases."""
    source = f"{rulebook.name}/examples.toml"
    file = CASE_FILE.read_toml(data, source)
    shots = shots_in(file, source, ShotForm(rulebook))

    def named(shot: str) -> Shot[M]:
        if shot not in shots:
            raise UnknownName(source, "shot", shot, shots)
        return shots[shot]

    def strength(shot: str) -> Strength:
        found = named(shot)
        return rulebook.strength(rulebook.attempt(found.state, found.action))

    def factor(shot: Text) -> Figure:
        return strength(shot).factor

    def modifiers(shot: Text) -> Figure:
        return [line.value for line in strength(shot).ledger if line.value]

    def resolve(shot: Text, show: Text, dice: Text | None = None) -> Figure:
        typed = TypedDice(dice or "")
        try:
            _, document = resolved(rulebook, named(shot), typed)
            typed.finish()
        except BadDice as error:
            # With an owner's table a miss may become a hit, which needs more dice.
            return error.message
        return shown(document, show)

    def needs(shot: Text) -> Figure:
        return [
            die
            for die in range(1, TEN_SIDES + 1)
            # The further dice are for rolls after a hit; they do not change whether it hits.
            for dice in [TypedDice(f"{die % TEN_SIDES} 1 1 1")]
            if resolved(rulebook, named(shot), dice)[1]["hits"]
        ]

    kinds: dict[str, Kind] = {
        "factor": factor,
        "modifiers": modifiers,
        "needs": needs,
        "resolve": resolve,
        **more(named),
    }
    return replay_cases(rulebook.name, file, source, kinds)


def shots_in(file: CaseFile, source: str, form: ShotForm[M, S]) -> dict[str, Shot[M]]:
    """The shots of a file by their names."""
    place = DocumentPlace(source).table("shot")
    return {name: form.read(each, place.table(name)) for name, each in file.shot.items()}
