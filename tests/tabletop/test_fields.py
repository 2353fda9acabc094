"""Checked reading of TOML: every fault is one line that names the place and the remedy."""

import pytest

from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnreadableFile
from tabletop.fields import Fields
from tests.refusals import refused, said


def fields(text: str, *known: str) -> Fields:
    return Fields(parse_toml(text.encode(), "x.toml"), "x.toml", known)


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
        parse_toml(data, "x.toml")
    message = caught.value.message
    assert message.code == code
    assert message["source"] == "x.toml"
    assert dict(message.params).get("line") == line
    assert "\n" not in said(message)


def test_a_byte_order_mark_is_forgiven() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\n", "x.toml") == {"a": 1}


def test_a_misspelt_key_names_the_nearest() -> None:
    with refused(DreyerError, match=r"unknown key 'heding'.*nearest known key is 'heading'"):
        fields("heding = 3", "x", "heading", "y")


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
        ("", "the key is missing"),
    ],
)
def test_a_number_must_be_one_and_within_bounds(text: str, found: str) -> None:
    with pytest.raises(BadField) as caught:
        fields(text, "n").number("n", above=0, most=10, unit="inches")
    message = said(caught.value)
    assert message.startswith("x.toml: n: expected a number of inches above 0 and up to 10, got ")
    assert found in message
    assert len(message) < 150


def test_numbers_may_be_whole_or_not() -> None:
    assert fields("n = 3", "n").number("n") == 3.0
    assert fields("n = 3.5", "n").number("n") == 3.5
    assert fields("", "n").number("n", 7) == 7


@pytest.mark.parametrize("text", ["n = 1.0", "n = true", 'n = "1"', "n = 0", "n = 6", ""])
def test_integers_are_whole(text: str) -> None:
    with refused(BadField, match="a whole number from 1 to 5"):
        fields(text, "n").integer("n", least=1, most=5)


@pytest.mark.parametrize("text", ["t = 1", 't = ""', 't = "  "', r't = "a\u0007"', 't = "abcdef"'])
def test_text_is_a_line(text: str) -> None:
    with refused(BadField, match="a line of text of 1 to 5 printable characters"):
        fields(text, "t").text("t", most=5)


def test_a_choice_offers_the_nearest() -> None:
    with refused(BadField, match="did you mean 'large'"):
        fields('s = "Lagre"', "s").choice("s", ("small", "large"))
    with refused(BadField, match="expected one of small, large, got 3"):
        fields("s = 3", "s").choice("s", ("small", "large"))


def test_a_single_table_where_a_list_belongs() -> None:
    with refused(BadField, match=r"\[\[ship\]\] with double brackets"):
        fields("[ship]\nx = 1", "ship").tables("ship", ("x",))


def test_places_carry_the_number_and_the_name() -> None:
    document = fields('[[ship]]\nname = "Hood"\n[[ship]]\nx = 1', "ship")
    first, second = document.tables("ship", ("name", "x"))
    assert first.place == "x.toml, ship 1 'Hood'"
    assert second.place == "x.toml, ship 2"


def test_a_table_must_be_a_table() -> None:
    with refused(BadField, match=r"a table, written \[scale\]"):
        fields("scale = 3", "scale").table("scale", ())


def test_a_list_of_texts() -> None:
    assert fields('t = ["a", "b"]', "t").texts("t") == ("a", "b")
    assert fields("", "t").texts("t") == ()
    with refused(BadField, match="a list of texts"):
        fields("t = [1]", "t").texts("t")


def test_a_flag_is_true_or_false() -> None:
    assert fields("radar = true", "radar").flag("radar")
    assert not fields("", "radar").flag("radar", default=False)
    with refused(BadField, match="radar: expected true or false, got the text 'yes'"):
        fields("radar = 'yes'", "radar").flag("radar")


def test_a_list_of_values_has_the_right_length() -> None:
    belt = fields("belt = [2, '-']", "belt")
    assert belt.values("belt", 2) == (2, "-")
    assert belt.values("belt") == (2, "-")
    with refused(BadField, match="belt: expected a list of 3 values, got a list of 2"):
        belt.values("belt", 3)
    with refused(BadField, match="belt: expected a list of values, got 4"):
        fields("belt = 4", "belt").values("belt")


def test_a_table_inherits_what_it_does_not_state() -> None:
    model = fields("a = 1\nb = [1]\nd = 4\n[c]\nx = 1\ny = 2", "a", "b", "c", "d")
    own = fields("b = [2]\n[c]\ny = 3", "a", "b", "c", "d")
    whole = own.inheriting(model, ("a", "b", "c"))
    assert whole.place == own.place
    assert (whole.value("a"), whole.value("b"), "d" in whole) == (1, [2], False)
    assert whole.value("c") == {"x": 1, "y": 3}
