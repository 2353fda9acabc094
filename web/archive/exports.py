"""A battle as one file: every event of its table, a version and a checksum; no seats, no codes.

Whoever may not know everything gets the battle as it was when nothing was secret: back to the
last open point, without drafts that were thrown away. The file then plays to that very state.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from combat.guided_actions import Commit, Draft, Uncommit, Withdraw
from combat.guided_play import StepKind
from combat.guided_play import replay as replay_battle
from combat.participants import SPECTATOR
from tabletop.errors import DreyerError
from web.auth.seats import Forbidden
from web.games.guided_game import GuidedGame, follow
from web.journal.battle_entries import rolls_dice
from web.journal.battle_record import RecordedAction
from web.journal.entries import Entry
from web.journal.event_documents import write_event
from web.journal.events import PEOPLE, BattleBegun, BattlePlayed, OldBattlePlayed, TableOpened
from web.table.moment import Moment
from web.table.state import replay

FORMAT: Final = "dreyer-table battle"
VERSION: Final = 2
"""1 was that of version 0.1.0, whose entries are of format 1."""
_OWN: Final = (Draft, Commit, Uncommit, Withdraw)
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
        kept = _open_entries(kept, moment.state.ruleset, moment.battle)
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


def checksum_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 over the entries, however the file is laid out."""
    digest = hashlib.sha256()
    for row in rows:
        line = json.dumps(row, ensure_ascii=True, allow_nan=False, sort_keys=True)
        digest.update(line.encode("ascii") + b"\n")
    return digest.hexdigest()


def _open_entries(entries: list[Entry], ruleset: str, battle: GuidedGame) -> list[Entry]:
    """The entries that are open to all, which play to the last state that was.

    Dice fall in the open: undone ones stay, since they may have used up what an undo before kept.
    """
    if not battle.is_over and any(ship.face_down for ship in battle.view(SPECTATOR).ships):
        raise Forbidden("battles.export_fault.face_down")
    standing = _standing(battle)
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
    _check(kept, ruleset, battle, standing)
    return kept


def _standing(battle: GuidedGame) -> list[RecordedAction]:
    """What stands, up to the last open point, without drafts that others took the place of."""
    standing = list(battle.record.events)
    if battle.step.kind in (StepKind.PLOT, StepKind.DESIGNATE):
        step_began = _step_began(battle)
        own = [
            n
            for n, each in enumerate(standing)
            if isinstance(each.action, _OWN) and n >= step_began
        ]
        if own:
            del standing[own[0] :]
    return _without_old_drafts(standing)


def _step_began(battle: GuidedGame) -> int:
    """How many actions had been played when the present step began."""
    step, game = battle.step, battle.game
    began = len(game.played)
    while began and game.played[began - 1].place == battle.place:
        if battle.rulebook.step(game.state_after(began - 1)).kind is not step.kind:
            break
        began -= 1
    return began


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
    kept: list[Entry], ruleset: str, battle: GuidedGame, standing: list[RecordedAction]
) -> None:
    """The file must play, or it is worth nothing."""
    try:
        record = replay(kept).battle
        found = follow(ruleset, record, None)
        actions = [(each.action, each.rolls) for each in standing]
        wanted = replay_battle(battle.rulebook, battle.record.setup, actions)
        same = (
            found is not None
            and found.state == wanted
            and found.record.taken_back == battle.record.taken_back
        )
    except DreyerError:
        same = False
    if not same:
        raise DreyerError(
            "battles.export_fault.secrets",
        )


def _row(entry: Entry) -> dict[str, Any]:
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
