"""Reading of files by schema: every fault is one line that names the place and the remedy."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Field

from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownKey, UnreadableFile
from tabletop.messages import Message, verbatim
from tabletop.schema import (
    Expected,
    Flag,
    Line,
    Number,
    Schema,
    Text,
    Unit,
    Whole,
    file_document,
    one_of,
    optional_keys,
    parameters_of,
    present_values,
)
from tests.refusals import refused, said


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


@file_document
class Ship:
    name: str | None = None
    x: Number = 0.0
    state: Mapping[str, Any] = field(default_factory=dict)


@file_document
class Scale:
    yards: Number


def _even(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if any(number % 2 for number in numbers):
        raise ValueError
    return numbers


@file_document
class File:
    n: Annotated[Number, Field(gt=0, le=10), Unit("inches")] = 7.0
    whole: Annotated[Whole, Field(ge=1, le=5)] = 1
    t: Annotated[Line, Field(min_length=1, max_length=5)] = "a"
    s: Size = Size.SMALL
    texts: tuple[str, ...] = ()
    flag: Flag = False
    belt: tuple[Number, Number, Number] | None = None
    even: Annotated[
        tuple[Whole, ...], AfterValidator(_even), Expected(verbatim("even numbers"))
    ] = ()
    rows: tuple[tuple[Number, ...], ...] = ()
    scale: Scale | None = None
    by_size: Mapping[Size, Number] = field(default_factory=dict)
    ship: Annotated[tuple[Ship, ...], Field(max_length=3)] = ()


FILE: Schema[File] = Schema(File)


def read(text: str) -> File:
    return FILE.read_toml(text.encode(), "x.toml")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"a = ", "errors.file.toml", None),
        (b"\xff\xfe", "errors.file.not_utf8", 1),
        (b'a = 1\nb = "\xe9"', "errors.file.not_utf8", 2),
        (b"a = 1\na = 2", "errors.file.toml", None),
        (b"a = " + b"9" * 9000, "errors.file.toml_number", None),
        (b"\x00", "errors.file.toml", None),
        (b"a = " + b"[" * 100_000, "errors.file.toml_deep", None),
    ],
)
def test_what_is_not_toml_is_told_in_one_line(data: bytes, code: str, line: int | None) -> None:
    with pytest.raises(UnreadableFile) as caught:
        FILE.read_toml(data, "x.toml")
    message = caught.value.message
    assert message.code == code
    assert message["source"] == "x.toml"
    assert dict(message.params).get("line") == line
    assert "\n" not in said(message)


def test_a_byte_order_mark_is_forgiven() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\n", "x.toml") == {"a": 1}


def test_a_misspelt_key_names_the_nearest() -> None:
    with refused(UnknownKey, match=r"^x.toml: unknown key 'flog'.*nearest known key is 'flag'"):
        read("flog = 3")


def test_a_misspelt_key_is_told_before_the_one_that_it_stands_for() -> None:
    with refused(UnknownKey, match=r"\[scale\]: unknown key 'yard'.*nearest known key is 'yards'"):
        read("[scale]\nyard = 3")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('n = "12"', "got the text '12'"),
        ("n = true", "got true"),
        ("n = nan", "got nan"),
        ("n = inf", "got inf"),
        ("n = -inf", "got -inf"),
        ("n = []", "got a list"),
        ("n = {}", "got a table"),
        ("n = 1979-05-27", "got the date or time 1979-05-27"),
        ("n = 0", "got 0"),
        ("n = 11", "got 11"),
        ("n = 1" + "0" * 400, "got 1000"),
    ],
)
def test_a_number_must_be_one_and_within_bounds(text: str, found: str) -> None:
    with pytest.raises(BadField) as caught:
        read(text)
    message = said(caught.value)
    assert message.startswith("x.toml: n: expected a number of inches above 0 and up to 10, got ")
    assert found in message
    assert len(message) < 150


def test_numbers_may_be_whole_or_not() -> None:
    assert read("n = 3").n == 3.0
    assert read("n = 3.5").n == 3.5
    assert read("").n == 7


def test_a_key_that_is_missing() -> None:
    with refused(BadField, match=r"^x.toml, \[scale\]: yards: expected a number, .*is missing"):
        read("[scale]")


@pytest.mark.parametrize("text", ["whole = 1.0", "whole = true", 'whole = "1"', "whole = 6"])
def test_integers_are_whole(text: str) -> None:
    with refused(BadField, match="a whole number from 1 to 5"):
        read(text)


@pytest.mark.parametrize("text", ["t = 1", 't = ""', 't = "  "', r't = "a\u0007"', 't = "abcdef"'])
def test_text_is_a_line(text: str) -> None:
    with refused(BadField, match="a line of text of 1 to 5 printable characters"):
        read(text)


def test_a_choice_offers_the_nearest() -> None:
    with refused(BadField, match="did you mean 'large'"):
        read('s = "Lagre"')
    with refused(BadField, match="expected one of small, large, got 3"):
        read("s = 3")


def test_a_choice_that_is_known_late_offers_the_nearest_too() -> None:
    assert one_of("large", ("small", "large"), "x.toml", "s") == "large"
    with refused(BadField, match="x.toml: s: expected one of small, large.*mean 'large'"):
        one_of("lagre", ("small", "large"), "x.toml", "s")


def test_names_of_a_table_offer_the_nearest() -> None:
    assert read("[by_size]\nlarge = 2").by_size == {Size.LARGE: 2.0}
    with refused(UnknownKey, match=r"x.toml, \[by_size\]: unknown key 'lagre'.*'large'"):
        read("[by_size]\nlagre = 2")
    with refused(BadField, match=r"x.toml, \[by_size\]: large: expected a number"):
        read("[by_size]\nlarge = 'two'")


def test_a_single_table_where_a_list_belongs() -> None:
    with refused(BadField, match=r"\[\[ship\]\] with double brackets"):
        read("[ship]\nx = 1")


def test_too_many_tables() -> None:
    with refused(BadField, match=r"ship: .*from 0 to 3 of them, got a list of 4"):
        read("[[ship]]\n" * 4)


def test_places_carry_the_number_and_the_name() -> None:
    with refused(BadField, match=r"^x.toml, ship 1 'Hood': x: expected a number"):
        read('[[ship]]\nname = "Hood"\nx = "far"')
    with refused(BadField, match=r"^x.toml, ship 2: x: expected a number"):
        read('[[ship]]\nname = "Hood"\n[[ship]]\nx = "far"')


def test_a_table_must_be_a_table() -> None:
    with refused(BadField, match=r"a table, written \[scale\]"):
        read("scale = 3")
    with refused(BadField, match=r"ship 1: state: expected a table, written \[ship.state\]"):
        read("[[ship]]\nstate = 3")


def test_a_list_of_texts() -> None:
    assert read('texts = ["a", "b"]').texts == ("a", "b")
    assert read("").texts == ()
    with refused(BadField, match="texts 1: expected a text, got 1"):
        read("texts = [1]")
    with refused(BadField, match="texts: expected a list of texts, got the text 'a'"):
        read('texts = "a"')


def test_a_flag_is_true_or_false() -> None:
    assert read("flag = true").flag
    assert not read("").flag
    with refused(BadField, match="flag: expected true or false, got the text 'yes'"):
        read("flag = 'yes'")


def test_a_list_of_values_has_the_right_length() -> None:
    assert read("belt = [1, 2, 3]").belt == (1, 2, 3)
    for values, count in (("1, 2", 2), ("1, 2, 3, 4", 4)):
        with refused(BadField, match=f"belt: expected a list of 3 values.*got a list of {count}"):
            read(f"belt = [{values}]")
    with refused(BadField, match="belt: expected a list of 3 values.*got 4"):
        read("belt = 4")
    with refused(BadField, match="belt 2: expected a number, got the text 'two'"):
        read("belt = [1, 'two', 3]")
    with refused(BadField, match=r"rows 1\.2: expected a number, got the text 'two'"):
        read("rows = [[1, 'two']]")


def test_a_check_of_its_own_is_told_by_what_its_field_expects() -> None:
    assert read("even = [2, 4]").even == (2, 4)
    with refused(BadField, match="even: expected even numbers, got a list of 2"):
        read("even = [2, 3]")


def test_keys_that_are_known_late() -> None:
    made: Schema[Any] = Schema(optional_keys("Answers", {"fog": bool, "range": int, "by": Text}))
    assert present_values(made.read_table({"fog": False, "by": " Hood "}, "x")) == {
        "fog": False,
        "by": "Hood",
    }
    for table in ({"fog": "yes"}, {"fog": 1}, {"range": True}, {"range": 2.0}, {"ragne": 2}):
        with pytest.raises(DreyerError):
            made.read_table(table, "x")


def test_what_a_function_takes() -> None:
    def plus(tables: object, first: Whole, second: Whole = 2) -> int:
        assert tables is None
        return first + second

    made: Schema[Any] = Schema(parameters_of(plus, given=("tables",)))
    assert plus(None, **present_values(made.read_table({"first": 1}, "x"))) == 3
    with refused(UnknownKey, match="x: unknown key 'tables'"):
        made.read_table({"first": 1, "tables": 2}, "x")
    with pytest.raises(BadField) as caught:
        made.read_table({}, "x")
    assert caught.value.field == "first"
    assert caught.value.expected == Message("schema.whole")
