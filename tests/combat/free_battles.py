"""Battles in free play for tests: ships that can do everything, and any action of theirs."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from combat.actions import Action, ActionInfo, AddShip
from combat.dice import TypedDice
from combat.form import Question, Takes, questions, read_value
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.ruleset import Ruleset
from combat.rulesets import NAMES, get_ruleset
from combat.ships import ShipList, ShipType
from combat.tables import Table, TableSet
from tests.combat import bathtub

SIDES = ("red", "blue", "green")
SISTERS = ("Alpha", "Beta")
_MANY = 40
_CARDS = Path(__file__).parents[1] / "compatibility" / "data" / "owner" / "cards"


def free_rulesets() -> dict[str, Ruleset]:
    """Every ruleset on the engine, and one that nobody has heard of."""
    found = [_with_own_cards(get_ruleset(name)) for name in NAMES]
    return {each.name: each for each in (*found, bathtub.load()) if each.rulebook is not None}


def _with_own_cards(ruleset: Ruleset) -> Ruleset:
    """The ruleset with recorded cards of players, where its cards are theirs to enter.

    They have batteries that no card of ours has.
    """
    if ruleset.cards is None:
        return ruleset
    file = _CARDS / f"{ruleset.name}.toml"
    return ruleset.cards.with_cards(ruleset.cards.read(file.read_bytes(), file.name))


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
    return state


def add(rulebook: FreeRulebook[Any], state: FreeState[Any], ship: Ship) -> FreeState[Any]:
    """The battle with one more ship."""
    return rulebook.play(state, AddShip(ship=ship), TypedDice("")).state


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

    def any_of(self, info: ActionInfo) -> Action:
        """An action of this kind with any answers."""
        return self._of(info, often=0.3)

    def any(self) -> Action:
        """Any action."""
        return self.any_of(self.rng.choice(self.rulebook.infos))

    def allowed(self, info: ActionInfo) -> Action | None:
        """An action of this kind that the rules allow now; None where none is found soon."""
        tried = [self.usual(info) for _ in range(_MANY)]
        tried += [self.any_of(info) for _ in range(_MANY)]
        for action in tried:
            if not self.rulebook.check(self.state, action).forbidden:
                return action
        return None

    def marks(self) -> Any:
        """A ship's state with any flags and low numbers."""
        asked = questions(self.rulebook.state_type)
        low = [replace(each, most=min(each.most, each.least + 2)) for each in asked]
        chosen = {each.name: self._answer(each) for each in low if self.rng.random() < 1 / 2}
        return self.rulebook.state_type(**chosen)

    def _of(self, info: ActionInfo, often: float) -> Action:
        values: dict[str, Any] = {"kind": info.kind}
        ships = list(self.state.ships)
        if info.by_ship:
            able = [ship for ship in ships if can(self.rulebook, ship.type, info)]
            values["by"] = self.rng.choice(able).id
        if info.at_ship:
            values["at"] = self.rng.choice([s for s in ships if s.id != values.get("by")]).id
        for each in questions(info.type):
            if each.required or self.rng.random() < often:
                values[each.name] = self._answer(each)
        return info.type(**values)

    def _answer(self, question: Question) -> object:
        value: object = question.default
        if question.takes is Takes.FLAG:
            value = self.rng.random() < 1 / 2
        elif question.takes is Takes.NUMBER:
            least, most = int(question.least), int(question.most)
            # Small guns fire at the nearest few of a hundred thousand yards.
            span = self.rng.choice([most - least, (most - least) // 20])
            value = least + self.rng.randint(0, span)
        elif question.takes is Takes.DECIMAL:
            value = self.rng.uniform(question.least, question.most)
        elif question.takes is Takes.CHOICE:
            value = self.rng.choice(question.choices)[0]
        elif value is None:
            value = {} if question.takes is Takes.COUNTS else []
        return value if value is question.default else read_value(question, value, "test")


def with_new_ship(rulebook: FreeRulebook[Any], name: str, nation: str) -> FreeRulebook[Any]:
    """The same rules and one more ship, with a card like the first one's, of another navy."""
    first = next(iter(rulebook.ship_types))
    card: ShipType = replace(first, name=name, nation=nation, short_names=())
    tables = TableSet(
        rulebook.name, [_with_row(table, first.name, name) for table in rulebook.tables]
    )
    return type(rulebook)(tables, ShipList([*rulebook.ship_types, card]))


def _with_row(table: Table, like: str, name: str) -> Table:
    if like not in table.rows:
        return table
    spec = replace(table.spec, rows=(*table.rows, name))
    more = {(name, column): table.cell(like, column) for column in table.columns}
    return Table(spec, {**table.cells, **more})
