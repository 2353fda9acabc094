"""Shot files: every key that `--describe` lists is read, and every wrong one is one clear line."""

import pytest

from combat.previews import REQUIRED
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Conditions, Crew, Shot
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.shot_file import ShotForm
from tabletop.arcs import Quadrant
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.shot_files import RULEBOOK, read_shot
from web.strings import words

FORM = ShotForm(RULEBOOK)
SHOT_KEYS = tuple(FORM.describe())
PLAIN = """
[firer]
name = "Hood"
speed = 9
[target]
name = "Prinz Eugen"
speed = 8
[fire]
range_yards = 26000
quadrant = "bow"
aspect = "port"
"""
EVERYTHING = """
ruleset = "bismarck-advanced"
edition = 2
[firer]
name = "Number 1"
type = "Bismarck"
speed = 5
[firer.state]
hull_lost = 2.25
superstructure_lost = 1
turrets_lost = { A = 0.5, B = 3 }
turrets_out = ["X"]
secondaries_lost = ["P2"]
director_destroyed = true
plot_destroyed = true
radar_lost = true
movement_factors_lost = 2
command_modifier = 4
rudder_faults = ["no_port"]
ammunition = { main = 100, secondary = 50 }
turrets_spent = { A = 12 }
torpedoes_fired = false
jammed_guns = { Y = 1 }
rounds_of_fire = 3
hull_solid = 2
turrets_solid = { B = 3 }
secondaries_solid = ["P2"]
rudder_solid = ["no_port"]
sunk = false
[target]
name = "Number 2"
type = "Hood"
speed = 4
[target.state]
hull_lost = 1
superstructure_lost = 0.75
turrets_lost = { Y = 2.75 }
turrets_out = ["A", "B"]
secondaries_lost = ["C1"]
director_destroyed = true
plot_destroyed = true
radar_lost = true
movement_factors_lost = 1
command_modifier = 2
rudder_faults = ["hard_to_port", "no_turns"]
ammunition = { main = 1 }
turrets_spent = { C1 = 4 }
torpedoes_fired = true
jammed_guns = { Y = 2 }
rounds_of_fire = 1
hull_solid = 1
turrets_solid = { Y = 1 }
secondaries_solid = ["C1"]
rudder_solid = ["no_turns"]
sunk = false
[fire]
battery = "secondary"
turrets = ["S1", "S2"]
guns = 3
held_back = true
range_yards = 7999.5
quadrant = "starboard"
aspect = "stern"
blocked = true
smoke = true
[conditions]
visibility = 5
night = true
first_fire_at_target = false
hit_target_last_segment = true
hit_last_segment = true
under_fire = true
crew = "tired"
several_targets = true
several_firers = true
firer_evolution = "weaving"
target_evolution = "salvo_chasing"
firer_smoke_cover = true
target_smoke_cover = true
jammed = { A = 1, Y = 2 }
bomber = "dive"
planes = 3
antiaircraft = 12
in_port = true
zones_to_base = 4
[options]
radar_lost_with_superstructure = true
factors_past_the_table_add_up = true
ammunition_by_turret = true
every_held_back_gun_counts = true
"""


def read(text: str) -> tuple[Shot, Options]:
    return read_shot(text.encode("utf-8"), "shot.toml")


def complaint(text: str) -> str:
    with pytest.raises(DreyerError) as wrong:
        read(text)
    message = words(wrong.value)
    assert message.startswith("shot.toml")
    assert "\n" not in message
    return message


def test_what_a_shot_file_must_say_is_described_as_required() -> None:
    described = {key.name: key.default for key in ShotForm(RULEBOOK).describe()}
    must = ("firer.speed", "target.speed", "fire.range_yards", "fire.quadrant", "fire.aspect")
    assert {key: described[key] for key in must} == dict.fromkeys(must, REQUIRED)


