"""The Advanced Game's battle from step to step: `AdvancedBattle` is what others use of it."""

from combat.rulebooks.bismarck_advanced.guided_battle.rulebook import AdvancedBattle
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState

__all__ = ["AdvancedBattle", "AdvancedState"]
