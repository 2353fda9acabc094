"""Ships between the two games: values worked by hand, and what holds for every ship (72)."""

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.conversions import (
    Conversion,
    ConversionLine,
    GameLevel,
    conversion_toml,
    starting_states,
)
from combat.participants import Ship
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.basic_game.hit_record_pad import pad_of
from combat.rulebooks.bismarck_advanced.basic_game.marks import BasicMarks
from combat.rulebooks.bismarck_advanced.basic_game.rules import AdvancedConversions
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState, vessel_with
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from combat.rulebooks.bismarck_data.table_files import load_pad
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownKey

TABLES, WARSHIPS = load_tables(), load_warships()
RULES = AdvancedConversions(TABLES, WARSHIPS)
ON_THE_PAD = tuple(ship for ship in WARSHIPS if not ship.is_destroyer)
Converted = Conversion[BasicMarks, ShipState]


def ship(name: str) -> Ship:
    return Ship(name, name, "british", name)


def advanced(name: str, **marks: Any) -> Converted:
    return RULES.to_advanced(ship(name), RULES.read_marks(marks, ship(name), "here"))


def basic(name: str, **state: Any) -> Converted:
    return RULES.to_basic(ship(name), ShipState(**state))


def marks_of(found: Converted) -> BasicMarks:
    assert found.marks is not None
    return found.marks


def line(found: Converted, part: str) -> ConversionLine:
    return next(each for each in found.lines if each.part == part)


# To the Advanced Game, by hand


def test_the_bismarck_of_9_711() -> None:
    """Three midships, two bow turret and two port secondary hits."""
    found = advanced("Bismarck", midships_hits=3, bow_hits=2, port_secondary_hits=2)
    assert found.state == ShipState(
        hull_lost=4.0, turrets_lost={"A": 3.0}, secondaries_lost=("P1", "P2")
    )
    midships = line(found, "midships")
    assert (midships.before, midships.after, midships.rounded) == (3, 4, True)
    assert midships.rule == "72.2, 72.3"
    assert (line(found, "bow").rule, line(found, "bow").rounded) == ("72.2", False)


@pytest.mark.parametrize(
    ("name", "marks", "state"),
    [
        ("Hood", {"bow_hits": 1}, {"turrets_lost": {"A": 1.5}}),
        ("Hood", {"bow_hits": 3}, {"turrets_lost": {"A": 3.0, "B": 1.5}}),
        ("Hood", {"stern_hits": 2}, {"turrets_lost": {"X": 3.0}}),
        # 9.81: the third turret of the Rodney stands with the stern turrets on the pad.
        ("Rodney", {"stern_hits": 1}, {"turrets_lost": {"X": 1.5}}),
        # Without a third turret they are bow hits.
        ("Dunkerque", {"bow_hits": 1, "stern_hits": 2}, {"turrets_lost": {"A": 3.0, "B": 1.5}}),
        ("Hood", {"evasion_lost": 8}, {"movement_factors_lost": 2}),
        ("Hood", {"evasion_lost": 2}, {}),
        ("Bismarck", {"ammunition_spent": 5}, {"ammunition": {"main": 480}}),
        # 281 rounds for the main guns, 24 for each factor; the rest is the others'.
        ("Arethusa", {"ammunition_spent": 12}, {"ammunition": {"main": 0, "secondary": 233}}),
        ("Prinz Eugen", {"torpedoes_fired": True}, {"torpedoes_fired": True}),
        ("Rodney", {"midships_hits": 6}, {"hull_lost": 9.0}),
        ("Scharnhorst", {"midships_hits": 7}, {"hull_lost": 10.0}),
        ("Scharnhorst", {"midships_hits": 6}, {"hull_lost": 9.0}),
    ],
)
def test_marks_on_the_pad_become_a_sheet(
    name: str, marks: dict[str, Any], state: dict[str, Any]
) -> None:
    assert advanced(name, **marks).state == ShipState(**state)


def test_hits_beyond_her_turrets_have_no_counterpart() -> None:
    found = advanced("Bismarck", bow_hits=7)
    assert found.state.turrets_lost == {"A": 3.0, "B": 3.0}
    assert line(found, "bow").remark.code == "advanced.convert.remark.no_room"
    assert line(found, "bow").remark["n"] == 3


def test_a_secondary_on_the_centreline_is_lost_from_either_side() -> None:
    found = advanced("Hood", port_secondary_hits=1, starboard_secondary_hits=2)
    assert found.state.secondaries_lost == ("C1", "P1", "S1")


