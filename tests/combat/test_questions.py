"""Fields that are declared once: what they ask, what they take, and what they refuse."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from combat.questions import (
    Count,
    Question,
    QuestionInfo,
    answer_text,
    between,
    questions,
    read_answer,
)
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace, Key, PlaceLike
from tabletop.schema import Flag, Takes, read_field
from tests.refusals import refused, said


class Weather(StrEnum):
    """Three of them."""

    FAIR = "fair"
    RAIN = "rain"
    FOG = "fog"


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """A field of every kind."""

    silent: int = 3
    night: Annotated[Flag, QuestionInfo("test", "1.1", mutual=True)] = False
    ships: Annotated[int, between(1, 30), QuestionInfo("test", "1.2", "fire")] = 2
    inches: Annotated[float, Field(ge=0, le=120), QuestionInfo("test", "1.3", "fire")] = 2.5
    weather: Annotated[Weather, QuestionInfo("test", "1.4", key="sky")] = Weather.RAIN
    gun: Annotated[Literal["main", "secondary"], QuestionInfo("test", by_page=False)]
    speed: Annotated[
        int | None,
        between(0, 9),
        QuestionInfo("test", "1.5", "firer", without=Message("test.without.full")),
    ] = None
    boxes: Annotated[Mapping[str, Count], QuestionInfo("test", "1.6", "state")] = field(
        default_factory=dict
    )
    tubes: Annotated[
        Mapping[Literal["port", "starboard"], Count], QuestionInfo("test", "1.6", "state")
    ] = field(default_factory=dict)
    turrets: Annotated[tuple[str, ...], QuestionInfo("test", "1.7", "state")] = ()


FIRE = DocumentPlace("shot.toml").table("fire")
ASKED = {each.name: each for each in questions(Everything)}


def read_value(question: Question, value: object, place: PlaceLike) -> object:
    return read_field(question.annotation, value, place, question.key)


def wrong_value(question: Question, value: object) -> BadField:
    with pytest.raises(BadField) as error:
        read_value(question, value, FIRE)
    assert error.value.place == FIRE
    assert error.value.field == question.key
    return error.value


def test_only_declared_fields_are_asked_and_in_their_order() -> None:
    names = ["night", "ships", "inches", "weather", "gun", "speed", "boxes", "tubes", "turrets"]
    assert list(ASKED) == names
    assert questions(Everything) is questions(Everything)


def test_a_question_says_everything_about_its_field() -> None:
    night, weather, gun, speed = (ASKED[name] for name in ("night", "weather", "gun", "speed"))
    assert (night.table, night.key, night.label, night.rule) == (
        "conditions", "night", Message("test.question.conditions.night"), "1.1",
    )  # fmt: skip
    assert (night.mutual, weather.mutual) == (True, False)
    assert (weather.key, weather.default) == ("sky", Weather.RAIN)
    assert weather.label == Message("test.question.conditions.sky")
    assert weather.choices == tuple(
        (value, Message(f"test.choice.sky.{value}")) for value in ("fair", "rain", "fog")
    )
    assert gun.choices == ()
    assert (gun.required, gun.default, gun.by_page) == (True, None, False)
    assert (speed.required, speed.default, speed.without) == (
        False, None, Message("test.without.full"),
    )  # fmt: skip
    assert (speed.least, speed.most) == (0, 9)
    assert ASKED["boxes"].default == {}


@pytest.mark.parametrize(
    ("name", "takes", "expected", "default"),
    [
        ("night", Takes.FLAG, "true or false", "false"),
        ("ships", Takes.NUMBER, "a whole number from 1 to 30", "2"),
        ("inches", Takes.DECIMAL, "a number from 0 to 120", "2.5"),
        ("weather", Takes.CHOICE, "fair, rain, fog", "rain"),
        ("gun", Takes.CHOICE, "main, secondary", ""),
        ("speed", Takes.NUMBER, "a whole number from 0 to 9", ""),
        ("boxes", Takes.COUNTS, "a table of whole numbers by name", "{}"),
        ("turrets", Takes.TEXTS, "a list of texts", "()"),
    ],
)
def test_what_a_field_takes(name: str, takes: Takes, expected: str, default: str) -> None:
    question = ASKED[name]
    assert (question.takes, said(question.listed)) == (takes, expected)
    assert question.default_text == default


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("night", True, True),
        ("ships", 30, 30),
        ("inches", 7, 7.0),
        ("inches", 0.25, 0.25),
        ("weather", "fog", Weather.FOG),
        ("gun", "secondary", "secondary"),
        ("speed", 0, 0),
        ("boxes", {"bow": 2}, {"bow": 2}),
        ("turrets", ["A", "B"], ("A", "B")),
    ],
)
def test_values_of_a_file(name: str, value: object, read: object) -> None:
    found = read_value(ASKED[name], value, "x")
    assert (type(found), found) == (type(read), read)


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("night", 1, "1"),
        ("night", "true", "the text 'true'"),
        ("ships", True, "true"),
        ("ships", 2.0, "2.0"),
        ("ships", "2", "the text '2'"),
        ("ships", 0, "0"),
        ("ships", 31, "31"),
        ("inches", float("nan"), "nan"),
        ("inches", float("inf"), "inf"),
        ("inches", -0.1, "-0.1"),
        ("inches", True, "true"),
        ("speed", 10, "10"),
        ("boxes", [1], "a list of 1"),
        ("turrets", "AB", "the text 'AB'"),
    ],
)
def test_values_that_are_refused(name: str, value: object, found: str) -> None:
    error = wrong_value(ASKED[name], value)
    assert (error.expected, said(error.found)) == (ASKED[name].expected, found)


def test_a_wrong_value_of_a_list_is_named() -> None:
    with pytest.raises(BadField) as error:
        read_value(ASKED["turrets"], ["A", 1], FIRE)
    assert (error.value.place, error.value.key) == (FIRE, Key("turrets", (2,)))
    assert (said(error.value.expected), said(error.value.found)) == ("a text", "1")


@pytest.mark.parametrize(("count", "found"), [(-1, "-1"), (True, "true"), (1000, "1000")])
def test_a_wrong_number_of_a_table_is_named(count: object, found: str) -> None:
    with pytest.raises(BadField) as error:
        read_value(ASKED["boxes"], {"stern": 1, "bow": count}, FIRE)
    assert (error.value.place, error.value.field) == (FIRE.table("boxes"), "bow")
    assert (said(error.value.expected), said(error.value.found)) == (
        "a whole number from 0 to 999",
        found,
    )


def test_a_misspelt_name_of_a_table_is_told_the_nearest() -> None:
    assert ASKED["tubes"].shape.choices == ("port", "starboard")
    assert read_value(ASKED["tubes"], {"port": 2}, "x") == {"port": 2}
    with refused(DreyerError, match=r"\[tubes\]: unknown key 'prot'.* is 'port'"):
        read_value(ASKED["tubes"], {"prot": 2}, "x")


def test_a_misspelt_choice_is_told_the_nearest() -> None:
    error = wrong_value(ASKED["weather"], "fogg")
    assert (error.field, said(error.expected)) == ("sky", "one of fair, rain, fog")
    assert said(error).endswith("got the text 'fogg'; did you mean 'fog'?")


@pytest.mark.parametrize("value", [3, True, ["fog"], {}])
def test_what_is_no_text_is_like_no_choice(value: object) -> None:
    assert "did you mean" not in str(wrong_value(ASKED["weather"], value))


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("night", "true", True),
        ("night", "false", False),
        ("ships", "12", 12),
        ("inches", "12", 12.0),
        ("inches", "0.75", 0.75),
        ("weather", "fair", Weather.FAIR),
    ],
)
def test_answers_typed_into_a_form(name: str, text: str, read: object) -> None:
    found = read_answer(ASKED[name], text, "form")
    assert (type(found), found) == (type(read), read)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("night", "1"), ("night", "True"), ("ships", "1.0"), ("ships", "31"), ("ships", "٣"),
        ("ships", "9" * 5000), ("inches", "1e2"), ("inches", "nan"), ("inches", "121"),
        ("weather", "storm"), ("weather", ""), ("boxes", "{}"), ("turrets", "A"),
    ],
)  # fmt: skip
def test_answers_that_are_refused_name_the_key(name: str, text: str) -> None:
    with pytest.raises(BadField) as error:
        read_answer(ASKED[name], text, "form")
    assert (error.value.place, error.value.field) == (DocumentPlace("form"), ASKED[name].key)
    assert len(said(error.value.found)) <= 42


@given(st.integers(-50, 50))
def test_bounds_are_kept(number: int) -> None:
    question = ASKED["ships"]
    if 1 <= number <= 30:
        assert read_value(question, number, "x") == number
        assert read_answer(question, str(number), "x") == number
    else:
        wrong_value(question, number)


@given(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary())
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.sampled_from(sorted(ASKED)),
)
def test_whatever_stands_in_a_file_is_read_or_refused(value: Any, name: str) -> None:
    try:
        found = read_value(ASKED[name], value, "x")
    except BadField:
        return
    if ASKED[name].takes is Takes.FLAG:
        assert found is value
    elif ASKED[name].takes is Takes.NUMBER:
        assert found is None or type(found) is int


@given(st.sampled_from(["night", "ships", "inches", "weather", "gun"]), st.data())
def test_an_answer_is_read_back_as_it_was_written(name: str, data: st.DataObject) -> None:
    question = ASKED[name]
    values: dict[Takes, st.SearchStrategy[Any]] = {
        Takes.FLAG: st.booleans(),
        Takes.NUMBER: st.integers(1, 30),
        Takes.DECIMAL: st.integers(0, 480).map(lambda quarters: quarters / 4),
        Takes.CHOICE: st.sampled_from(question.shape.choices),
    }
    value = data.draw(values[question.takes])
    assert answer_text(read_answer(question, answer_text(value), "x")) == answer_text(value)
