"""Import of a battle: complete, of a known version, and replayable.

Nothing is stored before the whole file is read, checked and replayed.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import FailFast, Field

from combat.library import Library
from tabletop.documents import parse_json, parse_toml
from tabletop.errors import DreyerError, UnknownName, UnreadableFile
from tabletop.messages import Message
from tabletop.places import NOWHERE, NamedDocument
from tabletop.schema import Expected, Line, Number, Schema, Whole, document
from web.archive.exports import FORMAT, VERSION, checksum_of
from web.archive.free_steps import check_battle, check_steps
from web.auth.seats import Caller, Role, Seat
from web.faults import Fault
from web.files import LARGEST_BATTLE_BYTES
from web.journal.event_documents import EventReader
from web.journal.events import FORMAT as LATEST_FORMAT
from web.journal.events import FREE, NEWER, PEOPLE, Entry, Event, FreePlayed, JournalKind
from web.journal.fields import DoesNotPlay
from web.journal.store import Store, StoreFault
from web.library import CurrentLibrary
from web.session import Session

_MOST_ENTRIES: Final = 100_000
_LATEST_SECONDS: Final = 4_000_000_000
_KINDS: Final = frozenset(JournalKind) - {each.kind for each in PEOPLE}
"""The kinds of events that a file may have."""
_READER: Final = Caller("import", seat=Seat("import", "import", Role.UMPIRE, None))


@dataclass(frozen=True, slots=True)
class ImportedBattle:
    """A checked battle from a file."""

    title: str
    entries: tuple[Entry, ...]


@document
class _Row:
    """One entry of the journal."""

    n: Annotated[Whole, Field(ge=1, le=2**53)]
    seconds: Annotated[Number, Field(ge=0, le=_LATEST_SECONDS)]
    who: Annotated[Line, Field(max_length=40)]
    kind: Annotated[Line, Field(max_length=40)]
    format: Annotated[Whole, Field(ge=1, le=LATEST_FORMAT)] = 1
    data: dict[str, object]


@document
class _File:
    """An exported battle."""

    format: str
    version: Annotated[Whole, Field(ge=1)]
    title: Annotated[Line, Field(max_length=40)]
    written_by: Annotated[Line, Field(max_length=80)] = ""
    checksum: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), Expected(Message("schema.checksum"))]
    # A hundred thousand entries that are none would be a million faults.
    entries: Annotated[tuple[_Row, ...], FailFast(), Field(min_length=1, max_length=_MOST_ENTRIES)]


_FILES: Final[Schema[_File]] = Schema(_File)


def read_export(data: bytes, library: CurrentLibrary) -> ImportedBattle:
    """Parse and check an exported battle. Raises Fault."""
    if len(data) > LARGEST_BATTLE_BYTES:
        raise Fault(
            413,
            Message(
                "battles.import_fault.too_large",
                largest_battle_bytes=LARGEST_BATTLE_BYTES // 1000000,
            ),
        )
    document = _document(data)
    try:
        file = _FILES.check(document)
    except DreyerError as error:
        raise _wrong(error.message) from None
    if checksum_of(_listed(document["entries"])) != file.checksum:
        raise Fault(
            400,
            Message("battles.import_fault.checksum"),
        )
    entries = _entries(file.entries, library.now)
    title = _played(entries, library)
    return ImportedBattle(title or file.title, entries)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


_BEGINS: Final = {
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"%PDF": "pdf",
    b"PK\x03\x04": "zip",
    b"SQLite format 3": "journal",
    b"<!doctype html": "page",
    b"<!DOCTYPE html": "page",
    b"<html": "page",
}


_LARGEST_TOML_BYTES: Final = 1_000_000
"""A larger file is none of ours in TOML, and is not read to find that out."""


def _kind_of(data: bytes) -> str:
    """What a file is that is no JSON, as far as it can be told; empty where it cannot."""
    for begins, kind in _BEGINS.items():
        if data.lstrip().startswith(begins):
            return kind
    if data.lstrip().startswith((b"{", b"[")) and not data.lstrip().startswith(b"[["):
        return ""
    if len(data) > _LARGEST_TOML_BYTES:
        return ""
    try:
        found = parse_toml(data, NamedDocument.IMPORT)
    except UnreadableFile:
        return ""
    return "scene" if "ship" in found else "toml" if found else ""


def check_is_scenario(data: bytes) -> None:
    """Raise for a file that is plainly something else than a scenario."""
    kind = _kind_of(data) or ("battle" if data.lstrip().startswith(b"{") else "")
    if kind not in ("", "scene", "toml"):
        is_ = Message(f"battles.import_fault.kind.{kind}")
        raise Fault(400, Message("battles.own_other_file", kind=is_))


def _document(data: bytes) -> dict[str, object]:
    kind = _kind_of(data)
    if kind:
        is_ = Message(f"battles.import_fault.kind.{kind}")
        raise Fault(400, Message("battles.import_fault.other_file", kind=is_))
    try:
        found = parse_json(data, NamedDocument.IMPORT)
    except UnreadableFile as error:
        raise _wrong(error.message) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Fault(400, Message("battles.import_fault.not_a_battle"))
    written = found.get("version")
    if isinstance(written, int) and not isinstance(written, bool) and written > VERSION:
        raise Fault(400, NEWER)
    return found


def _entries(rows: tuple[_Row, ...], library: Library) -> tuple[Entry, ...]:
    _check_order(rows)
    reader = EventReader()
    return tuple(
        Entry(row.n, row.seconds, None, row.who, _event(row, reader, library), row.format)
        for row in rows
    )


def _check_order(rows: tuple[_Row, ...]) -> None:
    """Raise for entries of a newer version, out of order, or without a table."""
    before = 0
    for row in rows:
        if row.kind not in _KINDS:
            raise Fault(400, _in_entry(row.n, NEWER))
        if row.n <= before:
            raise _wrong(Message("battles.import_fault.order", number=row.n, before=before))
        before = row.n
    # A battle in free play may be older than the current table.
    free = {each.kind for each in FREE}
    if next((row.kind for row in rows if row.kind not in free), None) != JournalKind.TABLE_OPENED:
        raise _wrong(Message("battles.import_fault.no_table"))


def _event(row: _Row, reader: EventReader, library: Library) -> Event:
    place = NOWHERE.item("entry", row.n)
    try:
        event = reader.read(JournalKind(row.kind), row.data, place)
        if isinstance(event, FreePlayed):
            check_steps(library, event, row.data, place)
    except DoesNotPlay as error:
        raise _does_not_play(error.message) from None
    except DreyerError as error:
        raise _wrong(error.message) from None
    return event


def _played(entries: tuple[Entry, ...], library: CurrentLibrary) -> str:
    """Replay the battle and make all its views, so that no page fails on it later."""
    store = Store(None)
    try:
        store.append(entries)
        session = Session(store, library=library)
        moment = session.moment
        for name, piece in moment.state.pieces.items():
            if name != piece.name:
                raise _wrong(Message("battles.import_fault.two_names", name=name))
            if piece.side not in moment.state.sides:
                raise UnknownName(name, "side", piece.side, moment.state.sides.keys)
        from web.views.table import view_for

        view_for(session, _READER)
        _ = moment.survey
        for now in moment.free.known.values():
            check_battle(now)
    except StoreFault as error:
        raise _does_not_play(error.reason) from None
    except Fault:
        raise
    except (
        DreyerError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
    ) as error:
        if isinstance(error, DreyerError):
            raise _does_not_play(error.message) from None
        raise _does_not_play(Message("battles.import_fault.no_sense")) from None
    finally:
        store.close()
    return moment.state.title


def _wrong(reason: Message) -> Fault:
    return Fault(400, Message("battles.import_fault.wrong", reason=reason))


def _does_not_play(reason: Message) -> Fault:
    return _wrong(Message("battles.import_fault.does_not_play", reason=reason))


def _in_entry(number: int, reason: Message) -> Message:
    return Message("battles.import_fault.entry", number=number, reason=reason)