def test_all_midships_boxes_sink_her() -> None:
    found = advanced("Rodney", midships_hits=6)
    assert found.sunk
    assert line(found, "midships").remark.code == "advanced.convert.remark.sunk"
    assert starting_states([found, advanced("Hood", midships_hits=1)]).keys() == {"Hood"}


def test_what_was_kept_beside_comes_back() -> None:
    beside = ShipState(
        superstructure_lost=1.5, director_destroyed=True, hull_solid=3, secondaries_solid=("P1",)
    )
    found = RULES.to_advanced(ship("Bismarck"), BasicMarks(midships_hits=2), beside)
    assert found.state == ShipState(
        hull_lost=3.0, superstructure_lost=1.5, director_destroyed=True, hull_solid=3
    )
    assert [each.code for each in found.beside_words] == [
        "advanced.convert.beside.superstructure",
        "advanced.convert.beside.director",
        "advanced.convert.beside.solid",
    ]


@pytest.mark.parametrize("key", ["hull_lost", "movement_factors_lost"])
def test_what_the_marks_say_is_not_kept_beside_them(key: str) -> None:
    beside = RULES.read_state({key: 1}, "here")
    with pytest.raises(BadField) as error:
        RULES.to_advanced(ship("Hood"), BasicMarks(), beside, "here")
    assert error.value.field == key


# To the Basic Game, by hand


@pytest.mark.parametrize(
    ("name", "state", "marks"),
    [
        ("Bismarck", {"hull_lost": 6.25}, {"midships_hits": 4}),
        ("Bismarck", {"hull_lost": 1.25}, {}),
        ("Bismarck", {"turrets_lost": {"A": 3.0, "B": 1.5}}, {"bow_hits": 3}),
        # Two parts of turrets that are no half each, and together more than one.
        ("Bismarck", {"turrets_lost": {"A": 1.0, "B": 1.0}}, {"bow_hits": 1}),
        ("Rodney", {"turrets_lost": {"X": 3.0}}, {"stern_hits": 2}),
        ("Hood", {"movement_factors_lost": 2}, {"evasion_lost": 6}),
        # Her counter says 29, and ten factors would be 30.
        ("Bismarck", {"movement_factors_lost": 10}, {"evasion_lost": 29}),
        ("Bismarck", {"ammunition": {"main": 553}}, {"ammunition_spent": 1}),
        ("Bismarck", {"ammunition": {"main": 590, "secondary": 256}}, {"ammunition_spent": 1}),
        # 20.1: her pad has 14 factors, and her rounds would be 36.
        ("Bismarck", {"ammunition": {"main": 0, "secondary": 0}}, {"ammunition_spent": 14}),
        ("Bismarck", {"ammunition": {"main": 264}}, {"ammunition_spent": 14}),
        ("Hood", {"ammunition": {"main": 0}}, {"ammunition_spent": 17}),
        ("Bismarck", {"secondaries_lost": ("P1", "P3", "S2")},
         {"port_secondary_hits": 2, "starboard_secondary_hits": 1}),
        ("Hood", {"secondaries_lost": ("C1", "P1")},
         {"port_secondary_hits": 1, "starboard_secondary_hits": 1}),
        # The pad of a cruiser has three bow boxes, and one box with a zero for secondaries.
        ("Norfolk", {"turrets_lost": {"A": 3.0, "B": 3.0}}, {"bow_hits": 3}),
        ("Norfolk", {"secondaries_lost": ("P1", "P2")}, {"port_secondary_hits": 1}),
        # 20.7: carriers keep no record of ammunition.
        ("Ark Royal", {"ammunition": {"secondary": 0}}, {}),
        ("Scharnhorst", {"hull_lost": 10.0}, {"midships_hits": 7}),
        ("Scharnhorst", {"hull_lost": 9.75}, {"midships_hits": 6}),
        ("Scharnhorst", {"sunk": True}, {"midships_hits": 7}),
        ("Prinz Eugen", {"torpedoes_fired": True}, {"torpedoes_fired": True}),
    ],
)  # fmt: skip
def test_a_sheet_becomes_marks_on_the_pad(
    name: str, state: dict[str, Any], marks: dict[str, Any]
) -> None:
    assert basic(name, **state).marks == BasicMarks(**marks)


