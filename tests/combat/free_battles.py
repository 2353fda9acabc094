"""Battles in free play for tests: ships that can do everything, and any action of theirs."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from combat.actions import Action, ActionInfo, AddShip, SetMarks
from combat.dice import TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.questions import Question, questions
from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook
from combat.ships import ShipList, ShipType
from combat.tables import Table, TableSet
from tabletop.errors import BadField, UnknownName
from tabletop.schema import Takes, read_field
from tests.combat import bathtub

M = TypeVar("M")
SIDES = ("red", "blue", "green")
SISTERS = ("Alpha", "Beta")
_MANY = 40
_FAR = 10_000
_CARDS = Path(__file__).parents[1] / "compatibility" / "data" / "owner" / "cards"


def free_rulesets() -> dict[str, Ruleset]:
    """Every ruleset on the engine, and one that nobody has heard of."""
    found = [_with_own_cards(get_ruleset(name)) for name in NAMES]
    return {each.name: each for each in (*found, bathtub.load()) if each.rulebook is not None}


def _with_own_cards(ruleset: Ruleset) -> Ruleset:
    """The ruleset with recorded cards of players, where its cards are theirs to enter.

    They have batteries that no card of ours has.
    """
    if ruleset.cards is None or ruleset.with_cards is None:
        return ruleset
    file = _CARDS / f"{ruleset.name}.toml"
    return ruleset.with_cards(ruleset.cards.read(file.read_bytes(), file.name))


def rulebook_of(ruleset: Ruleset) -> FreeRulebook[Any]:
    """The rulebook of a ruleset, with the tables that come with it."""
    assert ruleset.rulebook is not None
    return ruleset.rulebook(ruleset.tables)


def battle(rulebook: FreeRulebook[Any]) -> FreeState[Any]:
    """Ships on three sides: two sisters of one type, and whoever else can do what they cannot."""
    types = [card.name for card in rulebook.ship_types]
    chosen = [types[0], types[-1]]
    for info in rulebook.infos:
        if info.by_ship and not any(can(rulebook, kind, info) for kind in chosen):
            chosen.append(next(kind for kind in types if can(rulebook, kind, info)))
    ships = [*((name, types[0]) for name in SISTERS)]
    ships += [(f"Ship {number}", kind) for number, kind in enumerate(dict.fromkeys(chosen))]
    state: FreeState[Any] = FreeState()
    for number, (name, kind) in enumerate(ships):
        side = SIDES[number % len(SIDES)]
        state = add(rulebook, state, Ship(name, name, side, kind))
    return _with_hurt_ship(rulebook, state)


_HURT = {
    "grand-fleets": {"hull_lost": 6, "out_of_command": True},
    "bismarck-battle-board": {"midships_hits": 2, "ammunition_spent": 1},
    "chase-of-the-bismarck": {"evasion_lost": 2, "fuel_lost": 1},
}
"""Marks that some actions of a rulebook ask for."""


def _with_hurt_ship(rulebook: FreeRulebook[Any], state: FreeState[Any]) -> FreeState[Any]:
    """The battle with such marks on the second sister."""
    if rulebook.name not in _HURT:
        return state
    ship = state.ship(SISTERS[1])
    marks = replace(state.marks[ship.id], **_HURT[rulebook.name])
    return rulebook.play(state, SetMarks(ship=ship.id, marks=marks), TypedDice("")).state


def add(rulebook: FreeRulebook[Any], state: FreeState[Any], ship: Ship) -> FreeState[Any]:
    """The battle with one more ship."""
    return rulebook.play(state, AddShip(ship=ship), TypedDice("")).state


def marked(state: FreeState[M], ship: str, marks: M) -> FreeState[M]:
    """The battle with these marks of a ship, as if the round had begun with them."""

    def entered(_before: M | None) -> M:
        return marks

    return state.with_marks(ship, entered, entered)


def can(rulebook: FreeRulebook[Any], ship_type: str, info: ActionInfo) -> bool:
    """Whether a ship of a type is offered an action."""
    return info in [offer.info for offer in rulebook.offers(ship_type)]


@dataclass(frozen=True, slots=True)
class Actions:
    """Actions of the ships of one battle."""

    rulebook: FreeRulebook[Any]
    state: FreeState[Any]
    rng: random.Random

    def usual(self, info: ActionInfo) -> Action:
        """An action of this kind with the usual answers."""
        return self._of(info, often=0)

    def any_of(self, info: ActionInfo, often: float = 0.3) -> Action:
        """An action of this kind with any answers that fit its ships, so often not the usual."""
        for _ in range(_MANY):
            action = self._of(info, often)
            if self._fits(action):
                return action
        return self.usual(info)

    def any(self) -> Action:
        """Any action."""
        info = self.rng.choice(self.rulebook.infos)
        # The usual answers must fit the ships, whatever has become of them.
        return self.rng.choice([self.usual, self.any_of])(info)

    def allowed(self, info: ActionInfo) -> Action | None:
        """An action of this kind that the rules allow now; None where none is found soon."""
        for often in (0, 0.3, 0.6, *[1] * 5):
            for _ in range(_MANY):
                action = self.any_of(info, often) if often else self.usual(info)
                if not self.rulebook.check(self.state, action).forbidden:
                    return action
        return None

    def marks(self, ship_id: str) -> Any:
        """A ship's state with any flags and low numbers, as far as her card has them."""
        ship = self.state.ship(ship_id)
        names = self._names(ship)
        while True:
            chosen = {
                each.name: self._answer(each, names)
                for each in map(_low, questions(self.rulebook.state_type))
                if self.rng.random() < 1 / 2
            }
            written = self.rulebook.state_type(**chosen)
            try:
                self.rulebook.marks_from(ship, written)
            except (BadField, UnknownName):
                continue
            return written

    def _of(self, info: ActionInfo, often: float) -> Action:
        values: dict[str, Any] = {"kind": info.kind}
        ships = list(self.state.ships)
        by = at = None
        if info.by_ship:
            by = self.rng.choice([s for s in ships if can(self.rulebook, s.type, info)])
            values["by"] = by.id
        if info.at_ship:
            at = self.rng.choice([s for s in ships if s is not by])
            values["at"] = at.id
        by_page = self.rng.random() < 1 / 2
        for each in self.rulebook.questions_for(info, by, at):
            # What a page asks in one question may be several keys of a file.
            asked = each.by_page if by_page else each.by_file
            if each.required or (asked and self.rng.random() < often):
                values[each.name] = self._answer(each, self._names(by) if often else ())
        return info.type(**values)

    def _fits(self, action: Action) -> bool:
        try:
            self.rulebook.check(self.state, action)
        except (BadField, UnknownName):
            return False
        return True

    def _names(self, ship: Ship | None) -> tuple[str, ...]:
        """What a ship's answers and marks may name: her mounts, and the ships of the battle."""
        names = [each.id for each in self.state.ships]
        for info in self.rulebook.infos:
            if ship and info.by_ship and info.at_ship and can(self.rulebook, ship.type, info):
                action: Any = self.usual(info)
                at = next(each.id for each in self.state.ships if each is not ship)
                attempt = self.rulebook.attempt(self.state, replace(action, by=ship.id, at=at))
                names += [mount.name for mount in self.rulebook.mounts(attempt)]
        return tuple(dict.fromkeys(names))

    def _answer(self, question: Question, names: tuple[str, ...] = ()) -> object:
        known = question.shape.choices or names
        few = self.rng.sample(known, min(len(known), self.rng.randint(0, 2)))
        value: object = question.default
        span = question.most - question.least
        # Small guns fire at the nearest few of a million yards.
        span /= self.rng.choice([10, 50, 100, 1000] if span > _FAR else [1, 10])
        match question.takes:
            case Takes.FLAG:
                value = self.rng.random() < 1 / 2
            case Takes.NUMBER:
                value = int(question.least) + self.rng.randint(0, int(span))
            case Takes.DECIMAL:
                # Boxes are marked by quarters.
                value = question.least + self.rng.randint(0, int(span * 4)) / 4
            case Takes.CHOICE:
                value = self.rng.choice(known)
            case Takes.COUNTS:
                value = dict.fromkeys(few, 1)
            case Takes.AMOUNTS:
                value = dict.fromkeys(few, 0.5)
            case Takes.TEXTS:
                value = few
        return read_field(question.annotation, value, "test", question.key)


def _low(question: Question) -> Question:
    return question.up_to(min(question.most, question.least + 2))


def with_new_ship(rulebook: FreeRulebook[Any], name: str, nation: str) -> FreeRulebook[Any]:
    """The same rules and one more ship, with a card like the first one's, of another navy."""
    first = next(iter(rulebook.ship_types))
    card: ShipType = replace(first, name=name, nation=nation, short_names=())
    tables = TableSet(
        rulebook.name, [_with_row(table, first.name, name) for table in rulebook.tables]
    )
    more = {"rules": rulebook.rules} if isinstance(rulebook, AdvancedRulebook) else {}
    return type(rulebook)(tables, ShipList([*rulebook.ship_types, card]), **more)


def _with_row(table: Table, like: str, name: str) -> Table:
    if like not in table.rows:
        return table
    spec = replace(table.spec, rows=(*table.rows, name))
    more = {(name, column): table.cell(like, column) for column in table.columns}
    return Table(spec, {**table.cells, **more})
