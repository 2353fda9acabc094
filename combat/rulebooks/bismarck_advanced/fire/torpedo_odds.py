"""The exact odds of a salvo of torpedoes: how often it hits, and what each hit does (69.2)."""

from dataclasses import replace
from typing import Final

from combat.forecast import Forecast
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fire.odds import AttackOdds, torpedo_effects
from combat.rulebooks.bismarck_advanced.fire.torpedoes import (
    Salvo,
    SalvoTarget,
    cells_read,
    column_of,
    modifications,
    salvo_provenance,
    torpedo_odds,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.tables import TableSet

_OUTCOMES: Final = ("speed_lost", "sunk")


def salvo_odds(
    salvo: Salvo, reception: SalvoTarget, receiver: Vessel, evolution: Evolution, tables: TableSet
) -> AttackOdds:
    """The odds of a salvo at a ship, shown as she was when the phase began."""
    ledger, column = modifications(reception, receiver, evolution, tables), column_of(salvo)
    cells = cells_read(column, ledger.total, tables)
    return AttackOdds(
        torpedo_odds(column, ledger.total, tables),
        torpedo_effects(receiver.warship, tables),
        Provenance.worst((salvo_provenance(salvo, ledger), *(each.provenance for each in cells))),
    )


def without_gunfire(forecast: Forecast) -> Forecast:
    """The same odds without what only shells do: a torpedo marks the hull and takes speed."""
    return replace(
        forecast,
        outcomes={name: forecast.outcomes[name] for name in _OUTCOMES},
        titles={},
    )