@pytest.mark.parametrize(
    ("name", "rounds", "capped", "rule", "provenance"),
    [
        ("Bismarck", 264, False, "72.2", Provenance.PRINTED),
        # 14 factors and some rounds: nothing is lost but the rounding.
        ("Bismarck", 250, False, "72.2, 72.3", Provenance.PRINTED),
        ("Bismarck", 240, True, "72.2, 20.1", Provenance.PRINTED),
        ("Hood", 0, True, "72.2, 20.1", Provenance.RECONSTRUCTED),
    ],
)  # fmt: skip
def test_ammunition_handed_back_is_no_more_than_the_pad_has(
    name: str, rounds: int, capped: bool, rule: str, provenance: Provenance
) -> None:
    found = line(basic(name, ammunition={"main": rounds}), "ammunition")
    assert (found.remark.code == "advanced.convert.remark.all_marked") is capped
    assert (found.rule, found.provenance) == (rule, provenance)


def test_the_pads_own_number_limits_ammunition_spent() -> None:
    """The Bismarck's number is printed; our reconstruction of another may be too small."""
    most = {
        name: next(key.most for key in RULES.mark_keys(name) if key.key == "ammunition_spent")
        for name in ("Bismarck", "Tirpitz", "Arethusa")
    }
    assert most == {"Bismarck": 14, "Tirpitz": 14, "Arethusa": 22}
    with pytest.raises(BadField):
        advanced("Bismarck", ammunition_spent=15)


def test_what_has_no_counterpart_is_kept_beside() -> None:
    kept: dict[str, Any] = {
        "superstructure_lost": 1.25,
        "director_destroyed": True,
        "plot_destroyed": True,
        "radar_lost": True,
        "command_modifier": 2,
        "rudder_faults": ("no_port",),
    }
    found = basic("Bismarck", hull_lost=3.0, jammed_guns={"A": 1}, turrets_out=("X",), **kept)
    assert found.beside == ShipState(**kept)
    out = line(found, "turrets_out")
    assert (out.before, out.after, out.rule) == (2, 0, "71.4")


def test_a_destroyer_has_no_sheet_there() -> None:
    found = basic("Destroyer", hull_lost=1.0)
    assert (found.marks, found.lines, found.boxes, found.sunk) == (None, (), (), True)
    assert found.remark.code == "advanced.convert.remark.destroyer"
    with pytest.raises(DreyerError) as error:
        RULES.to_advanced(ship("Destroyer"), BasicMarks())
    assert error.value.message.code == "advanced.convert.destroyer"
    assert RULES.mark_keys("Destroyer") == ()


# For every ship


def room(name: str) -> dict[str, int]:
    return {key.key: key.most for key in RULES.mark_keys(name)}


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, BasicMarks]:
    name = draw(st.sampled_from([each.name for each in ON_THE_PAD]))
    values: dict[str, Any] = {}
    for key, most in room(name).items():
        value = draw(st.integers(0, most))
        values[key] = bool(value) if key == "torpedoes_fired" else value
    return name, BasicMarks(**values)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, ShipState]:
    warship = draw(st.sampled_from(ON_THE_PAD))
    ammunition = {
        battery.value: draw(st.integers(0, warship.ammunition[battery] or 0))
        for battery in Battery
        if warship.ammunition[battery]
    }
    names = [each.name for each in warship.secondaries]
    return warship.name, ShipState(
        hull_lost=draw(st.integers(0, 4 * warship.hull_boxes)) / 4,
        turrets_lost={
            turret.name: draw(st.integers(0, 4 * turret.boxes)) / 4 for turret in warship.turrets
        },
        secondaries_lost=tuple(draw(st.sets(st.sampled_from(names)))) if names else (),
        movement_factors_lost=draw(st.integers(0, warship.movement_factor)),
        ammunition=ammunition,
    )


@given(marked())
def test_a_sheet_never_has_more_than_the_ship(case: tuple[str, BasicMarks]) -> None:
    name, marks = case
    found = RULES.to_advanced(ship(name), marks)
    warship = WARSHIPS.named(name, "here")
    # It refuses boxes, turrets, factors and rounds that she does not have.
    vessel = vessel_with(found.state, Vessel.fresh(warship))
    assert found.sunk == vessel.is_sunk == (marks.midships_hits == room(name)["midships_hits"])
    assert all(line.rounded == line.rule.endswith("72.3") for line in found.lines)


