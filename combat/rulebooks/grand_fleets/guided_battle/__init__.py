"""Grand Fleets as a guided battle on the measured table."""

from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState

__all__ = ["FleetBattle", "FleetState"]
