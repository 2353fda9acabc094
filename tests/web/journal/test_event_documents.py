"""Events as JSON: every kind has its type, and what could not be read again is not written."""

import json
from dataclasses import replace

import pytest

from combat.guided_actions import Commit, RollDice
from combat.participants import Side
from combat.rulebook import Place
from combat.sides import Sides
from tabletop.closecall import CloseCallKind
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import NOWHERE
from tabletop.table import Pose, SmokeFront
from web.journal import events
from web.journal.event_documents import EventReader, write_event
from web.journal.events import Event, JournalKind, Origin, Premeasure
from web.journal.fields import DoesNotPlay, PlacedShip

POSE = Pose(1_000, 2_000, 45, 3.5, 0.5)
SHIP = events.ShipFacts(name="Hood", side="british", length_yards=800, width_yards=100, pose=POSE)
TABLE = events.TableOpened(
    title="Denmark Strait",
    ruleset="bismarck-advanced",
    yards_per_inch=500,
    width_yards=30_000,
    height_yards=20_000,
    ships=(SHIP,),
    smoke=(SmokeFront(0, 0, 100, 100),),
)
DECIDED = events.Decided(
    firer="Hood",
    target="Bismarck",
    firer_pose=POSE,
    target_pose=POSE,
    what=CloseCallKind.RANGE,
    limit=9_000,
    reading="short",
)


@pytest.mark.parametrize(
    "event",
    [
        TABLE,
        replace(TABLE, sides=Sides((Side("red", "Red", "R"), Side("blue", "Blue", "B")))),
        events.ShipsPlaced(ships=(PlacedShip(name="Hood", pose=POSE),), origin=Origin.HAND),
        DECIDED,
        replace(DECIDED, what="sight", limit=Message("x.y", ship=3), reading="clear"),
        events.PremeasureSet(mode=Premeasure.DECLARE),
        events.Joined(role="player", side="british", side_name="Red"),
        events.BattlePlayed(action=Commit(side="red"), rolls=(), events=(), place=Place(1, 2)),
        events.Left(),
    ],
    ids=lambda event: str(event.kind),
)
def test_what_is_written_is_read_again(event: Event) -> None:
    reader = EventReader()
    reader.read(JournalKind.TABLE_OPENED, write_event(TABLE))
    written = json.loads(json.dumps(write_event(event), allow_nan=False))
    assert reader.read(event.kind, written) == event
    # Read and written once more it is the same file.
    assert write_event(reader.read(event.kind, written)) == written


def test_what_is_as_usual_is_left_out() -> None:
    assert {"plan", "sides"}.isdisjoint(write_event(TABLE))
    assert write_event(events.ShipSided(name="Hood", side="red")) == {"name": "Hood", "side": "red"}


def test_what_could_not_be_read_again_is_not_written() -> None:
    for event in (
        replace(TABLE, title="x" * 41),
        replace(TABLE, width_yards=float("inf")),
        events.SetUp(words="a\nb"),
        events.ShipsPlaced(ships=(), origin=Origin.HAND),
    ):
        with pytest.raises(BadField):
            write_event(event)


def test_a_battle_is_read_by_the_rulebook_of_its_table() -> None:
    played = events.BattlePlayed(action=RollDice(), rolls=(), events=(), place=Place(1, 1))
    reader = EventReader()
    with pytest.raises(DoesNotPlay):
        reader.read(JournalKind.BATTLE, write_event(played))
    reader.read(JournalKind.TABLE_OPENED, write_event(TABLE))
    assert reader.read(JournalKind.BATTLE, write_event(played)) == played
    reader.read(JournalKind.TABLE_OPENED, write_event(replace(TABLE, ruleset="arctic-disaster")))
    with pytest.raises(DoesNotPlay, match=r"errors\.not_guided"):
        reader.read(JournalKind.BATTLE, write_event(played))


def test_version_1_is_known_by_its_keys() -> None:
    reader = EventReader()
    reader.read(JournalKind.TABLE_OPENED, write_event(TABLE))
    old = {"kind": "commit", "side": "british", "data": {}, "phase": "", "events": []}
    event = reader.read(JournalKind.BATTLE, old)
    assert isinstance(event, events.OldBattlePlayed)
    assert write_event(event) == old
    tape = {"events": [3, 4], "tape": {"1.1": "34"}}
    assert write_event(reader.read(JournalKind.UNDONE, tape)) == tape


def test_a_fault_names_its_place() -> None:
    data = {**write_event(TABLE), "ships": [{"name": "Hood", "side": "british"}]}
    with pytest.raises(DreyerError) as wrong:
        EventReader().read(JournalKind.TABLE_OPENED, data, NOWHERE.item("entry", 1))
    assert isinstance(wrong.value, BadField)
    place = NOWHERE.item("entry", 1).item("ships", 1, "Hood")
    assert (wrong.value.place, wrong.value.field) == (place, "length_yards")
