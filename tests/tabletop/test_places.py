"""Places in documents: their text, and what is in what."""

import pytest

from tabletop.errors import BadField, UnknownKey, UnknownName
from tabletop.messages import Message
from tabletop.places import NOWHERE, DocumentPlace, Key, PlaceLike

FILE = DocumentPlace("x.toml")
HOOD = FILE.item("ship", 1, "Hood")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (NOWHERE, ""),
        (FILE, "x.toml"),
        (HOOD, "x.toml, ship 1 'Hood'"),
        (FILE.item("ship", 2), "x.toml, ship 2"),
        (FILE.table("scale"), "x.toml, [scale]"),
        (HOOD.table("state").key("turrets_lost"), "x.toml, ship 1 'Hood', [state], turrets_lost"),
        (FILE.key(Key("rows").item(1).item(2)), "x.toml, rows 1.2"),
        (HOOD.at("type"), "x.toml, ship 1 'Hood': type"),
        (HOOD.inner, "ship 1 'Hood'"),
        (NOWHERE.table("fire"), "[fire]"),
        (DocumentPlace("Hood").key("state").within(FILE), "x.toml, Hood, state"),
    ],
)
def test_a_place_has_one_text(place: DocumentPlace, text: str) -> None:
    assert str(place) == text
    assert bool(place) == bool(text)


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        (HOOD, True),
        (HOOD.table("state"), True),
        (HOOD.at("type"), True),
        (FILE, False),
        # Text would take the tenth ship for a part of the first.
        (FILE.item("ship", 10), False),
        (FILE.item("ship", 1), False),
        (DocumentPlace("y.toml").item("ship", 1, "Hood"), False),
    ],
)
def test_a_place_is_in_another(place: DocumentPlace, inside: bool) -> None:
    assert place.is_in(HOOD) is inside


@pytest.mark.parametrize("place", ["x.toml", FILE])
def test_a_whole_document_may_be_given_by_name(place: PlaceLike) -> None:
    error = BadField(place, "name", Message("schema.text"), "1")
    assert error.place == DocumentPlace.of(place) == FILE


def test_errors_are_seen_from_where_the_value_stands() -> None:
    inner = NOWHERE.table("conditions")
    bad = BadField(inner, Key("turrets", (2,)), Message("schema.text"), "1").within(HOOD)
    assert (bad.place, bad.field) == (HOOD.table("conditions"), "turrets 2")
    unknown = UnknownKey(inner, "fgo", ["fog"]).within(HOOD)
    assert (unknown.place, unknown.guess) == (HOOD.table("conditions"), "fog")
    assert UnknownName(inner, "key", "x", ()).within(HOOD).place == HOOD.table("conditions")
    said = UnknownName(Message("errors.where.battle"), "ship", "x", ()).within(HOOD).place
    assert said == Message("errors.where.within", outer=HOOD, inner=Message("errors.where.battle"))


def test_a_word_is_not_proposed_in_place_of_itself() -> None:
    known = ("correct", "correction")
    assert UnknownName("battle", "action", "correct", known).nearest == "correction"
    assert UnknownName("battle", "action", "correct", known[:1]).nearest is None
    assert UnknownName("battle", "action", "Correct", known[:1]).nearest == "correct"
