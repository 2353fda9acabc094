"""Requests that play a battle, made into the rulebook's own actions."""

from collections.abc import Mapping
from typing import Any

from combat.battle_actions import BattleAction, Draft
from tabletop.errors import DreyerError
from web.api.route import Call
from web.battle.actions import acting_side, under_way
from web.battle.now import BattleNow


def read_request(call: Call, kind: str, data: Mapping[str, Any]) -> BattleAction:
    """The action that a caller asks for, in the battle on the table."""
    battle = under_way(call.session.ground(call.caller))
    return battle.rules.read_request(kind, data, acting_side(battle, call.caller))


def read_draft(battle: BattleNow, side: str | None, kind: str, data: Mapping[str, Any]) -> Draft:
    """A ship's order as a side is writing it, complete or not."""
    draft = battle.rules.read_request(kind, data, side)
    if not isinstance(draft, Draft):
        raise DreyerError(f"{kind} is no order for one ship")
    return draft
