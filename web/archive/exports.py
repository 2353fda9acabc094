"""Export of a battle as one file: its events, a version and a checksum; no seats, no codes.

A caller who may not know everything gets the battle up to the last point at which nothing was
secret, without discarded drafts. The file can be replayed to exactly that state. Where the
rulebook keeps orders sealed beyond the step, such as plots until the segment ends, that point is
before they were written, and the table is as it was then.
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
"""Version 0.1.0 wrote file version 1, with entries of format 1."""
_OWN: Final = (Secret, Commit, Uncommit, Withdraw)
"""Secret actions of a side, before the orders of a step are revealed."""


def export_battle(entries: Sequence[Entry], moment: Moment, *, sees_all: bool) -> tuple[str, bytes]:
    """The export of a battle: its file name and its content."""
    laid = [n for n, entry in enumerate(entries) if isinstance(entry.event, TableOpened)]
    if not laid:
        raise DreyerError("battles.export_fault.nothing")
    # A new table has nothing of the previous one, but battles in free play continue.
    free = free_numbers(moment)
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
    # One line per entry keeps the file small and easy to compare.
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    text = f'{text[:-2]},\n "entries": [\n{lines}\n ]\n}}\n'
    return _file_name(moment.state.title), text.encode()


def free_numbers(moment: Moment) -> frozenset[int]:
    """The numbers of all entries of the current battles in free play."""
    records = moment.state.free.records.values()
    return frozenset(n for each in records for n in (each.begun, *(e.n for e in each.entries)))


def checksum_of(rows: Iterable[object]) -> str:
    """SHA-256 over the entries, independent of the file's formatting."""
    digest = hashlib.sha256()
    for row in rows:
        line = json.dumps(row, ensure_ascii=True, allow_nan=False, sort_keys=True)
        digest.update(line.encode("ascii") + b"\n")
    return digest.hexdigest()


def _open_entries(
    entries: list[Entry], ruleset: str, battle: GuidedGame, free: frozenset[int]
) -> list[Entry]:
    """The public entries, which replay to the last public state.

    Dice are public: undone ones are included, since later actions may have used rolls that an undo
    kept.
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
    """The number of the first action that leads to sealed orders; None without any."""
    since = battle.rulebook.sealed_since(battle.state)
    if since is None:
        return None
    return next((each.n for each in battle.game.played if each.place >= since), None)


def _standing(battle: GuidedGame, sealed_from: int | None) -> list[RecordedAction]:
    """The actions up to the last public point, without replaced drafts."""
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
    """Remove all but the last draft of each ship in a step, because only that was revealed.

    Undone commitments are removed as well, since their drafts may be gone.
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
    """Raise if the file cannot be replayed."""
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
