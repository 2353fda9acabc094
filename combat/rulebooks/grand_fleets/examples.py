"""The book's worked examples, and figures that its rules state, replayed through the engine.

The cases are data, `examples.toml`: attacks by name, and what the engine is asked about them.
"""

import math
from collections.abc import Mapping

from combat.case_file import Kind, as_figure
from combat.dice import LAST_INDEX, Pair
from combat.rulebooks.grand_fleets.attack import GunAttack
from combat.rulebooks.grand_fleets.command import in_command, quality_of
from combat.rulebooks.grand_fleets.fleet import division_points, points_for_leaving, winner
from combat.rulebooks.grand_fleets.gunnery import band_of, dice_after, gun_strength, hits_on
from combat.rulebooks.grand_fleets.movement import marker_after, placing_faults
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import SIZES
from combat.rulebooks.grand_fleets.torpedoes import is_hit
from combat.rulebooks.grand_fleets.volley import sum_of
from combat.shot_cases import Named
from combat.verification import Figure
from tabletop.fields import Fields
from tabletop.messages import Message
from tabletop.table import Base, Model, Pose

_MOST_POINTS = 10_000


class _Engine:
    """What cases ask about besides the attacks' own figures; each method is a kind of case."""

    def __init__(self, rulebook: GrandFleetsRulebook, named: Named) -> None:
        self._rulebook, self._tables, self._shot = rulebook, rulebook.tables, named

    def hits_on(self, given: Fields) -> Figure:
        """The lowest die that hits in a gun attack."""
        shot = self._shot(given)
        attack = self._rulebook.attack(self._rulebook.attempt(shot.state, shot.action))
        if not isinstance(attack, GunAttack):
            raise given.wrong(
                "shot", Message("grand_fleets.expected.gun_attack"), given.text("shot")
            )
        return hits_on(attack, gun_strength(attack, self._tables).ledger.total, self._tables)

    def chance(self, given: Fields) -> Figure:
        """In how many of 36 rolls of two dice a result comes up."""
        shot = self._shot(given)
        odds = self._rulebook.forecast(shot.state, [shot.action])
        return round(36 * odds.results[Message(given.text("result"))])

    def torpedo_table(self, given: Fields) -> Figure:
        """In how many of 36 rolls a torpedo hits."""
        modifier = given.integer("modifier", least=-99, most=99)
        pairs = (Pair.of_index(index) for index in range(1, LAST_INDEX + 1))
        return sum(is_hit(sum_of(pair), modifier, self._tables) for pair in pairs)

    def band(self, given: Fields) -> Figure:
        """The range band of a distance for guns with an asterisk."""
        bands = tuple(float(limit) for limit in given.text("bands").split())
        yards = given.integer("yards", least=0, most=99_999)
        return band_of(yards, bands, self._tables, extreme=True) or "out of range"

    def placing(self, given: Fields) -> Figure:
        """Which ships of a division are placed wrongly; each by name, yards across, yards out."""
        models = [
            Model(name, Pose(float(across), float(out), 0.0), Base(1000.0, 400.0))
            for name, across, out in (ship.split() for ship in given.text("ships").split(","))
        ]
        places = {model.name: (model.pose.x_yards, model.pose.y_yards) for model in models}
        faults = placing_faults(
            models,
            given.integer("speed", least=0, most=20),
            lambda one, two: math.dist(places[one], places[two]),
            self._tables,
            depth=lambda model: model.pose.y_yards,
        )
        return as_figure([fault.field for fault in faults])

    def boxes(self, given: Fields) -> Figure:
        """The attack dice that a row of boxes gives at a modifier."""
        boxes = tuple(int(box) for box in given.text("boxes").split())
        return dice_after(boxes, given.integer("modifier", least=-99, most=99))

    def division(self, given: Fields) -> Figure:
        """What a division costs with a chosen commander."""
        points = given.integer("points", least=0, most=_MOST_POINTS)
        return division_points(points, given.text("quality"), self._tables)

    def quality(self, given: Fields) -> Figure:
        """The command quality of a total."""
        return quality_of(given.integer("total", least=0, most=20), self._tables)

    def leaving(self, given: Fields) -> Figure:
        """The points for a ship that leaves the table."""
        return points_for_leaving(given.integer("points", least=0, most=999), self._tables)

    def marker(self, given: Fields) -> Figure:
        """The speed marker of a move."""
        return marker_after(given.integer("yards", least=0, most=99_999), self._tables)

    def victory(self, given: Fields) -> Figure:
        """Who has won, by the points of the two sides."""
        points = {side: given.integer(side, least=0, most=_MOST_POINTS) for side in ("blue", "red")}
        return winner(points, given.choice("size", SIZES), self._tables) or "nobody"

    def command(self, given: Fields) -> Figure:
        """Which ships of a line, so many yards apart one from the next, are in command."""
        gaps = [0, *(int(gap) for gap in given.text("gaps").split())]
        places = {f"ship {number + 1}": sum(gaps[: number + 1]) for number in range(len(gaps))}
        found = in_command(
            "ship 1", places, lambda one, two: abs(places[one] - places[two]), self._tables
        )
        return as_figure(sorted(found))


_GIVEN: Mapping[str, tuple[str, ...]] = {
    "hits_on": ("shot",),
    "chance": ("shot", "result"),
    "torpedo_table": ("modifier",),
    "band": ("bands", "yards"),
    "placing": ("ships", "speed"),
    "boxes": ("boxes", "modifier"),
    "division": ("points", "quality"),
    "quality": ("total",),
    "leaving": ("points",),
    "marker": ("yards",),
    "victory": ("size", "blue", "red"),
    "command": ("gaps",),
}
"""The kinds of cases, and what each is given."""


def kinds(rulebook: GrandFleetsRulebook, named: Named) -> Mapping[str, Kind]:
    """The kinds of cases that only this rulebook's examples have."""
    engine = _Engine(rulebook, named)
    return {kind: (getattr(engine, kind), keys) for kind, keys in _GIVEN.items()}
