"""`FireRules` for a rulebook on the engine, while pages still ask by shot files.

It goes when the calculator and the command line ask the engine itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from combat.actions import ActionOffer
from combat.dice import Dice
from combat.forecast import Forecast
from combat.form import Question, questions
from combat.free_play import FreeRulebook
from combat.participants import Ship
from combat.record_sheets import RecordSheet
from combat.report import (
    BatteryInfo,
    Condition,
    Facts,
    Preview,
    Report,
    ShotFile,
    ShotKey,
    States,
    Takes,
)
from combat.shot_file import Shot, ShotForm, forecast_shots, found_in, resolve_shot
from combat.shot_layout import answered, toml_value
from combat.tables import TableSet
from tabletop.errors import UnknownName
from tabletop.fields import Fields, parse_toml

Maker = Callable[[TableSet], FreeRulebook[Any]]
_ORDER: Final = ("fire", "conditions", "options", "firer", "target", "firer.state", "target.state")


class BridgedFire:
    """What a rulebook on the engine can do with a shot file."""

    def __init__(self, make: Maker, tables: TableSet, *, brief: bool = False) -> None:
        """`brief` tells the marks of both ships, and only those that a fresh ship has not."""
        self._make = make
        self._brief = brief
        self._rulebook = make(tables)
        self._form = ShotForm(self._rulebook)

    @property
    def shot_keys(self) -> tuple[ShotKey, ...]:
        """Every key that its shot files may have."""
        return tuple(self._form.describe())

    def resolve(self, file: ShotFile, dice: Dice, tables: TableSet) -> Report:
        """Resolve the action in a shot file with these dice."""
        rulebook, shot = self._open(file, tables)
        outcome = resolve_shot(rulebook, shot, dice)
        names = shot.state.names
        marks = {
            ship.side: self._told(rulebook, ship, outcome.state.marks[ship.id])
            for ship in shot.state.ships
            if self._brief
            or ship.side == "target"
            or outcome.state.marks[ship.id] != shot.state.marks[ship.id]
        }
        document = rulebook.document(outcome.events, names)
        return Report(document, rulebook.story(outcome.events, names), marks)

    def forecast(self, files: Sequence[ShotFile], tables: TableSet) -> Forecast:
        """The exact odds of all the actions in some shot files, at one target."""
        opened = [self._open(file, tables) for file in files]
        return forecast_shots(opened[0][0], [shot for _, shot in opened])

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """What a ship of a type can do."""
        return tuple(_battery(offer) for offer in self._rulebook.offers(ship_type))

    def conditions(self, firer_type: str, target_type: str) -> tuple[Condition, ...]:
        """What a page may ask besides the facts."""
        names = {"firer": firer_type or "firer", "target": target_type or "target"}
        by, at = map(self._rulebook.ship_types.find, (firer_type, target_type))
        found = []
        for table, each, kinds in self._keys():
            if each.by_page:
                put = self._rulebook.question(each, by, at)
                # A question that names the ship itself needs no name in front.
                named = names if put.label == each.label else {}
                found.append(_condition(table, put, kinds, named))
        return tuple(sorted(found, key=lambda each: _ORDER.index(each.name.rpartition(".")[0])))

    def shot(self, facts: Facts, states: States | None = None) -> ShotFile:
        """The shot file of these facts and of the ships' marks."""
        source = " at ".join(name for name in (facts.firer, facts.target) if name)
        source = source or self._rulebook.name
        lines: dict[str, object] = {"ruleset": self._rulebook.name}
        for role, name, kind in (
            ("firer", facts.firer, facts.firer_type),
            ("target", facts.target, facts.target_type),
        ):
            if name:
                lines |= {f"{role}.name": name, f"{role}.type": kind or name}
            for key, value in (states or {}).get(role, {}).items():
                lines[f"{role}.state.{key}"] = value
        asked = self.conditions(facts.firer_type, facts.target_type)
        known = {each.name: each for each in asked}
        by_file = {f"{table}.{each.key}" for table, each, _ in self._keys() if each.by_file}
        offers = self._rulebook.offers(facts.firer_type)
        lines["fire.battery"] = facts.battery or (offers[0].kind if offers else "")
        lines |= self._rulebook.facts_as_keys(facts)
        for name, text in facts.conditions:
            if name not in known:
                raise UnknownName(source, "condition", name, known)
            value = answered(known[name], text, source)
            if name in by_file:
                lines[name] = value
        written = "".join(f"{key} = {toml_value(value)}\n" for key, value in lines.items())
        return ShotFile(written.encode("utf-8"), source)

    def preview(self, file: ShotFile, tables: TableSet) -> Preview:
        """The action in a shot file before any die is thrown."""
        rulebook, shot = self._open(file, tables)
        return rulebook.check(shot.state, shot.action)

    def _told(self, rulebook: FreeRulebook[Any], ship: Ship, marks: Any) -> dict[str, Any]:
        told = rulebook.state_document(ship, marks)
        fresh = rulebook.state_document(ship, rulebook.fresh(ship)) if self._brief else {}
        return {key: value for key, value in told.items() if value != fresh.get(key)}

    def _open(self, file: ShotFile, tables: TableSet) -> tuple[FreeRulebook[Any], Shot[Any]]:
        rulebook = self._make(tables)
        form = ShotForm(rulebook)
        return rulebook, form.read(parse_toml(file.data, file.source), file.source)

    def _keys(self) -> Iterator[tuple[str, Question, tuple[str, ...]]]:
        """Every question with its table and the actions that it matters to."""
        kinds: dict[tuple[str, str], list[str]] = {}
        asked: dict[tuple[str, str], Question] = {}
        for info in self._rulebook.infos:
            for each in questions(info.type):
                asked.setdefault((each.table, each.key), each)
                kinds.setdefault((each.table, each.key), []).append(info.kind)
        for place, each in asked.items():
            every = len(kinds[place]) == len(self._rulebook.infos)
            yield each.table, each, () if every else tuple(kinds[place])
        infos = self._rulebook.infos
        for role, taking_part in (
            ("firer", tuple(info.kind for info in infos if info.by_ship)),
            ("target", tuple(info.kind for info in infos if info.at_ship)),
        ):
            if taking_part:
                for each in questions(self._rulebook.state_type):
                    yield f"{role}.state", each, taking_part


