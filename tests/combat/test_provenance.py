"""References: the book, our notes, or both."""

import pytest

from combat.provenance import Provenance, Reference
from combat.rulebooks import NAMES, get_ruleset
from tabletop.messages import Message, verbatim


@pytest.mark.parametrize(
    ("text", "reference", "message"),
    [
        ("62.44", Reference("62.44"), verbatim("62.44")),
        (
            "README: hit table",
            Reference(chapter="hit table"),
            Message("combat.reference.notes", chapter="hit table"),
        ),
        (
            "README, counters: the full values",
            Reference(chapter="counters", remark="the full values"),
            Message("combat.reference.notes_remark", chapter="counters", remark="the full values"),
        ),
        (
            "64.33: whole quarters (README: shell size)",
            Reference("64.33: whole quarters", "shell size"),
            Message(
                "combat.reference.book_and_notes",
                book="64.33: whole quarters",
                chapter="shell size",
            ),
        ),
        ("", Reference(), verbatim("")),
    ],
)
def test_a_reference_is_read_from_its_text(
    text: str, reference: Reference, message: Message
) -> None:
    assert Reference.read(text) == reference
    assert reference.message == message


@pytest.mark.parametrize("name", NAMES)
def test_notes_are_cited_in_a_form_that_is_known(name: str) -> None:
    tables = get_ruleset(name).tables
    cells = [table.cell(row, column) for table in tables for row in table.rows
             for column in table.columns]  # fmt: skip
    assert {
        cell.reference for cell in cells if "README" in Reference.read(cell.reference).book
    } == set()


def test_a_third_partys_reading_ranks_below_derived_and_above_reconstructed() -> None:
    third = Provenance.THIRD_PARTY
    sound = (Provenance.PRINTED, Provenance.DERIVED, Provenance.OWNER)
    assert Provenance.worst((*sound, third)) is third
    assert Provenance.worst((third, Provenance.RECONSTRUCTED)) is Provenance.RECONSTRUCTED
    assert [each.doubt for each in (*sound, third)] == [None, None, None, third]
