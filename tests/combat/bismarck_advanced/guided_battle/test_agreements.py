"""Lines of fire that the players have settled: fire uses them, everybody reads them."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from combat.dice import Roll, TypedDice
from combat.guided_play import PlottedRulebook, StepKind, replay
from combat.participants import SPECTATOR, Seat
from combat.rulebooks import get_ruleset
from combat.views import TargetOption
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message, ShipRef
from tests.combat.bismarck_advanced.guided_battle.driver import fire_of
from web.strings import words

if TYPE_CHECKING:
    from combat.guided_actions import BattleAction

RULESET = get_ruleset("bismarck-advanced")
TABLES = RULESET.tables
SETUP: dict[str, Any] = {
    "sides": ["british", "german"],
    "ships": [
        {"name": "Hood", "side": "british", "pose": {"x": 0, "y": 0, "heading": 0}},
        {"name": "Prince of Wales", "side": "british", "pose": {"x": 3000, "y": 0, "heading": 0}},
        {"name": "Bismarck", "side": "german", "pose": {"x": 15000, "y": 3000, "heading": 0}},
    ],
}
SHIPS = {"Hood": "british", "Prince of Wales": "british", "Bismarck": "german"}
RULE: dict[str, Any] = {
    "firer": "Hood",
    "target": "Bismarck",
    "range_yards": 20_500,
    "quadrant": "bow",
    "aspect": "stern",
    "blocked": True,
    "smoke": True,
    "reason": "the tape says so",
    "who": "Ann",
}


class Table:
    """A battle with the events that made it."""

    def __init__(self, setup: dict[str, Any] = SETUP) -> None:
        assert RULESET.battle is not None
        rules = RULESET.battle(RULESET.tables)
        assert isinstance(rules, PlottedRulebook)
        self.rules: PlottedRulebook[object] = rules
        self.setup = self.rules.schemas.setup.read(setup)
        self.state = self.rules.begin(self.setup)
        self.happened = [*self.rules.opening(self.state)]
        self.actions: list[tuple[BattleAction, tuple[Roll, ...]]] = []

    def play(self, kind: str, side: str | None = None, **data: Any) -> "Table":
        action = self.rules.read_version_1(kind, data, side)
        outcome = self.rules.play(self.state, action, TypedDice(""))
        self.state = outcome.state
        self.happened += outcome.events
        self.actions.append((action, ()))
        return self

    def option(self, ship: str = "Hood", side: str = "british") -> TargetOption:
        return self.rules.fire_options(self.state, side, ship)[0]

    def told(self, side: str | None = None) -> list[Message]:
        return [
            entry.line.text for entry in self.rules.story(self.state, self.happened, Seat(side))
        ]


def table(setup: dict[str, Any] = SETUP) -> Table:
    """A battle at its first designation."""
    here = Table(setup)
    for ship, side in SHIPS.items():
        here.play("plot", side, ship=ship, speed=9, notation="5")
    return here.play("commit").play("move")


def test_fire_uses_what_is_settled_about_its_line() -> None:
    here = table()
    before, other = here.option(), here.option("Prince of Wales")
    here.play("rule", "german", **RULE)
    after = here.option()
    assert (before.segment, before.quadrant, before.blocked) == (
        "medium_high",
        "starboard",
        False,
    )
    assert (after.range_yards, after.segment) == (20_500, "long_high")
    assert (after.quadrant, after.aspect, after.blocked, after.smoke) == (
        "bow",
        "stern",
        True,
        True,
    )
    assert [mount.name for mount in after.batteries[0].mounts if mount.bears] == ["A", "B"]
    assert after.agreed.code == "advanced.settled.figures_by"
    assert (after.agreed["reason"], after.agreed["who"]) == ("the tape says so", "Ann")
    # Her consort's line, and the way back, are as measured.
    assert here.option("Prince of Wales") == other
    assert here.option("Bismarck", "german").agreed == NO_WORDS
    here.play("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}]).play("commit")
    here.play("commit")
    resolution = here.rules.view(here.state, Seat("german")).resolution
    assert resolution is not None
    fire = fire_of(resolution.done[-1])
    assert (fire.range_yards, fire.segment, fire.turrets) == (20_500, "long_high", ("A", "B"))


def test_everybody_reads_who_settled_it_and_why() -> None:
    here = table().play("rule", "british", **RULE)
    for side in ("british", "german", None):
        assert words(here.told(side)[-1]) == (
            "Hood at Bismarck: settled as 20,500 yards, target to bow, her stern side towards "
            "the firer, sight blocked, through smoke (the tape says so; Ann)"
        )
        (agreed,) = here.rules.view(here.state, Seat(side)).agreed
        assert asdict(agreed) == RULE


def test_settling_takes_commitments_back_and_drops_what_it_makes_impossible() -> None:
    here = table()
    orders = [{"target": "Bismarck", "turrets": ["X", "Y"]}]
    here.play("designate", "british", ship="Hood", orders=orders).play("commit", "british")
    here.play("rule", "german", **RULE)
    view = here.rules.view(here.state, Seat("british"))
    assert (view.committed, view.fires) == ((), {})


def test_it_is_taken_back_and_ends_with_its_segment() -> None:
    here = table()
    measured = here.option()
    here.play("rule", None, **RULE).play("rule", None, firer="Hood", target="Bismarck", who="Uma")
    assert here.option() == measured
    assert here.told()[-1] == Message(
        "advanced.settled.measured_by",
        firer=ShipRef("Hood"),
        target=ShipRef("Bismarck"),
        who="Uma",
    )
    here.play("rule", None, **RULE).play("commit")
    assert here.rules.step(here.state).kind is StepKind.PLOT
    assert here.rules.view(here.state, SPECTATOR).agreed == ()


def test_it_is_replayed() -> None:
    here = table().play("rule", "british", **RULE)
    assert replay(here.rules, here.setup, here.actions) == here.state


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"reason": ""}, r"advanced\.settled\.no_reason"),
        ({"target": "Prince of Wales"}, r"advanced\.order\.friends"),
        ({"target": "Tirpitz"}, "Tirpitz"),
        ({"range_yards": -1}, "range_yards"),
        ({"range_yards": float("nan")}, "range_yards"),
        ({"quadrant": "left"}, "quadrant"),
        ({"blocked": "yes"}, "blocked"),
        ({"reason": "x" * 121}, "120"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_makes_no_sense_is_refused(data: dict[str, Any], said: str) -> None:
    here = table()
    with pytest.raises(DreyerError, match=said):
        here.play("rule", "british", **{**RULE, **data})


def test_it_has_its_step() -> None:
    with pytest.raises(DreyerError) as refused:
        Table().play("rule", "british", **RULE)
    assert refused.value.message == Message("advanced.not_now.plot")


def test_a_hidden_ship_is_settled_by_her_number_and_told_so() -> None:
    ships = [{**ship, "number": n} for n, ship in enumerate(SETUP["ships"], start=1)]
    for ship in ships:
        ship["pose"] = {**ship["pose"], "x": 2 * ship["pose"]["x"]}
    here = table({**SETUP, "hidden": True, "ships": ships})
    here.play("rule", "british", **{**RULE, "target": "Ship 3"})
    assert here.told("british")[-1]["target"] == ShipRef("Ship 3")
    assert "Bismarck" not in str(here.rules.view(here.state, Seat("british")))
    told = here.told("german")[-1]
    assert (told["firer"], told["target"]) == (ShipRef("Ship 1"), ShipRef("Bismarck"))
    with pytest.raises(DreyerError, match=r"advanced\.order\.unknown_ship"):
        here.play("rule", "british", **RULE)
