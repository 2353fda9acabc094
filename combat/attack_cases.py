"""Cases about attacks, for any rulebook whose fire is an `AttackRules`.

Kinds of cases: `factor`, `modifiers` (those that are not nought), `needs` (the ten-sided dice that
hit) and `resolve` with typed dice, of which one key of the document is shown.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from combat.attack_rules import AttackRules
from combat.case_file import Kind, replay_cases, shots_in, shown
from combat.dice import TEN_SIDES, BadDice, TypedDice
from combat.tables import TableSet
from combat.verify import Case, Figure
from tabletop.fields import Fields

Attack = TypeVar("Attack")
Named = Callable[[Fields], Attack]
"""The attack that a case names as its shot."""


def replay_attacks(
    ruleset: str,
    data: bytes,
    rules: AttackRules[Attack],
    tables: TableSet,
    more: Callable[[Named[Attack]], Mapping[str, Kind]] = lambda _: {},
) -> Iterator[Case]:
    """Every case of a ruleset's examples, asked of its fire; `more` are kinds of its own."""
    source = f"{ruleset}/examples.toml"
    attacks = shots_in(
        data, source, lambda fields: rules.read(rules.layout.read_fields(fields), tables)
    )

    def attack(given: Fields) -> Attack:
        return attacks[given.choice("shot", attacks)]

    def factor(given: Fields) -> Figure:
        return rules.strength(attack(given), tables).factor

    def modifiers(given: Fields) -> Figure:
        ledger = rules.strength(attack(given), tables).ledger
        return [line.value for line in ledger if line.value]

    def resolve(given: Fields) -> Figure:
        dice = TypedDice(given.text("dice") if "dice" in given else "")
        try:
            report = rules.play(attack(given), dice, tables)
            dice.finish()
        except BadDice as error:
            # An owner's table may make a hit of what was none, and hits take more dice.
            return str(error)
        return shown(report.document, given.text("show"))

    def needs(given: Fields) -> Figure:
        return [
            die
            for die in range(1, TEN_SIDES + 1)
            # What may follow a hit is rolled too; it makes no hit of a miss.
            for dice in [TypedDice(f"{die % TEN_SIDES} 1 1 1")]
            if rules.play(attack(given), dice, tables).document["hits"]
        ]

    kinds: dict[str, Kind] = {
        "factor": (factor, ("shot",)),
        "modifiers": (modifiers, ("shot",)),
        "needs": (needs, ("shot",)),
        "resolve": (resolve, ("shot", "dice", "show")),
        **more(attack),
    }
    return replay_cases(ruleset, data, source, kinds)
