"""What every rulebook must keep to, whoever wrote it: the same questions for all of them."""

import json
import random
from importlib.resources import files
from itertools import islice, product
from pathlib import Path

import pytest

from combat.battle import plain
from combat.dice import RolledDice, TypedDice
from combat.report import BatteryInfo, Facts, FireRules, Report, ShotFile
from combat.ruleset import Ruleset
from combat.rulesets import DEFAULT, NAMES, get_ruleset
from combat.shot_layout import answered
from combat.unfolding import roll_on, unfold
from combat.verify import verify
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError

ENOUGH_CASES = {
    "bismarck-advanced": 30,
    "grand-fleets": 30,
    "chase-of-the-bismarck": 30,
    "arctic-disaster": 25,
    "sink-the-bismarck": 10,
}
ROOT = Path(__file__).parents[2]
PAIRS = 2


def fire_of(name: str) -> tuple[Ruleset, FireRules]:
    ruleset = get_ruleset(name)
    assert ruleset.fire is not None
    return ruleset, ruleset.fire


def attacks(name: str) -> list[Facts]:
    """Every kind of attack of some ships at some others, and those that come from nobody."""
    ruleset, fire = fire_of(name)
    ships = [ship.name for ship in ruleset.ships]
    every = [*islice(ships, PAIRS), ships[-1]]
    found: dict[str, Facts] = {}
    for firer, target in product(every, every):
        for battery in (*fire.batteries(firer), *fire.batteries("")):
            if firer == target:
                continue
            facts = facts_of(battery, firer, target)
            found.setdefault(f"{battery.name} {facts.firer} {facts.target}", facts)
    return list(found.values())


def facts_of(battery: BatteryInfo, firer: str, target: str) -> Facts:
    own = firer if battery.of_a_ship else ""
    other = target if battery.at_a_target else ""
    return Facts(
        own, own, other, other, 6000, Quadrant.STARBOARD, Quadrant.PORT, battery=battery.name
    )


def allowed(name: str) -> list[tuple[Facts, ShotFile]]:
    ruleset, fire = fire_of(name)
    shots = [(facts, fire.shot(facts)) for facts in attacks(name)]
    return [
        (facts, shot) for facts, shot in shots if not fire.preview(shot, ruleset.tables).forbidden
    ]


def test_all_five_are_there_and_the_first_is_the_usual_one() -> None:
    assert [*NAMES][:1] == [DEFAULT]
    assert set(ENOUGH_CASES) == set(NAMES)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_it_says_what_it_is(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.name == name
    assert ruleset.title
    assert ruleset.source
    assert ruleset.sheet is not None
    folder = files(f"combat.rulesets.{name.replace('-', '_')}")
    assert len((folder / "README.md").read_text(encoding="utf-8")) > 1000


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_its_cases_agree(name: str) -> None:
    ruleset = get_ruleset(name)
    result = verify([(ruleset.cases, ruleset.tables)])
    assert [case for case in result.cases if not case.ok] == []
    assert len(result.cases) >= ENOUGH_CASES[name]


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_every_key_is_described_once(name: str) -> None:
    _, fire = fire_of(name)
    names = [key.name for key in fire.shot_keys]
    assert len(set(names)) == len(names)
    assert all(key.takes and key.default and key.meaning for key in fire.shot_keys)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_its_sequence_of_play_says_when_everything_is_rolled_for(name: str) -> None:
    ruleset, fire = fire_of(name)
    (key,) = (key for key in fire.shot_keys if key.name == "fire.battery")
    rolls = {roll for phase in ruleset.phases for roll in phase.rolls}
    assert all(phase.title and phase.reference for phase in ruleset.phases)
    assert rolls == set(key.takes.split(", ")), "every roll has its phase, and there are no others"


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_what_it_asks_can_be_answered(name: str) -> None:
    ruleset, fire = fire_of(name)
    first, second = (ship.name for ship in islice(ruleset.ships, 2))
    asked = fire.conditions(first, second)
    batteries = {battery.name for battery in (*fire.batteries(first), *fire.batteries(""))}
    assert len({each.name for each in asked}) == len(asked)
    for each in asked:
        assert each.label
        if each.usual:
            answered(each, each.usual, "test")
        assert not each.batteries or isinstance(each.batteries, tuple)
    assert batteries


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_odds_are_odds(name: str) -> None:
    ruleset, fire = fire_of(name)
    for facts, shot in allowed(name):
        forecast = fire.forecast([shot], ruleset.tables)
        assert sum(forecast.hits.values()) == pytest.approx(1, abs=1e-12), facts
        assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in forecast.outcomes.values()), facts


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_dice_typed_again_tell_the_same(name: str) -> None:
    ruleset, fire = fire_of(name)
    for number, (facts, shot) in enumerate(allowed(name)):
        dice = RolledDice(random.Random(number))
        values, report = roll_on(fire, shot, (), ruleset.tables, dice)
        assert report.story, facts
        assert isinstance(json.dumps(plain(report.document)), str)
        again = fire.resolve(shot, TypedDice(" ".join(values)), ruleset.tables)
        assert again == report
        for cut in range(len(values)):
            assert not isinstance(unfold(fire, shot, values[:cut], ruleset.tables), Report)
        with pytest.raises(DreyerError, match="too many"):
            unfold(fire, shot, (*values, "1"), ruleset.tables)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_a_fight_goes_on_from_the_marks(name: str) -> None:
    """What an attack leaves can be read again, and stands on the ships' sheets."""
    ruleset, fire = fire_of(name)
    assert ruleset.sheet is not None
    chance = random.Random(7)
    for facts, shot in allowed(name):
        _, report = roll_on(fire, shot, (), ruleset.tables, RolledDice(chance))
        after = json.loads(json.dumps(plain(report.after)))
        fire.preview(fire.shot(facts, after), ruleset.tables)
        for role, ship in (("firer", facts.firer), ("target", facts.target)):
            if not ship:
                continue
            sheet = ruleset.sheet(ship, ship, "british", after.get(role, {}), ruleset.tables)
            assert sheet.ship == ship
            assert 0 <= sheet.trouble <= 1
            assert all(0 <= part.lost <= part.total for part in sheet.parts)


@pytest.mark.parametrize("name", ENOUGH_CASES)
def test_hit_enough_every_ship_sinks_or_nothing_can_hurt_her(name: str) -> None:
    """Marks never run past the end of a sheet, however long a fight goes on."""
    ruleset, fire = fire_of(name)
    assert ruleset.sheet is not None
    chance = random.Random(11)
    for facts, _ in allowed(name)[:4]:
        states: dict[str, dict[str, object]] = {}
        for _ in range(25):
            shot = fire.shot(facts, states)
            if fire.preview(shot, ruleset.tables).forbidden:
                break
            _, report = roll_on(fire, shot, (), ruleset.tables, RolledDice(chance))
            states |= {role: dict(marks) for role, marks in report.after.items()}
        if facts.target:
            marks = states.get("target", {})
            sheet = ruleset.sheet(facts.target, facts.target, "german", marks, ruleset.tables)
            assert all(part.lost <= part.total for part in sheet.parts)


@pytest.mark.parametrize("room", ["web", "tabletop", "vision", "calibration"])
def test_nothing_outside_names_a_rulebook(room: str) -> None:
    """No rulebook has privileges: pages, commands and geometry know none of them by name."""
    titles = [get_ruleset(name).title for name in NAMES]
    words = [*NAMES, *(name.replace("-", "_") for name in NAMES), *titles]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in (".py", ".html", ".js", ".jinja", ".toml")
        for word in words
        if word in path.read_text(encoding="utf-8")
    ]
    assert found == []