@given(sheets())
def test_the_pad_never_has_more_marks_than_boxes(case: tuple[str, ShipState]) -> None:
    name, state = case
    found = RULES.to_basic(ship(name), state)
    most = room(name)
    for key in fields(BasicMarks):
        assert int(getattr(found.marks, key.name)) <= most.get(key.name, 0)
    assert all(row.marked <= row.boxes for row in found.boxes if row.boxes)
    hull = WARSHIPS.named(name, "here").hull_boxes
    sunk = marks_of(found).midships_hits == most["midships_hits"]
    assert found.sunk == sunk == (state.hull_lost >= hull)
    if not sunk:
        assert marks_of(found).midships_hits * Fraction(3, 2) <= Fraction(state.hull_lost)


@given(marked())
def test_there_and_back_never_gains(case: tuple[str, BasicMarks]) -> None:
    name, marks = case
    there = RULES.to_advanced(ship(name), marks)
    back = marks_of(RULES.to_basic(ship(name), there.state))
    for key in ("midships_hits", "bow_hits", "evasion_lost", "ammunition_spent"):
        # A ship without stern turrets takes those hits on her bow turrets (9.81).
        if key != "bow_hits" or not marks.stern_hits:
            assert getattr(back, key) <= getattr(marks, key)
    assert back.torpedoes_fired == marks.torpedoes_fired


@given(marked(), st.data())
def test_more_marks_never_leave_her_better_off(
    case: tuple[str, BasicMarks], data: st.DataObject
) -> None:
    name, marks = case
    key = data.draw(st.sampled_from([key for key in room(name) if key != "torpedoes_fired"]))
    changed: dict[str, Any] = {key: data.draw(st.integers(0, getattr(marks, key)))}
    fewer = replace(marks, **changed)
    worse, better = (RULES.to_advanced(ship(name), each).state for each in (marks, fewer))
    assert better.hull_lost <= worse.hull_lost
    assert better.movement_factors_lost <= worse.movement_factors_lost
    assert set(better.secondaries_lost) <= set(worse.secondaries_lost) or key.startswith("port")
    assert len(better.secondaries_lost) <= len(worse.secondaries_lost)
    for turret, boxes in better.turrets_lost.items():
        assert boxes <= worse.turrets_lost.get(turret, 0.0)
    for battery, left in worse.ammunition.items():
        assert left <= better.ammunition.get(battery, left)


@given(sheets(), st.data())
def test_more_damage_never_gives_fewer_marks(
    case: tuple[str, ShipState], data: st.DataObject
) -> None:
    name, state = case
    fewer = replace(
        state,
        hull_lost=data.draw(st.integers(0, int(4 * state.hull_lost))) / 4,
        turrets_lost={
            turret: data.draw(st.integers(0, int(4 * boxes))) / 4
            for turret, boxes in state.turrets_lost.items()
        },
        secondaries_lost=state.secondaries_lost[1:],
        movement_factors_lost=data.draw(st.integers(0, state.movement_factors_lost)),
    )
    worse, better = (marks_of(RULES.to_basic(ship(name), each)) for each in (state, fewer))
    for key in fields(BasicMarks):
        if not key.name.endswith("secondary_hits"):
            assert getattr(better, key.name) <= getattr(worse, key.name)
    total = [each.port_secondary_hits + each.starboard_secondary_hits for each in (better, worse)]
    assert total[0] <= total[1]


@pytest.mark.parametrize("warship", ON_THE_PAD, ids=lambda each: each.name)
def test_every_ship_begins_unmarked(warship: Any) -> None:
    found = RULES.to_advanced(ship(warship.name), BasicMarks())
    assert found.state == ShipState()
    assert RULES.to_basic(ship(warship.name), found.state).marks == BasicMarks()
    assert not any(line.is_marked for line in found.lines)


# The pad


def test_the_pad_has_every_ship_but_destroyers() -> None:
    assert set(load_pad().rows) == {each.name for each in ON_THE_PAD}


@pytest.mark.parametrize("warship", ON_THE_PAD, ids=lambda each: each.name)
def test_the_pad_and_the_ships_own_files_agree_on_the_hull(warship: Any) -> None:
    """72.2: the midships boxes of the pad are worth her hull boxes, rounded down (72.3)."""
    pad = pad_of(warship, TABLES)
    assert pad is not None
    assert load_pad().integer(warship.name, "midships") == pad.midships