def bridged_sheet(
    make: Maker,
) -> Callable[[str, str, str, Mapping[str, object], TableSet], RecordSheet]:
    """The record sheet of a ship from her marks as a shot file states them."""

    def sheet(
        name: str, ship_type: str, side: str, state: Mapping[str, object], tables: TableSet
    ) -> RecordSheet:
        rulebook = make(tables)
        form = ShotForm(rulebook)
        card = rulebook.ship_types.named(ship_type, name)
        ship = Ship(name, name, side, card.name)
        written = form.read_marks(Fields(state, name, form.mark_keys))
        fresh = rulebook.fresh(ship)
        with found_in(name):
            marks = fresh if written is None else rulebook.marks_from(ship, written)
        return rulebook.record_sheet(ship, marks)

    return sheet


def _battery(offer: ActionOffer) -> BatteryInfo:
    info = offer.info
    return BatteryInfo(
        info.kind,
        offer.title,
        offer.strength,
        info.by_ship,
        info.at_ship,
        offer.unit,
        offer.bands,
        info.when_marked,
    )


def _condition(
    table: str, question: Question, kinds: tuple[str, ...], names: Mapping[str, str]
) -> Condition:
    role = table.partition(".")[0]
    label = f"{names[role]}: {question.label}" if role in names else question.label
    return Condition(
        name=f"{table}.{question.key}",
        label=label,
        takes=Takes(question.takes.value),
        usual=question.default_text,
        reference=question.rule,
        least=int(question.least),
        most=int(question.most),
        choices=question.choices,
        asked=question.by_page,
        batteries=kinds,
        mutual=question.mutual,
    )
