"""Reading a battle from a file: whole, of a version that is known, and one that plays.

Nothing is kept before all of it has been read, checked and replayed; a file that is wrong is
refused in one sentence.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from combat.library import Library
from tabletop.errors import DreyerError, UnknownName
from web.api.reading import Line, Model, read_json, say_fault
from web.archive.exports import FORMAT, FREE_KINDS, VERSION, checksum_of
from web.archive.free_steps import check_battle, check_steps
from web.auth.seats import Caller, Role, Seat
from web.battle.imported_models import MODELS, model_of
from web.faults import Fault
from web.files import LARGEST_BATTLE_BYTES
from web.journal.store import Store, StoreFault
from web.library import CurrentLibrary
from web.session import Session
from web.table.state import FORMAT as LATEST_FORMAT
from web.table.state import NEWER, Entry, Event, Kind
from web.views.table import view_for

_MOST_ENTRIES: Final = 100_000
_LATEST_SECONDS: Final = 4_000_000_000
_READER: Final = Caller("import", seat=Seat("import", "import", Role.UMPIRE, None))


@dataclass(frozen=True, slots=True)
class Imported:
    """A battle from a file, checked."""

    title: str
    entries: tuple[Entry, ...]


class _Row(Model):
    n: Annotated[int, Field(ge=1, le=2**53)]
    seconds: Annotated[float, Field(ge=0, le=_LATEST_SECONDS)]
    who: Annotated[Line, Field(max_length=40)]
    kind: Annotated[Line, Field(max_length=40)]
    format: Annotated[int, Field(ge=1, le=LATEST_FORMAT)] = 1
    data: dict[str, Any]


class _File(Model):
    format: str
    version: Annotated[int, Field(ge=1)]
    title: Annotated[Line, Field(max_length=40)]
    written_by: Annotated[Line, Field(max_length=80)] = ""
    checksum: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    entries: Annotated[list[_Row], Field(min_length=1, max_length=_MOST_ENTRIES)]


def read_export(data: bytes, library: CurrentLibrary) -> Imported:
    """The battle in these bytes, or a Fault that says what is wrong with them."""
    if len(data) > LARGEST_BATTLE_BYTES:
        raise Fault(413, f"A battle's file has at most {LARGEST_BATTLE_BYTES // 1_000_000} MB")
    document = _document(data)
    try:
        file = _File.model_validate(document)
    except ValidationError as error:
        words, _ = say_fault(error, of_file=True)
        raise _wrong(words) from None
    if checksum_of(document["entries"]) != file.checksum:
        raise Fault(
            400,
            "The file was changed or cut short after it was written: its checksum does not fit. "
            "Export the battle again",
        )
    entries = _entries(file.entries, library.now)
    title = _played(entries, library)
    return Imported(title or file.title, entries)


def _document(data: bytes) -> dict[str, Any]:
    try:
        found = read_json(data)
    except Fault as error:
        raise _wrong(str(error)) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Fault(
            400, "This is not a battle of Dreyer Table: choose a file that “Export” has written"
        )
    written = found.get("version")
    if isinstance(written, int) and not isinstance(written, bool) and written > VERSION:
        raise Fault(400, f"{NEWER[0].upper()}{NEWER[1:]}")
    return found


def _entries(rows: list[_Row], library: Library) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    for row in rows:
        if row.kind not in MODELS:
            raise Fault(400, f"Entry {row.n}: {NEWER}")
        if entries and row.n <= entries[-1].n:
            raise _wrong(f"entry {row.n} comes after entry {entries[-1].n}")
        kind = Kind(row.kind)
        try:
            model_of(kind, row.data).model_validate(row.data)
            if kind is Kind.FREE_PLAYED:
                check_steps(library, row.data["ruleset"], row.data["steps"])
        except ValidationError as error:
            words, _ = say_fault(error, of_file=True)
            raise _wrong(f"entry {row.n}: {words}") from None
        except DreyerError as error:
            raise _wrong(f"entry {row.n}: {error}") from None
        entries.append(Entry(row.n, row.seconds, None, row.who, Event(kind, row.data), row.format))
    # A battle in free play may be older than the table that lies there now.
    kinds = (entry.event.kind for entry in entries if entry.event.kind not in FREE_KINDS)
    if next(kinds, None) is not Kind.TABLE_OPENED:
        raise _wrong("it does not begin with a table")
    return tuple(entries)


def _played(entries: tuple[Entry, ...], library: CurrentLibrary) -> str:
    """Play it through and look at it from every side, so that no page breaks on it later."""
    store = Store(None)
    try:
        store.append(entries)
        session = Session(store, library=library)
        moment = session.moment
        for name, piece in moment.state.pieces.items():
            if name != piece.name:
                raise _wrong(f"{name} has two names")
            if piece.side not in moment.state.sides:
                raise UnknownName(name, "side", piece.side, moment.state.sides.keys)
        view_for(session, _READER)
        _ = moment.survey
        for now in moment.free.known.values():
            check_battle(now)
    except StoreFault as error:
        raise _wrong(f"it does not play: {error.reason}") from None
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
        words = str(error) if isinstance(error, DreyerError) else "some of it makes no sense"
        raise _wrong(f"it does not play: {words}") from None
    finally:
        store.close()
    return moment.state.title


def _wrong(words: str) -> Fault:
    return Fault(400, f"The file cannot be used: {words}. Export the battle again")
