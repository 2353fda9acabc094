"""Spans of numbers as the rows and columns of tables."""

from combat.table_spec import Spans


def test_spans_are_named_by_their_numbers() -> None:
    assert Spans((0, 1, 4)).names == ("0", "1-3", "4+")
    assert Spans((2, 4, 7), highest=12).names == ("2-3", "4-6", "7-12")


def test_a_number_beyond_the_spans_belongs_to_the_first_or_the_last() -> None:
    spans = Spans((2, 4, 7), highest=12)
    assert [spans.name_of(number) for number in (-1, 2, 3, 4, 6, 7, 12, 40)] == [
        *("2-3", "2-3", "2-3", "4-6", "4-6", "7-12", "7-12", "7-12")
    ]
