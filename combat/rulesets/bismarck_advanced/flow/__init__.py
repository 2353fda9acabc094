"""The Advanced Game's battle from step to step: `AdvancedBattle` is what others use of it."""

from combat.rulesets.bismarck_advanced.flow.rules import AdvancedBattle
from combat.rulesets.bismarck_advanced.flow.state import AdvancedState

__all__ = ["AdvancedBattle", "AdvancedState"]
