"""The checksums of the tables in use, for everyone to compare."""

from combat.owner_values import short_checksum
from web.http.context import ServerContext
from web.views.table import BattleTablesView, TablesView


def tables_seen(server_context: ServerContext) -> TablesView | None:
    """The checksum of the current tables and of a battle's; None before a table is opened."""
    moment = server_context.session.moment
    if not moment.state.is_open:
        return None
    owned = server_context.owner.now(moment.state.ruleset)
    battle = moment.battle
    return TablesView(
        checksum=short_checksum(owned.tables.checksum),
        owner=len(owned.overlay.values),
        fault=bool(owned.fault),
        revision=server_context.owner.revision + server_context.cards.revision,
        battle=BattleTablesView(
            checksum=short_checksum(battle.tables.checksum),
            same=battle.tables.checksum == owned.tables.checksum,
        )
        if battle is not None
        else None,
    )