def test_a_plain_shot_takes_every_default() -> None:
    shot, options = read(PLAIN)
    assert (shot.firer, shot.target) == (
        Vessel.fresh(shot.firer.warship),
        Vessel.fresh(shot.target.warship),
    )
    assert (shot.firer.name, shot.target.name) == ("Hood", "Prinz Eugen")
    assert (shot.firer_speed, shot.target_speed) == (9, 8)
    assert (shot.battery, shot.turrets, shot.guns, shot.held_back) == (
        Battery.MAIN, (), None, False,
    )  # fmt: skip
    assert (shot.sightline.band, shot.sightline.range_yards) == (RangeBand.EXTREME, 26000)
    assert (shot.sightline.blocked, shot.sightline.smoke) == (False, False)
    assert shot.conditions == Conditions()
    assert options == Options()


def test_every_key_is_read() -> None:
    shot, options = read(EVERYTHING)
    firer, target = shot.firer, shot.target
    assert (firer.name, firer.warship.name, target.warship.name) == (
        "Number 1", "Bismarck", "Hood",
    )  # fmt: skip
    assert (firer.hull_lost, firer.superstructure_lost) == (9, 4)
    assert firer.turrets == (
        TurretState(2),
        TurretState(12, destroyed=True, solid_boxes=3),
        TurretState(out_for_phases=1),
        TurretState(jammed_guns=1),
    )
    assert (firer.torpedoes_fired, target.torpedoes_fired) == (False, True)
    assert firer.rounds_of_fire == 3
    marks = FORM.read(parse_toml(EVERYTHING.encode(), "shot.toml"), "shot.toml").state.marks
    assert next(iter(marks.values())).vessel.turret_spent == {"A": 12}
    # What is counted for no turret is every turret's in equal parts (65.6): 112 of her 600 were
    # there when they were divided, and turret A has fired 12 of her 28.
    left = [firer.turret_ammunition(Battery.MAIN, turret) for turret in "ABXY"]
    assert left == [16, 28, 28, 28]
    assert firer.solid_hull_boxes == 2
    assert firer.solid_secondaries == {"P2"}
    assert firer.solid_helm == {RudderFault.NO_PORT}
    assert firer.secondaries_lost == {"P2"}
    assert firer.director_destroyed
    assert firer.plot_destroyed
    assert not firer.has_radar
    assert (firer.movement_factor, firer.command_modifier) == (8, 4)
    assert (firer.main_ammunition, firer.secondary_ammunition) == (100, 50)
    assert (target.hull_lost, target.superstructure_lost) == (4, 3)
    assert [state.can_fire for state in target.turrets] == [False, False, True, True]
    assert target.turrets[3] == TurretState(11, jammed_guns=2, solid_boxes=1)
    assert target.secondaries_lost == {"C1"}
    assert (target.main_ammunition, target.secondary_ammunition) == (1, 375)
    assert (shot.battery, shot.turrets, shot.guns, shot.held_back) == (
        Battery.SECONDARY, ("S1", "S2"), 3, True,
    )  # fmt: skip
    line = shot.sightline
    assert (line.range_yards, line.band) == (7999.5, RangeBand.SHORT)
    assert (line.quadrant, line.aspect) == (Quadrant.STARBOARD, Quadrant.STERN)
    assert (line.blocked, line.smoke) == (True, True)
    assert shot.conditions == Conditions(
        visibility=5,
        night=True,
        first_fire_at_target=False,
        hit_target_last_segment=True,
        hit_last_segment=True,
        under_fire=True,
        crew=Crew.TIRED,
        several_targets=True,
        several_firers=True,
        firer_evolution=Evolution.WEAVING,
        target_evolution=Evolution.SALVO_CHASING,
        firer_smoke_cover=True,
        target_smoke_cover=True,
        jammed={"A": 1, "Y": 2},
    )
    assert options == Options(
        radar_lost_with_superstructure=True,
        factors_past_the_table_add_up=True,
        ammunition_by_turret=True,
        every_held_back_gun_counts=True,
    )


def test_marks_are_written_as_they_are_read() -> None:
    """A fight goes on from the marks that a fire left, whatever they are."""
    state = FORM.read(parse_toml(EVERYTHING.encode(), "shot.toml"), "shot.toml").state
    for ship in state.ships:
        marks = RULEBOOK.state_document(ship, state.marks[ship.id])
        written = FORM.read_marks(marks, ship.name)
        assert isinstance(written, ShipState)
        again = RULEBOOK.marks_from(ship, written)
        assert again == state.marks[ship.id]
        assert RULEBOOK.state_document(ship, again) == marks
        unmarked = RULEBOOK.state_document(ship, RULEBOOK.fresh(ship))
        assert not any(unmarked.values()), "a mark that nobody made"


