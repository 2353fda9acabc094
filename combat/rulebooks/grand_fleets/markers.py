"""The markers beside a model: what they mean for fire at her and for her next move."""

from typing import Final

from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.movement import limit_of
from combat.rulebooks.grand_fleets.table_files import MARKERS
from combat.rulebooks.grand_fleets.terms import marker_message
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.ship_markers import MarkerRules, ShipMarkers
from combat.ships import ShipType
from combat.tables import TableSet
from tabletop.messages import Message


def _effects(ship: ShipType | None, markers: ShipMarkers, tables: TableSet) -> tuple[Message, ...]:
    found = []
    if markers.speed:
        value = tables["speed_markers"].integer(markers.speed, "modifier")
        found.append(Message("grand_fleets.marker_effect.fire", value=value))
        if markers.speed in tables["acceleration"].rows and isinstance(ship, Card) and ship.speed:
            vessel = Vessel(ship.name, ship)
            straight, turning = (
                limit_of(vessel, markers.speed, tables, turned=turned).yards
                for turned in (False, True)
            )
            next_move = Message(
                "grand_fleets.marker_effect.move", straight=straight, turning=turning
            )
            found.append(next_move)
    if markers.out_of_command:
        found.append(Message("grand_fleets.marker_effect.out_of_command"))
    return tuple(found)


MARKER_RULES: Final = MarkerRules(
    tuple(marker for marker in MARKERS if marker != "none"), marker_message, _effects
)
