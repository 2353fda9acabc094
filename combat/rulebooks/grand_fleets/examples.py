"""The book's worked examples, and figures from its rules, replayed with the engine.

The cases are in `examples.toml`.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from combat.case_file import Kind, as_figure
from combat.dice import LAST_INDEX, Pair
from combat.rulebooks.grand_fleets.attack import GunAttack
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.command import in_command, quality_of
from combat.rulebooks.grand_fleets.fleet import (
    Division,
    division_faults,
    division_points,
    fleet_faults,
    points_for_leaving,
    winner,
)
from combat.rulebooks.grand_fleets.gunnery import band_of, dice_after, gun_strength, hits_on
from combat.rulebooks.grand_fleets.movement import marker_after, placing_faults
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import Size
from combat.rulebooks.grand_fleets.torpedoes import is_hit
from combat.rulebooks.grand_fleets.vessel import Marks
from combat.rulebooks.grand_fleets.volley import sum_of
from combat.shot_cases import Named
from combat.verification import Figure
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.schema import LongText, Text, Whole
from tabletop.table import Base, Model, Pose

_Modifier = Annotated[Whole, Field(ge=-99, le=99)]
_Yards = Annotated[Whole, Field(ge=0, le=99_999)]
_Points = Annotated[Whole, Field(ge=0, le=10_000)]


class _Engine:
    """The functions of the kinds of cases that are not about an attack's figures."""

    def __init__(self, rulebook: GrandFleetsRulebook, named: Named[Marks]) -> None:
        self._rulebook, self._tables, self._named = rulebook, rulebook.tables, named

    def hits_on(self, shot: Text) -> Figure:
        """The lowest die that hits in a gun attack."""
        found = self._named(shot)
        attack = self._rulebook.attack(self._rulebook.attempt(found.state, found.action))
        if not isinstance(attack, GunAttack):
            expected = Message("grand_fleets.expected.gun_attack")
            raise BadField(found.source, "shot", expected, shot)
        return hits_on(attack, gun_strength(attack, self._tables).ledger.total, self._tables)

    def in_battle(self, shot: Text) -> Figure:
        """The factor of a shot in the first turn of a battle, where marks are all that there is."""
        found = self._named(shot)
        state = replace(found.state, round_number=1)
        return self._rulebook.strength(self._rulebook.attempt(state, found.action)).factor

    def chance(self, shot: Text, result: Text) -> Figure:
        """The number of the 36 rolls of two dice with a result."""
        found = self._named(shot)
        odds = self._rulebook.forecast(found.state, [found.action])
        return round(36 * odds.results[Message(result)])

    def torpedo_table(self, modifier: _Modifier) -> Figure:
        """The number of the 36 rolls with which a torpedo hits."""
        pairs = (Pair.of_index(index) for index in range(1, LAST_INDEX + 1))
        return sum(is_hit(sum_of(pair), modifier, self._tables) for pair in pairs)

    def band(self, bands: Text, yards: _Yards) -> Figure:
        """The range band of a distance for guns with an asterisk."""
        limits = tuple(float(limit) for limit in bands.split())
        return band_of(yards, limits, self._tables, extreme=True) or "out of range"

    def placing(self, ships: Text, speed: Annotated[Whole, Field(ge=0, le=20)]) -> Figure:
        """The wrongly placed ships of a division; each given by name, yards across, yards out."""
        models = [
            Model(name, Pose(float(across), float(out), 0.0), Base(1000.0, 400.0))
            for name, across, out in (ship.split() for ship in ships.split(","))
        ]
        places = {model.name: (model.pose.x_yards, model.pose.y_yards) for model in models}
        faults = placing_faults(
            models,
            speed,
            lambda one, two: math.dist(places[one], places[two]),
            self._tables,
            depth=lambda model: model.pose.y_yards,
        )
        return as_figure([fault.field for fault in faults])

    def fleet(self, ships: Text, size: Size, year: Whole | None = None) -> Figure:
        """The parts of a fleet that break a limit: "points", "nation", or ships of a later year."""
        cards = self._cards(ships)
        return as_figure(
            [fault.field for fault in fleet_faults(cards, size, self._tables, year=year)]
        )

    def divisions(self, ships: LongText) -> Figure:
        """The faults of a side's divisions, each "types: flagship", with semicolons between."""
        found = []
        for number, written in enumerate(ships.split(";"), start=1):
            types, _, flagship = written.partition(":")
            cards = self._cards(types)
            lead = next(card.name for card in cards if card.name.startswith(flagship.strip()))
            found.append(Division(f"division {number}", cards, lead))
        faults = division_faults(found, self._tables)
        return as_figure([fault.message.code.rpartition(".")[2] for fault in faults])

    def _cards(self, types: str) -> tuple[Card, ...]:
        """Sisters by "3 Sample cruiser, Sample destroyers", numbered apart."""
        cards: list[Card] = []
        for written in types.split(","):
            count, _, name = written.strip().partition(" ")
            number, type_ = (int(count), name) if count.isdigit() else (1, written.strip())
            card = self._rulebook.cards.named(type_, type_)
            cards += (replace(card, name=f"{type_} {each}") for each in range(1, number + 1))
        return tuple(cards)

    def boxes(self, boxes: Text, modifier: _Modifier) -> Figure:
        """The attack dice of a row of boxes with a modifier."""
        return dice_after(tuple(int(box) for box in boxes.split()), modifier)

    def division(self, points: _Points, quality: Text) -> Figure:
        """The cost of a division with a chosen commander."""
        return division_points(points, quality, self._tables)

    def quality(self, total: Annotated[Whole, Field(ge=0, le=20)]) -> Figure:
        """The command quality of a total."""
        return quality_of(total, self._tables)

    def leaving(self, points: Annotated[Whole, Field(ge=0, le=999)]) -> Figure:
        """The points for a ship that leaves the table."""
        return points_for_leaving(points, self._tables)

    def marker(self, yards: _Yards) -> Figure:
        """The speed marker of a move."""
        return marker_after(yards, self._tables)

    def victory(self, size: Size, blue: _Points, red: _Points) -> Figure:
        """The winner, by the points of the two sides."""
        return winner({"blue": blue, "red": red}, size, self._tables) or "nobody"

    def command(self, gaps: Text) -> Figure:
        """The ships in command of a line with equal distances."""
        steps = [0, *(int(gap) for gap in gaps.split())]
        places = {f"ship {number + 1}": sum(steps[: number + 1]) for number in range(len(steps))}
        found = in_command(
            "ship 1", places, lambda one, two: abs(places[one] - places[two]), self._tables
        )
        return as_figure(sorted(found))


def kinds(rulebook: GrandFleetsRulebook, named: Named[Marks]) -> Mapping[str, Kind]:
    """The kinds of cases that only this rulebook's examples have."""
    engine = _Engine(rulebook, named)
    return {
        "hits_on": engine.hits_on,
        "in_battle": engine.in_battle,
        "chance": engine.chance,
        "torpedo_table": engine.torpedo_table,
        "band": engine.band,
        "placing": engine.placing,
        "fleet": engine.fleet,
        "divisions": engine.divisions,
        "boxes": engine.boxes,
        "division": engine.division,
        "quality": engine.quality,
        "leaving": engine.leaving,
        "marker": engine.marker,
        "victory": engine.victory,
        "command": engine.command,
    }