def test_the_file_above_has_every_key_described() -> None:
    table, written = "", set()
    for line in EVERYTHING.splitlines():
        if line.startswith("["):
            table = line.strip("[]") + "."
        elif line:
            written.add(table + line.split(" = ")[0])
    assert written == {key.name for key in SHOT_KEYS}
    assert len({key.name for key in SHOT_KEYS}) == len(SHOT_KEYS)
    assert all(key.takes and key.default and key.meaning for key in SHOT_KEYS)


@pytest.mark.parametrize("key", [key for key in SHOT_KEYS if key.default == REQUIRED])
def test_what_is_required_is_required(key: object) -> None:
    name = key.name  # type: ignore[attr-defined]
    table, _, last = name.rpartition(".")
    lines, inside = [], ""
    for line in PLAIN.splitlines():
        inside = line.strip("[]") if line.startswith("[") else inside
        if not (inside == table and line.startswith(f"{last} =")):
            lines.append(line)
    message = complaint("\n".join(lines))
    assert f"[{table}]: {last}: expected" in message
    assert "the key is missing" in message


@pytest.mark.parametrize(
    ("yards", "band"),
    [(0, "point_blank"), (4000, "point_blank"), (4000.1, "short"), (8000, "short"),
     (12000, "medium_low"), (16000, "medium_high"), (20000, "long_low"), (24000, "long_high"),
     (24000.1, "extreme"), (28000, "extreme"), (28000.1, None), (1_000_000, None)],
)  # fmt: skip
def test_range_segments(yards: float, band: str | None) -> None:
    assert read(PLAIN.replace("26000", str(yards)))[0].sightline.band == band


@pytest.mark.parametrize("name", ["Destroyer", "Contre-torpilleur"])
def test_a_destroyer_from_a_file_has_her_guns(name: str) -> None:
    shot, _ = read(PLAIN.replace("Hood", name))
    assert shot.firer == Vessel.fresh(shot.firer.warship)
    assert shot.guns_firing == 4


def test_ships_by_any_of_their_names() -> None:
    assert read(PLAIN.replace("Prinz Eugen", "prinz eugen"))[0].target.warship.name == "Prinz Eugen"
    assert read(PLAIN.replace("Prinz Eugen", "Koln"))[0].target.warship.name == "Köln"


def in_table(table: str, line: str) -> str:
    """The plain shot with one more line in a table."""
    return f"{PLAIN}[{table}]\n{line}\n" if f"[{table}]" not in PLAIN else (
        PLAIN.replace(f"[{table}]", f"[{table}]\n{line}")
    )  # fmt: skip


