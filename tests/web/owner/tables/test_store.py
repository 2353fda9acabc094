"""The owner's values while a table runs: entered, refused, undone, kept, moved as a file."""

from pathlib import Path

import pytest

from combat.owner_values import Overlay, write_overlay
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tests.refusals import refused
from web.owner.files import MOST_EDITS
from web.owner.tables.files import load_overlay, overlay_path, save_overlay
from web.owner.tables.paste import preview_block, read_block
from web.owner.tables.store import CellValue, OwnerTables
from web.strings import words

RULESET = "bismarck-advanced"
BOOK = get_ruleset(RULESET).tables


@pytest.fixture
def owner(tmp_path: Path) -> OwnerTables:
    return OwnerTables(tmp_path)


def enter(owner: OwnerTables, row: str, column: str, value: str | None) -> None:
    owner.change(RULESET, "penetration", [CellValue(row, column, value)])


def test_without_values_the_tables_are_the_book(owner: OwnerTables) -> None:
    assert owner.tables(RULESET).checksum == BOOK.checksum
    assert owner.last_edit(RULESET) is None
    assert owner.is_saved
    assert not OwnerTables(None).is_saved


def test_a_value_is_kept_on_the_disk(owner: OwnerTables, tmp_path: Path) -> None:
    enter(owner, "G", "short", " +19 ")
    cell = owner.tables(RULESET)["penetration"].cell("G", "short")
    assert (cell.value, cell.provenance) == ("19", Provenance.OWNER)
    assert load_overlay(RULESET, tmp_path).values == {("penetration", "G", "short"): "19"}
    again = OwnerTables(tmp_path)
    assert again.tables(RULESET).checksum == owner.tables(RULESET).checksum != BOOK.checksum


def test_without_a_folder_values_live_in_memory() -> None:
    owner = OwnerTables(None)
    enter(owner, "G", "short", "19")
    assert owner.tables(RULESET)["penetration"].text("G", "short") == "19"


def test_a_wrong_value_names_its_place_and_changes_nothing(owner: OwnerTables) -> None:
    changes = [
        CellValue("G", "short", "19"),
        CellValue("G", "medium_low", "plenty"),
        CellValue("F", "medium_low", "99"),
    ]
    with pytest.raises(DreyerError) as error:
        owner.change(RULESET, "penetration", changes)
    assert words(error.value) == (
        "Penetration Table, row G, column medium low: expected a whole number from 1 to 40 "
        "(inches) or '-', got 'plenty' (and 1 more value)"
    )
    assert owner.overlay(RULESET).values == {}
    assert owner.last_edit(RULESET) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CellValue("H", "short", "1"), "unknown row"),
        (CellValue("G", "near", "1"), "unknown column"),
    ],
)
def test_an_unknown_place_is_told(owner: OwnerTables, change: CellValue, words: str) -> None:
    with refused(UnknownName, match=words):
        owner.change(RULESET, "penetration", [change])
    with refused(UnknownName, match="unknown table"):
        owner.change(RULESET, "penetratio", [change])
    with refused(UnknownName, match="unknown table"):
        owner.reset(RULESET, "penetratio")


def test_the_same_cell_twice_is_refused(owner: OwnerTables) -> None:
    with refused(DreyerError, match="row G, column short: expected each cell once"):
        owner.change(
            RULESET, "penetration", [CellValue("G", "short", "19"), CellValue("G", "short", "17")]
        )


def test_a_confirmed_value_is_the_owners_and_leaves_the_checksum(owner: OwnerTables) -> None:
    enter(owner, "G", "short", "18")
    assert owner.tables(RULESET).checksum == BOOK.checksum
    assert owner.tables(RULESET)["penetration"].counts[Provenance.OWNER] == 1


@pytest.mark.parametrize("value", [None, "", "  "])
def test_an_emptied_cell_goes_back_to_the_book(owner: OwnerTables, value: str | None) -> None:
    enter(owner, "G", "short", "19")
    enter(owner, "G", "short", value)
    assert owner.tables(RULESET)["penetration"].cell("G", "short") == BOOK["penetration"].cell(
        "G", "short"
    )


