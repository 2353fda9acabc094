"""The forecast is exact: against every way the dice can fall, and against a plain twin."""

from collections import Counter, defaultdict
from itertools import product

import pytest

from combat.dice import Dice
from combat.forecast import Forecast, every_outcome
from combat.owner_values import Overlay
from combat.rulebooks.chase_of_the_bismarck import NAME, load
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulebooks.chase_of_the_bismarck.events import DieResolved
from combat.rulebooks.chase_of_the_bismarck.vessel import Part, vessel_of
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused

CHASE = load()
TABLES = CHASE.tables
DESK = ShotRunner(CHASE)


def with_markers(*markers: str) -> TableSet:
    """A cup of few kinds of markers, so that three hits can be tried out one by one."""
    owned = Overlay(NAME)
    for row in range(10):
        owned = owned.with_value("damage_markers", str(row), "marker", markers[row % len(markers)])
    return TABLES.with_overlay(owned)


def brute_force(text: str, tables: TableSet) -> Forecast:
    """Every way the dice can fall, through the code that resolves a whole attack."""
    runner = ShotRunner(CHASE, tables)
    rulebook, shot = runner.rulebook, runner.read(text)
    ship = next(each for each in shot.state.ships if each.side == "target")
    target = vessel_of(ship, shot.state.marks[ship.id], rulebook.ship_type(ship), tables)
    boxed: tuple[Part, ...] = ("hull", "bow", "stern", "secondary", "evasion")

    def play(dice: Dice) -> Damage:
        events = rulebook.play(shot.state, shot.action, dice).events
        dealt = (event.damage for event in events if isinstance(event, DieResolved))
        return sum(dealt, NO_DAMAGE)

    hits: dict[int, float] = defaultdict(float)
    outcomes: dict[str, float] = defaultdict(float)
    boxes: dict[str, float] = defaultdict(float)
    for outcome in every_outcome(play):
        damage, chance = outcome.result, float(outcome.probability)
        hits[damage.hits] += chance
        for part in boxed:
            lost = target.left(part) - target.left(part, damage)
            boxes[part] += lost * chance
            outcomes[f"{part}_lost"] += chance * (lost > 0)
        outcomes["fuel_lost"] += chance * (damage.fuel > 0)
        for broken in ("fire_control", "radar", "rudder"):
            outcomes[f"{broken}_damaged"] += chance * (getattr(damage, broken) > 0)
        outcomes["sunk"] += chance * target.with_damage(damage).sunk
    return Forecast(hits, outcomes, boxes)


HURT = "state = { hull_lost = 3, bow_lost = 1, stern_lost = 2, evasion_lost = 26 }"


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ('firer = { name = "Prinz Eugen", state = { bow_lost = 3, stern_lost = 2 } }\n'
         f'target = {{ name = "Norfolk", {HURT} }}\n'
         "fire.zones_between = 3\nconditions.visibility = 3", TABLES),
        ('firer = { name = "Repulse", position = "closing" }\ntarget.name = "Scharnhorst"\n'
         "fire.zones_between = 7\nconditions.visibility = 4", TABLES),
        ('target.name = "Bismarck"\nfire.battery = "air"\nconditions.visibility = 7',
         with_markers("bow", "dud", "fire_control")),
        ('firer.name = "Norfolk"\ntarget = { name = "Prinz Eugen", position = "closing" }\n'
         'fire = { battery = "torpedoes", zones_between = 1, torpedoes = 1 }\n'
         "conditions.visibility = 9", with_markers("hull", "critical", "rudder", "dud", "dud")),
        ('firer.name = "Norfolk"\ntarget = { name = "Prinz Eugen", position = "closing" }\n'
         'fire = { battery = "torpedoes", zones_between = 1, torpedoes = 2 }\n'
         "conditions.visibility = 9", with_markers("bow", "dud")),
        (f'target = {{ name = "Norfolk", {HURT} }}\nfire.battery = "submarine"\n'
         "conditions.visibility = 1", with_markers("bow", "stern", "rudder", "dud", "dud")),
    ],
    ids=["a ship in pieces", "extreme range", "air", "a torpedo", "torpedoes", "submarine"],
)  # fmt: skip
def test_the_forecast_is_what_every_fall_of_the_dice_adds_up_to(
    text: str, tables: TableSet
) -> None:
    plain, forecast = brute_force(text, tables), ShotRunner(CHASE, tables).forecast([text])
    assert sum(forecast.hits.values()) == pytest.approx(1, abs=1e-12)
    assert dict(forecast.hits) == pytest.approx(dict(plain.hits), abs=1e-12)
    assert dict(forecast.outcomes) == pytest.approx(dict(plain.outcomes), abs=1e-12)
    assert dict(forecast.expected_boxes) == pytest.approx(dict(plain.expected_boxes), abs=1e-9)


def test_a_plain_twin_of_gunfire_agrees() -> None:
    """Three dice at medium range by hand: +4, as in the book's first round."""
    text = (
        'firer = { name = "Prinz Eugen", position = "closing" }\n'
        'target = { name = "Norfolk", position = "breaking-off" }\n'
        "fire.zones_between = 3\nconditions.visibility = 9"
    )
    column = ["hull", "bow", "stern", "secondary"] + ["miss"] * 6
    hits: Counter[int] = Counter()
    hull_lost = 0
    for dice in product(range(10), repeat=3):
        fallen = Counter(column[die] for die in dice)
        hits[3 - fallen["miss"]] += 1
        hull_lost += fallen["hull"] + max(0, fallen["bow"] - 2) + max(0, fallen["stern"] - 2)
    forecast = DESK.forecast([text])
    assert dict(forecast.hits) == pytest.approx({n: c / 1000 for n, c in hits.items()})
    assert forecast.expected_boxes["hull"] == pytest.approx(hull_lost / 1000)
    assert forecast.outcomes["sunk"] == pytest.approx(0, abs=1e-15)


def test_several_attacks_at_one_ship_add_up() -> None:
    one = 'firer.name = "Norfolk"\ntarget.name = "Bismarck"\nfire.zones_between = 4'
    two = 'firer.name = "Suffolk"\ntarget.name = "Bismarck"\nfire.zones_between = 4'
    alone = DESK.forecast([one]).expected_hits
    assert DESK.forecast([one, two]).expected_hits == pytest.approx(2 * alone)
    other = 'firer.name = "Norfolk"\ntarget.name = "Tirpitz"\nfire.zones_between = 4'
    with refused(DreyerError, match="with the same marks"):
        DESK.forecast([one, other])


def test_a_whole_squadron_is_foretold_without_counting_beyond_the_last_box() -> None:
    """Four broadsides of fifteen dice; joint odds of all their hits would take hours."""
    near = 'firer.name = "Bismarck"\ntarget.name = "Rodney"\nfire.zones_between = 0'
    forecast = DESK.forecast([near] * 4)
    assert sum(forecast.hits.values()) == pytest.approx(1)
    assert forecast.outcomes["sunk"] == pytest.approx(1, abs=1e-9)
    card = TABLES["ship_cards"]
    assert forecast.expected_boxes["hull"] == pytest.approx(card.integer("Rodney", "hull"))


def test_no_other_roll_is_foretold_together_with_one() -> None:
    contact = 'fire.battery = "submarine contact"'
    with pytest.raises(DreyerError, match=r"combat\.forecast\.alone"):
        DESK.forecast([contact, contact])