BAD: list[tuple[str, tuple[str, ...]]] = [
    (PLAIN.replace("Prinz Eugen", "Prinz Eugene"), ("[target]", "did you mean 'Prinz Eugen'")),
    (in_table("target", 'type = "Bismark"'), ("unknown ship 'Bismark'", "'Bismarck'")),
    (PLAIN.replace('"Hood"', "7"), ("[firer]: name: expected", "got 7")),
    (PLAIN.replace("speed = 9", "speed = 11"), ("[firer]: speed", "0 to 10", "got 11")),
    (PLAIN.replace("speed = 9", "speed = -1"), ("[firer]: speed", "got -1")),
    (PLAIN.replace("speed = 9", "speed = 8.5"), ("a whole number", "got 8.5")),
    (PLAIN.replace("speed = 9", "speed = true"), ("a whole number", "got true")),
    (PLAIN.replace("26000", "nan"), ("[fire]: range_yards", "got nan")),
    (PLAIN.replace("26000", "inf"), ("range_yards", "got inf")),
    (PLAIN.replace("26000", "-1"), ("range_yards", "from 0 to 1,000,000")),
    (PLAIN.replace("26000", "1000001"), ("range_yards", "from 0 to 1,000,000")),
    (PLAIN.replace("26000", '"far"'), ("range_yards", "got the text 'far'")),
    (PLAIN.replace('"bow"', '"ahead"'), ("quadrant: expected one of bow", "got the text 'ahead'")),
    (PLAIN.replace('"port"', '"prot"'), ("aspect", "did you mean 'port'")),
    (in_table("fire", "guns = 0"), ("[fire]: guns", "from 1 to 99")),
    (in_table("fire", "guns = 2.5"), ("guns: expected a whole number",)),
    (in_table("fire", 'turrets = "A"'), ("turrets: expected a list of texts",)),
    (in_table("fire", "turrets = [1]"), ("turrets 1: expected a text",)),
    (in_table("fire", 'battery = "tertiary"'), ("battery: expected one of main, secondary",)),
    (in_table("fire", "blocked = 1"), ("blocked: expected true or false, got 1",)),
    (in_table("fire", "quadrnt = 1"), ("unknown key 'quadrnt'", "'quadrant'")),
    (in_table("firer", "sped = 1"), ("[firer]: unknown key 'sped'", "'speed'")),
    (in_table("firer.state", "hul_lost = 1"), ("[firer], [state]", "'hull_lost'")),
    (in_table("firer.state", "hull_lost = 0.3"), ("boxes in quarters, such as 1.25", "got 0.3")),
    (in_table("firer.state", "hull_lost = 10.25"), ("hull_lost", "from 0 to 10")),
    (in_table("firer.state", "hull_lost = nan"), ("hull_lost", "got nan")),
    (in_table("firer.state", "superstructure_lost = 4"), ("superstructure_lost", "0 to 3")),
    (in_table("firer.state", "turrets_lost = { Q = 1 }"), ("unknown key 'Q'",)),
    (in_table("firer.state", "turrets_lost = { A = 4 }"), ("[turrets_lost]: A", "0 to 3")),
    (in_table("firer.state", "turrets_lost = 3"), ("turrets_lost: expected a table",)),
    (in_table("firer.state", 'turrets_out = ["Q"]'), ("turrets_out: unknown turret 'Q'",)),
    (in_table("firer.state", 'secondaries_lost = ["P9"]'), ("unknown turret 'P9'", "'P1'")),
    (in_table("firer.state", "ammunition = { main = 721 }"), ("main", "0 to 720", "got 721")),
    (in_table("firer.state", "ammunition = { mian = 1 }"), ("unknown key 'mian'", "mean 'main'")),
    (in_table("firer.state", "movement_factors_lost = 11"), ("0 to 10", "got 11")),
    (in_table("firer.state", "command_modifier = -1"), ("command_modifier", "got -1")),
    (in_table("conditions", "visibility = 0"), ("[conditions]: visibility", "from 1 to 8")),
    (in_table("conditions", "visibility = 9"), ("visibility", "got 9")),
    (in_table("conditions", 'crew = "drunk"'), ("crew: expected one of fresh, tired, exhausted",)),
    (in_table("conditions", 'firer_evolution = "dancing"'), ("steady, weaving, salvo_chasing",)),
    (in_table("conditions", "first_fire = true"), ("'first_fire_at_target'",)),
    (in_table("conditions", "jammed = { A = 3 }"), ("[jammed]: A", "from 0 to 2")),
    (in_table("conditions", "jammed = { Q = 1 }"), ("unknown key 'Q'",)),
    (in_table("options", "radar = true"), ("[options]: unknown key 'radar'",)),
    (f"{PLAIN}[weather]\n", ("unknown key 'weather'",)),
    (f"fire = 3\n{PLAIN.replace('[fire]', '[firing]')}", ("unknown key 'firing'",)),
    ("fire = 3\n[firer]\nname = 'Hood'\nspeed = 1\n[target]\nname = 'Hood'\nspeed = 1\n",
     ("fire: expected a table",)),
    ("", ("[firer]: name", "the key is missing")),
    ("hello", ("not a TOML file",)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), BAD, ids=[parts[0] for _, parts in BAD])
def test_bad_files(text: str, parts: tuple[str, ...]) -> None:
    message = complaint(text)
    assert all(part in message for part in parts), message


def test_not_utf_8() -> None:
    with pytest.raises(DreyerError, match=r"errors\.file\.not_utf8\(line=2"):
        read_shot(b"[firer]\nname = '\xff'\n", "shot.toml")