def test_nothing_is_a_value_where_the_table_says_so(owner: OwnerTables) -> None:
    table = BOOK["damage_broadside"]
    blank = next(
        (row, column)
        for row, column in table.cells
        if table.spec.kind(row, column).read("") == "" and table.text(row, column)
    )
    owner.change(RULESET, table.name, [CellValue(*blank, "")])
    assert owner.tables(RULESET)[table.name].cell(*blank).provenance is Provenance.OWNER


def test_undo_takes_the_last_change_back(owner: OwnerTables, tmp_path: Path) -> None:
    enter(owner, "G", "short", "19")
    enter(owner, "G", "short", "17")
    step = owner.last_edit(RULESET)
    assert step is not None
    assert (step.what, step.table, step.cells) == ("enter", "penetration", 1)
    edited = owner.undo(RULESET)
    assert [cell.value for cell in edited.cells()] == ["19"]
    assert edited.cells()[0].book == "18"
    owner.undo(RULESET)
    assert not overlay_path(RULESET, tmp_path).exists()
    with refused(DreyerError, match="nothing to undo"):
        owner.undo(RULESET)


def test_what_changes_nothing_is_no_step(owner: OwnerTables) -> None:
    enter(owner, "G", "short", "19")
    revision = owner.revision
    enter(owner, "G", "short", "19")
    enter(owner, "F", "short", None)
    assert owner.revision == revision
    owner.undo(RULESET)
    assert owner.last_edit(RULESET) is None


def test_the_oldest_steps_are_forgotten() -> None:
    owner = OwnerTables(None)
    for number in range(MOST_EDITS + 5):
        enter(owner, "G", "short", str(number % 2 + 19))
    for _ in range(MOST_EDITS):
        owner.undo(RULESET)
    with refused(DreyerError, match="nothing to undo"):
        owner.undo(RULESET)


def test_a_table_goes_back_to_the_book_and_again(owner: OwnerTables) -> None:
    enter(owner, "G", "short", "19")
    owner.change(RULESET, "rudder", [CellValue("1", "result", "steady")])
    assert len(owner.reset(RULESET, "penetration").keys) == 1
    assert set(owner.overlay(RULESET).values) == {("rudder", "1", "result")}
    owner.undo(RULESET)
    assert len(owner.overlay(RULESET).values) == 2


def test_an_import_replaces_all_and_can_be_undone(owner: OwnerTables) -> None:
    enter(owner, "G", "short", "19")
    given = Overlay(RULESET, {("rudder", "1", "result"): "steady"})
    owner.take(RULESET, write_overlay(given), "the file")
    assert owner.overlay(RULESET) == given
    owner.undo(RULESET)
    assert set(owner.overlay(RULESET).values) == {("penetration", "G", "short")}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file"),
        (b"\xff\xfe", "the file"),
        (write_overlay(Overlay("grand-fleets", {})), "'bismarck-advanced', got 'grand-fleets'"),
        (
            write_overlay(Overlay(RULESET, {("penetration", "G", "short"): "x"})),
            "row 'G', column 'short'",
        ),
        (
            write_overlay(Overlay(RULESET, {("penetration", "G", "short"): "19"}))[:-9],
            "the file",
        ),
        (
            write_overlay(Overlay(RULESET, {("penetration", "G", "short"): "19"})).replace(
                b"19", b"18"
            ),
            "checksum",
        ),
    ],
    ids=["empty", "binary", "another game", "wrong value", "cut", "changed"],
)
def test_a_bad_file_is_refused_and_nothing_is_lost(
    owner: OwnerTables, data: bytes, words: str
) -> None:
    enter(owner, "G", "short", "17")
    with refused(DreyerError, match=words):
        owner.take(RULESET, data, "the file")
    assert owner.overlay(RULESET).values == {("penetration", "G", "short"): "17"}
    owner.undo(RULESET)