def test_the_boxes_of_the_bismarck_and_the_rodney() -> None:
    """9.651, 9.71, 9.714 and the Hit Record Pad."""
    bismarck, rodney = (
        pad_of(WARSHIPS.named(name, "here"), TABLES) for name in ("Bismarck", "Rodney")
    )
    assert bismarck is not None
    assert rodney is not None
    assert (bismarck.midships, bismarck.bow, bismarck.port, bismarck.stern) == (10, 7, 3, 7)
    assert (rodney.midships, rodney.bow, rodney.stern) == (6, 8, 4)
    assert bismarck.evasion == 29


def test_a_ship_that_the_pad_does_not_know_has_what_her_turrets_are_worth() -> None:
    warship = replace(WARSHIPS.named("King George V", "here"), name="Duke of York")
    pad = pad_of(warship, TABLES)
    assert pad is not None
    assert (pad.bow, pad.stern, pad.port, pad.starboard) == (4, 2, 2, 2)
    assert pad.source.provenance is Provenance.DERIVED


# Ranges


@pytest.mark.parametrize(
    ("hexes", "least", "most", "provenance"),
    [
        (1, 0, 4000, Provenance.PRINTED),
        (2, 4001, 8000, Provenance.PRINTED),
        (3, 8001, 12000, Provenance.DERIVED),
        (7, 24001, 28000, Provenance.DERIVED),
    ],
)
def test_hexes_in_yards(hexes: int, least: int, most: int, provenance: Provenance) -> None:
    found = RULES.hexes_in_yards(hexes)
    assert (found.least_yards, found.most_yards, found.provenance) == (least, most, provenance)


@given(st.integers(0, 100_000))
def test_a_range_lies_in_the_yards_of_its_hexes(yards: int) -> None:
    found = RULES.yards_in_hexes(yards)
    assert found.least_yards <= yards <= found.most_yards
    assert found == RULES.hexes_in_yards(found.hexes)


# Files


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"name": "Hood", "marks": {"bow_hit": 1}}, "bow_hit"),
        ({"name": "Hood", "state": {"hull": 1}}, "hull"),
        ({"name": "Hood", "mark": {}}, "mark"),
    ],
)
def test_unknown_keys_name_the_nearest(document: dict[str, Any], field: str) -> None:
    with pytest.raises(UnknownKey) as error:
        RULES.read_file({"ship": [document]}, "f.toml")
    assert (error.value.field, bool(error.value.guess)) == (field, True)


@pytest.mark.parametrize(
    ("marks", "field"),
    [
        ({"midships_hits": 11}, "midships_hits"),
        ({"evasion_lost": 30}, "evasion_lost"),
        ({"torpedoes_fired": True}, "torpedoes_fired"),
        ({"bow_hits": -1}, "bow_hits"),
        ({"bow_hits": 1.5}, "bow_hits"),
        ({"bow_hits": True}, "bow_hits"),
    ],
)
def test_more_marks_than_the_bismarck_has_are_refused(marks: dict[str, Any], field: str) -> None:
    with pytest.raises(BadField) as error:
        RULES.read_marks(marks, ship("Bismarck"), "here")
    assert error.value.field == field


@pytest.mark.parametrize(
    ("ships", "to"),
    [
        ([{"name": "Hood", "marks": {}}], GameLevel.ADVANCED),
        ([{"name": "Hood"}], GameLevel.ADVANCED),
        ([{"name": "Hood", "state": {}}, {"name": "Rodney"}], GameLevel.BASIC),
        ([{"name": "Hood", "state": {}}, {"name": "Rodney", "marks": {}}], None),
    ],
)
def test_the_ships_of_a_file_tell_which_way(ships: list[object], to: GameLevel | None) -> None:
    assert RULES.read_file({"ship": ships}, "f.toml").to is to


def test_one_name_is_one_ship() -> None:
    with pytest.raises(BadField) as error:
        RULES.read_file({"ship": [{"name": "Hood"}, {"name": "Hood"}]}, "f.toml")
    assert error.value.field == "name"


def test_a_result_is_a_file_that_goes_the_other_way() -> None:
    first = advanced("Bismarck", midships_hits=4, bow_hits=3)
    written = conversion_toml(RULES, "bismarck-advanced", [first])
    file = RULES.read_file(parse_toml(written.encode(), "f.toml"), "f.toml")
    assert (file.to, file.ships[0].state) == (GameLevel.BASIC, first.state)
    back = RULES.to_basic(file.ships[0].ship, first.state)
    again = RULES.read_file(
        parse_toml(conversion_toml(RULES, "bismarck-advanced", [back]).encode(), "g.toml"), "g.toml"
    )
    assert (again.to, again.ships[0].marks) == (GameLevel.ADVANCED, first.marks)
