"""Tables as data: what loads, what does not and why, and the owner's values on top."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.owner_values import Overlay, read_overlay, short_checksum, write_overlay
from combat.provenance import Provenance
from combat.rulebooks import NAMES, get_ruleset
from combat.table_spec import (
    Axis,
    CellKind,
    TableSpec,
    Trend,
    by_column,
    every,
    fraction,
    line_of_text,
    whole,
    word,
)
from combat.tables import HEADER, Cell, Table, TableSet, read_table
from tabletop.errors import BadField, DreyerError, UnknownName, UnreadableFile
from tabletop.messages import Message
from tests.refusals import refused, said

SPEC = TableSpec(
    "salvo", "Salvo Table", ("1", "2"), ("near", "far"), every(whole(0, 9, words=("-",))),
    (Trend(Axis.DOWN, rises=True), Trend(Axis.ACROSS, rises=False)),
)  # fmt: skip
LINES = ("1,near,3,printed,12.1", "1,far,-,derived,12.2", "2,near,5,printed,12.1")
LAST = "2,far,2,reconstructed,README: salvo"


def csv_of(*lines: str) -> bytes:
    return "\n".join([",".join(HEADER), *lines, ""]).encode()


def load(*lines: str, spec: TableSpec = SPEC) -> Table:
    return read_table(csv_of(*lines), "salvo.csv", spec)


@pytest.fixture
def tables() -> TableSet:
    return TableSet("a-ruleset", [load(*LINES, LAST)])


def overlay(*cells: tuple[str, str, str, str]) -> Overlay:
    return Overlay(
        "a-ruleset", {(table, row, column): value for table, row, column, value in cells}
    )


def test_a_table_gives_its_cells_by_kind() -> None:
    table = load(*LINES, LAST)
    assert (table.name, table.title) == ("salvo", "Salvo Table")
    assert (table.rows, table.columns) == (("1", "2"), ("near", "far"))
    assert table.cell("1", "near") == Cell("3", Provenance.PRINTED, "12.1")
    assert (table.text("1", "far"), table.integer("2", "far")) == ("-", 2)
    assert table.fraction("2", "far") == 2
    assert table.counts == {
        "printed": 2,
        "derived": 1,
        "third_party": 0,
        "reconstructed": 1,
        "owner": 0,
    }
    with refused(BadField, match="row '1', column 'far': expected a whole number, got '-'"):
        table.integer("1", "far")
    with refused(BadField, match="expected a number or a fraction"):
        table.fraction("1", "far")


def test_order_in_the_file_does_not_matter() -> None:
    assert load(LAST, *reversed(LINES)) == load(*LINES, LAST)
    marked = b"\xef\xbb\xbf" + csv_of(*LINES, LAST).replace(b"\n", b"\r\n")
    assert read_table(marked, "salvo.csv", SPEC) == load(*LINES, LAST)


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [("11", "near", "unknown row '11'; did you mean '1'"),
     ("1", "nearer", "unknown column 'nearer'; did you mean 'near'")],
)  # fmt: skip
def test_an_unknown_name_offers_the_nearest(row: str, column: str, message: str) -> None:
    with refused(UnknownName, match=message):
        load(*LINES, LAST).cell(row, column)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2,far,2,reconstructed,", "salvo.csv, row 5: reference: expected a reference"),
        ("2,far,2,reconstructed,  ", "salvo.csv, row 5: reference: expected a reference"),
        (
            "2,far,2,guessed,12.1",
            "row 5: provenance: expected one of printed, derived, third_party, recon.*got",
        ),
        (
            "2,far,2,owner,12.1",
            "provenance: expected one of printed, derived, third_party, reconstructed, got",
        ),
        ("2,far,2,,12.1", "provenance: expected"),
        ("2,far,10,printed,12.1", "row '2', column 'far': expected a whole number from 0 to 9.*10"),
        ("2,far,two,printed,12.1", "expected a whole number from 0 to 9 or '-', got 'two'"),
        ("2,far,٣,printed,12.1", "expected a whole number"),
        ("2,far,+2,printed,12.1", r"row 5: value: expected '2', got '\+2'"),
        ("2,fra,2,printed,12.1", "row 5: salvo: unknown column 'fra'; did you mean 'far'"),
        ("3,far,2,printed,12.1", "unknown row '3'"),
        ("2,near,2,printed,12.1", "row 5: row: expected each cell once, got row '2'.* again"),
        ("2,far,2,printed", "row 5: cells: expected 5 values, got 4"),
        ('2,far,2,printed,"12.1', "not CSV"),
    ],
)
def test_a_wrong_line_says_what_and_where(line: str, message: str) -> None:
    with refused(DreyerError, match=message) as caught:
        load(*LINES, line)
    assert "\n" not in said(caught.value)


def test_a_table_is_complete() -> None:
    with refused(BadField, match=r"got nothing for row '2', column 'far'$"):
        load(*LINES)
    with refused(BadField, match="column 'near' and 3 more"):
        load()


@pytest.mark.parametrize("data", [b"", b"a,b\n", b"row;column;value;provenance;reference\n"])
def test_the_header_is_fixed(data: bytes) -> None:
    with refused(BadField, match="row 1: header: expected row,column,value,provenance,refer"):
        read_table(data, "salvo.csv", SPEC)


def test_only_utf_8() -> None:
    with refused(UnreadableFile, match="not UTF-8"):
        read_table(b"\xff\xfe", "salvo.csv", SPEC)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (whole(-3, 3), {"+2": "2", " -3 ": "-3", "-0": "0"}, ["4", "", "1.5", "1e1", "²"]),
        (word(("", "*")), {"": "", " * ": "*"}, ["**", "-"]),
        (fraction(), {"3/2": "3/2", "2/4": "1/2", "24": "24"}, ["0", "1/0", "-1", "1.5", ""]),
        (line_of_text(5), {" ab ": "ab"}, ["", "abcdef", "a\nb"]),
    ],
)
def test_kinds_read_what_players_write(
    kind: CellKind, good: dict[str, str], bad: Iterable[str]
) -> None:
    read = kind.read
    assert {text: read(text) for text in good} == good
    assert [read(text) for text in bad] == [None for _ in bad]


def test_kinds_may_differ_by_column() -> None:
    spec = TableSpec("t", "T", ("1",), ("a", "b"), by_column({"a": whole(0, 1), "b": word("x")}))
    assert load("1,a,1,printed,r", "1,b,x,printed,r", spec=spec).text("1", "b") == "x"
    with refused(BadField, match="expected one of x, got '1'"):
        load("1,a,1,printed,r", "1,b,1,printed,r", spec=spec)


def test_a_set_finds_its_tables(tables: TableSet) -> None:
    assert tables["salvo"].integer("2", "near") == 5
    assert ("salvo" in tables, "broadside" in tables, len(tables)) == (True, False, 1)
    with refused(UnknownName, match="unknown table 'slavo'; did you mean 'salvo'"):
        tables["slavo"]


def test_owner_values_lie_on_top(tables: TableSet) -> None:
    changed = tables.with_overlay(overlay(("salvo", "2", "far", " +4 ")))
    assert changed["salvo"].cell("2", "far") == Cell("4", Provenance.OWNER, "the owner's copy")
    assert changed["salvo"].counts[Provenance.OWNER] == 1
    assert changed.counts == {
        "printed": 2,
        "derived": 1,
        "third_party": 0,
        "reconstructed": 0,
        "owner": 1,
    }
    assert tables["salvo"].integer("2", "far") == 2, "the shipped tables stay as they were"


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (("slavo", "1", "far", "1"), "unknown table 'slavo'; did you mean 'salvo'"),
        (("salvo", "9", "far", "1"), "salvo: unknown row '9'"),
        (("salvo", "1", "for", "1"), "salvo: unknown column 'for'; did you mean 'far'"),
        (
            ("salvo", "1", "far", "12"),
            "file.toml: salvo, row '1', column 'far': expected a whole n",
        ),
    ],
)
def test_one_wrong_owner_value_and_none_is_taken(
    tables: TableSet, cell: tuple[str, str, str, str], message: str
) -> None:
    with refused(DreyerError, match=message):
        tables.with_overlay(overlay(("salvo", "1", "near", "1"), cell), "file.toml")


def test_owner_values_belong_to_one_ruleset(tables: TableSet) -> None:
    with refused(BadField, match="ruleset: expected 'a-ruleset', got 'another'"):
        tables.with_overlay(Overlay("another"))


def test_owner_values_that_break_a_trend_are_warned_of_and_taken(tables: TableSet) -> None:
    assert tables.warnings() == ()
    changed = tables.with_overlay(overlay(("salvo", "2", "far", "7")))
    assert changed["salvo"].integer("2", "far") == 7
    (warning,) = changed.warnings()
    assert (warning["table"], warning["first"], warning["second"]) == ("salvo", "5", "7")
    assert warning["first_cell"] == Message("schema.cells.cell", row="2", column="near")
    assert warning["rule"] == Message("schema.cells.never_rise")
    assert tables.with_overlay(overlay(("salvo", "2", "far", "5"))).warnings() == ()


def test_the_checksum_is_that_of_the_values(tables: TableSet) -> None:
    confirmed = tables.with_overlay(overlay(("salvo", "2", "far", "2")))
    changed = tables.with_overlay(overlay(("salvo", "2", "far", "3")))
    assert confirmed.checksum == tables.checksum != changed.checksum
    assert len(short_checksum(tables.checksum)) == 12
    assert TableSet("other", tables).checksum != tables.checksum


def test_an_overlay_survives_its_file() -> None:
    before = overlay(("salvo", "1", "near", "1"), ("salvo", "2", "far", ""), ("a", "b", "c", '8"'))
    after = read_overlay(write_overlay(before), "owner.toml")
    assert (after, after.checksum) == (before, before.checksum)
    assert write_overlay(after) == write_overlay(before)


NAME = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)


@settings(max_examples=50)
@given(st.dictionaries(st.tuples(NAME, NAME, NAME), NAME, max_size=4))
def test_any_printable_overlay_survives_its_file(values: dict[tuple[str, str, str], str]) -> None:
    before = Overlay("a-ruleset", values)
    assert read_overlay(write_overlay(before), "owner.toml") == before


def test_values_come_and_go() -> None:
    empty = Overlay("a-ruleset")
    one = empty.with_value("salvo", "1", "near", "1")
    assert one.without("salvo", "1", "near") == empty
    with refused(DreyerError, match="there is no owner's value to remove; `dreyer tables"):
        empty.without("salvo", "1", "near")


WRITTEN = write_overlay(overlay(("salvo", "1", "near", "1"), ("salvo", "2", "far", "2"))).decode()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('value = "2"', 'value = "3"', "owner.toml: expected the checksum .* the file was changed"),
        ('ruleset = "a-', 'ruleset = "b-', "the file was changed or cut short"),
        (
            '{ table = "salvo", row = "2", column = "far", value = "2" },',
            "",
            "changed or cut short",
        ),
        ('row = "2", column = "far"', 'row = "1", column = "near"', "expected each cell once"),
        ("version = 1", "version = 2", "written by a newer Dreyer Table"),
        ("version = 1", "", "version: expected a whole number"),
        ("format = ", "from = ", "unknown key 'from'; the nearest known key is 'format'"),
        ("owner's tables", "ships", "format: expected"),
        ("column", "colunm", "unknown key 'colunm'; the nearest known key is 'column'"),
    ],
)
def test_a_tampered_overlay_is_refused(old: str, new: str, message: str) -> None:
    assert old in WRITTEN
    with refused(DreyerError, match=message) as caught:
        read_overlay(WRITTEN.replace(old, new).encode(), "owner.toml")
    assert "\n" not in said(caught.value)


@pytest.mark.parametrize("length", range(0, len(WRITTEN) - 2, 7))
def test_a_truncated_overlay_is_refused(length: int) -> None:
    with pytest.raises(DreyerError):
        read_overlay(WRITTEN[:length].encode(), "owner.toml")


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_ruleset_has_a_set_of_tables(ruleset: str) -> None:
    tables = get_ruleset(ruleset).tables
    assert tables.ruleset == ruleset
    assert tables.counts[Provenance.OWNER] == 0


def test_an_unknown_ruleset_has_none() -> None:
    with refused(UnknownName, match="did you mean 'grand-fleets'"):
        get_ruleset("grandfleets")
