"""A battle as one file: every event of its table, a version and a checksum; no seats, no codes.

Whoever may not know everything gets the battle as it was when nothing was secret: back to the
last open point, without drafts that were thrown away. The file then plays to that very state.
Where the rulebook keeps what was written sealed beyond the step, such as plots until the segment
ends, the last open point is before it was written, and the table is as it was then, too.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from combat.game import UndoneRolls
from combat.guided_actions import Commit, Draft, Secret, Uncommit, Withdraw
from combat.guided_play import SECRET_STEPS
from combat.guided_play import replay as replay_battle
from combat.participants import SPECTATOR
from tabletop.errors import DreyerError
from web.auth.seats import Forbidden
from web.games.guided_game import GuidedGame, follow
from web.journal.battle_record import RecordedAction, rolls_dice
from web.journal.event_documents import write_event
from web.journal.events import (
    PEOPLE,
    BattleBegun,
    BattlePlayed,
    Entry,
    OldBattlePlayed,
    TableOpened,
)
from web.table.moment import Moment
from web.table.state import replay

FORMAT: Final = "dreyer-table battle"
VERSION: Final = 2
"""1 was that of version 0.1.0, whose entries are of format 1."""
_OWN: Final = (Secret, Commit, Uncommit, Withdraw)
"""What a side does on its own before all is opened together."""


def export_battle(entries: Sequence[Entry], moment: Moment, *, sees_all: bool) -> tuple[str, bytes]:
    """A name for the file, and the file."""
    laid = [n for n, entry in enumerate(entries) if isinstance(entry.event, TableOpened)]
    if not laid:
        raise DreyerError("battles.export_fault.nothing")
    # A table that was laid anew has nothing of the one before; a battle in free play goes on.
    free = _free_numbers(moment)
    older = [entry for entry in entries[: laid[-1]] if entry.n in free]
    later = [entry for entry in entries[laid[-1] :] if not isinstance(entry.event, PEOPLE)]
    kept = [*older, *later]
    if not sees_all and moment.battle is not None:
        kept = _open_entries(kept, moment.state.ruleset, moment.battle, free)
    rows = [_row(entry) for entry in kept]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": moment.state.title,
        "written_by": f"Dreyer Table {_own_version()}",
        "checksum": checksum_of(rows),
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    # One line for each entry: a long battle stays small, and two files can be compared.
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    text = f'{text[:-2]},\n "entries": [\n{lines}\n ]\n}}\n'
    return _file_name(moment.state.title), text.encode()


def _free_numbers(moment: Moment) -> frozenset[int]:
    """The numbers of all entries of the battles in free play that stand."""
    records = moment.state.free.records.values()
    return frozenset(n for each in records for n in (each.begun, *(e.n for e in each.entries)))


def checksum_of(rows: Iterable[object]) -> str:
    """SHA-256 over the entries, however the file is laid out."""
    digest = hashlib.sha256()
    for row in rows:
        line = json.dumps(row, ensure_ascii=True, allow_nan=False, sort_keys=True)
        digest.update(line.encode("ascii") + b"\n")
    return digest.hexdigest()


def _open_entries(
    entries: list[Entry], ruleset: str, battle: GuidedGame, free: frozenset[int]
) -> list[Entry]:
    """The entries that are open to all, which play to the last state that was.

    Dice fall in the open: undone ones stay, since they may have used up what an undo before kept.
    """
    if not battle.is_over and any(ship.face_down for ship in battle.view(SPECTATOR).ships):
        raise Forbidden("battles.export_fault.face_down")
    sealed_from = _sealed_from(battle)
    if sealed_from is not None:
        # Free play goes on beside the battle and has none of its secrets.
        entries = [each for each in entries if each.n < sealed_from or each.n in free]
    standing = _standing(battle, sealed_from)
    numbers = {battle.record.begun, *(each.n for each in standing)}
    kept = [
        entry
        for entry in entries
        if not isinstance(entry.event, BattleBegun | BattlePlayed | OldBattlePlayed)
        or entry.n in numbers
        or (
            entry.n > battle.record.begun
            and not isinstance(entry.event, BattleBegun)
            and rolls_dice(entry.event)
        )
    ]
    before = battle.record if sealed_from is None else replay(entries).battle
    _check(kept, ruleset, battle, standing, before.taken_back if before is not None else ())
    return kept


def _sealed_from(battle: GuidedGame) -> int | None:
    """The number of the first action that leads to anything sealed; None where nothing is."""
    since = battle.rulebook.sealed_since(battle.state)
    if since is None:
        return None
    return next((each.n for each in battle.game.played if each.place >= since), None)


def _standing(battle: GuidedGame, sealed_from: int | None) -> list[RecordedAction]:
    """What stands, up to the last open point, without drafts that others took the place of."""
    standing = list(battle.record.events)
    if sealed_from is not None:
        standing = [each for each in standing if each.n < sealed_from]
    elif battle.step.kind in SECRET_STEPS:
        step_began = battle.step_began
        own = [
            n
            for n, each in enumerate(standing)
            if isinstance(each.action, _OWN) and n >= step_began
        ]
        if own:
            del standing[own[0] :]
    return _without_old_drafts(standing)


def _without_old_drafts(standing: list[RecordedAction]) -> list[RecordedAction]:
    """Of several drafts for one ship in one step only the last was ever opened.

    A commitment that was taken back goes with them: what it committed may have been thrown away.
    """
    kept: list[RecordedAction] = []
    later: set[tuple[str, str]] = set()
    taken_back: set[str | None] = set()
    for recorded in reversed(standing):
        action = recorded.action
        if isinstance(action, Uncommit):
            taken_back.add(action.side or action.for_side)
            continue
        if isinstance(action, Commit) and (action.side or action.for_side) in taken_back:
            taken_back.discard(action.side or action.for_side)
            continue
        if isinstance(action, Draft):
            draft = action.kind, action.ship
            if draft in later:
                continue
            later.add(draft)
        elif not isinstance(action, _OWN):
            later.clear()
        kept.append(recorded)
    return kept[::-1]


def _check(
    kept: list[Entry],
    ruleset: str,
    battle: GuidedGame,
    standing: list[RecordedAction],
    taken_back: tuple[UndoneRolls, ...],
) -> None:
    """The file must play, or it is worth nothing."""
    try:
        record = replay(kept).battle
        found = follow(ruleset, record, None)
        actions = [(each.action, each.rolls) for each in standing]
        wanted = replay_battle(battle.rulebook, battle.record.setup, actions)
        same = found is not None and found.state == wanted and found.record.taken_back == taken_back
    except DreyerError:
        same = False
    if not same:
        raise DreyerError(
            "battles.export_fault.secrets",
        )


def _row(entry: Entry) -> dict[str, object]:
    return {
        "n": entry.n,
        "seconds": entry.seconds,
        "who": entry.who,
        "kind": str(entry.event.kind),
        "format": entry.format,
        "data": write_event(entry.event),
    }


def _file_name(title: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()
    return f"{plain or 'battle'}.dreyer.json"


def _own_version() -> str:
    try:
        return version("dreyer-table")
    except PackageNotFoundError:
        return "of this folder"