def test_what_cannot_be_written_has_not_happened(owner: OwnerTables, tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("in the way")
    with refused(DreyerError, match="cannot be written"):
        enter(owner, "G", "short", "19")
    assert owner.tables(RULESET).checksum == BOOK.checksum
    assert owner.last_edit(RULESET) is None


def test_a_change_from_elsewhere_is_seen_and_ends_undoing(
    owner: OwnerTables, tmp_path: Path
) -> None:
    enter(owner, "G", "short", "19")
    save_overlay(Overlay(RULESET, {("penetration", "G", "short"): "25"}), tmp_path)
    assert owner.tables(RULESET)["penetration"].text("G", "short") == "25"
    assert owner.last_edit(RULESET) is None


def test_an_unreadable_file_is_told_and_set_aside_by_an_import(
    owner: OwnerTables, tmp_path: Path
) -> None:
    path = overlay_path(RULESET, tmp_path)
    path.parent.mkdir()
    path.write_text("scribble")
    fault = owner.now(RULESET).fault
    assert fault is not None
    assert fault.code == "errors.file.toml"
    assert "scribble" not in words(fault)
    assert owner.now(RULESET).tables.checksum == BOOK.checksum
    for use in (owner.tables, owner.overlay, owner.undo):
        with pytest.raises(DreyerError, match=r"bismarck-advanced\.toml"):
            use(RULESET)
    with pytest.raises(DreyerError, match=r"bismarck-advanced\.toml"):
        enter(owner, "G", "short", "19")
    owner.take(RULESET, write_overlay(Overlay(RULESET, {("rudder", "1", "result"): "steady"})), "f")
    assert owner.tables(RULESET)["rudder"].text("1", "result") == "steady"
    assert path.with_name(f"{path.name}.unreadable").read_text() == "scribble"


# Blocks


def test_a_block_is_previewed() -> None:
    found = preview_block(BOOK["penetration"], "G", "short", "19\t16\r\n16\t\r\n")
    assert [(p.row, p.column, p.before, p.after) for p in found.pending] == [
        ("G", "short", "18", "19")
    ]
    assert (found.same, found.empty, found.faults) == (2, 1, ())
    assert len(found.as_json()) == 3


def test_a_whole_card_may_bring_its_names() -> None:
    table = BOOK["penetration"]
    lines = ["\t".join(["", *(c.replace("_", " ").title() for c in table.columns)])]
    lines += ["\t".join([row, *(table.text(row, c) for c in table.columns)]) for row in table.rows]
    found = preview_block(table, "G", "point_blank", "\n".join(lines))
    assert (len(found.pending), found.same, found.faults) == (0, 56, ())


def test_the_first_row_of_the_hit_table_is_not_taken_for_its_names() -> None:
    table = BOOK["hit_table"]
    block = "\n".join("\t".join(table.text(row, c) for c in table.columns) for row in table.rows)
    found = preview_block(table, table.rows[0], "1", block)
    assert (len(found.pending), found.same, found.faults) == (0, 48 * 28, ())


def test_a_block_with_wrong_values_names_each_and_is_not_to_be_entered() -> None:
    found = preview_block(BOOK["penetration"], "G", "short", "x\t16\n16\ty")
    assert [(fault.code, fault["place"], fault["found"]) for fault in found.faults] == [
        ("tables.fault.cell", Message("tables.fault.place", row="G", column="short"), "'x'"),
        ("tables.fault.cell", Message("tables.fault.place", row="F", column="medium low"), "'y'"),
    ]


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ("1\n2\n3", Message("tables.fault.rows", rows=3, first="A", n=2)),
        ("1\t2\t3", Message("tables.fault.columns", columns=3, first="long high", n=2)),
    ],
)
def test_a_block_that_does_not_fit_says_so(block: str, fault: Message) -> None:
    assert preview_block(BOOK["penetration"], "A", "long_high", block).faults == (fault,)


def test_a_quote_that_is_not_closed_is_no_crash() -> None:
    assert preview_block(BOOK["penetration"], "A", "long_high", '"1').changes != ()


def test_a_block_is_read_as_spreadsheets_write_it() -> None:
    assert read_block('"German 15"""\tb\n') == [['German 15"', "b"]]
    assert read_block("") == []
    assert read_block("a\n\nb") == [["a"], [""], ["b"]]
    with pytest.raises(UnknownName):
        preview_block(BOOK["penetration"], "Q", "short", "1")
    with pytest.raises(UnknownName):
        preview_block(BOOK["penetration"], "G", "near", "1")
