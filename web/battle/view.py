"""The battle as one caller may see it: the rulebook's view, and what can be taken back."""

from typing import Any

from combat.overlay import short_checksum
from web.battle.actions import own_step_to_undo
from web.battle.now import BattleNow
from web.seats import Caller


def battle_view(battle: BattleNow, caller: Caller) -> dict[str, Any]:
    """The rulebook's view for the caller's side, and how the players stand to undoing."""
    side = side_seen(battle, caller)
    request = battle.record.request
    view = dict(battle.rules.view(battle.state, side, sees_all=caller.is_umpire))
    view["undo"] = {
        "own": own_step_to_undo(battle, caller) is not None,
        "request": (
            {
                "who": request.who,
                "side": request.side,
                "after": request.after,
                "words": request.words,
                "yours": request.side == side,
            }
            if request is not None
            else None
        ),
    }
    # The numbers of its beginning, which both sides can compare.
    view["tables"] = short_checksum(battle.tables.checksum)
    view["dice_kept"] = len(battle.record.tape.get(battle.phase, ""))
    return view


def side_seen(battle: BattleNow, caller: Caller) -> str | None:
    """The side whose secrets a caller shares; None shares nobody's."""
    seat = caller.seat
    return seat.side if seat is not None and seat.side in battle.sides else None
