"""Which numbers this table plays with, for everyone to compare: checksums and little more."""

from typing import Any

from combat.owner_values import short_checksum
from web.http.context import Running
from web.owner.tables.store import Step
from web.views.table import BattleTablesView, TablesView


def tables_seen(running: Running) -> TablesView | None:
    """The checksum of the tables in effect, and of a battle's own; None before a table is laid."""
    moment = running.session.moment
    if not moment.state.is_open:
        return None
    owned = running.owner.now(moment.state.ruleset)
    battle = moment.battle
    return TablesView(
        checksum=short_checksum(owned.tables.checksum),
        owner=len(owned.overlay.values),
        fault=bool(owned.fault),
        revision=running.owner.revision + running.cards.revision,
        battle=BattleTablesView(
            checksum=short_checksum(battle.tables.checksum),
            same=battle.tables.checksum == owned.tables.checksum,
        )
        if battle is not None
        else None,
    )


def step_as_json(step: Step | None) -> dict[str, Any] | None:
    """What undoing would take back."""
    return None if step is None else {"what": step.what, "table": step.table, "cells": step.cells}
