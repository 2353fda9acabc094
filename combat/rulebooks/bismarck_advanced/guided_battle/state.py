"""A battle within its sequence of play: what the players have written, and what has come of it.

The engagement is the battle between two phases. What the present step adds to it, drafts,
commitments, dice, stands beside it until the step is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from combat.dice import Roll
from combat.guided_actions import EarlierBattles
from combat.guided_play import SECRET_STEPS, StepKind
from combat.rulebooks.bismarck_advanced.after_battle.port import PortReport, RefuelReport
from combat.rulebooks.bismarck_advanced.after_battle.repair import RepairReport, Section
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder, MoveReport
from combat.rulebooks.bismarck_advanced.fire.air_attacks import RaidReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import Salvo
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import Resolution
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.movement.smoke import SmokeSide
from combat.rulebooks.bismarck_advanced.phases import CombatPhase, Segment
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import Identity
from combat.rulebooks.bismarck_data.air_waves import Wave
from tabletop.messages import NO_WORDS, Message

SEGMENT_NUMBERS = {Segment.INITIAL: 1, Segment.SECOND: 2}


@dataclass(frozen=True, slots=True)
class OpenMove:
    """The move of all plots together: every ship's orders, and where they lead."""

    orders: Mapping[str, MoveOrder]
    moved: Engagement
    report: MoveReport


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One ship's movement plot of one segment, as her record sheet has it (57.51)."""

    ship: str
    phase: CombatPhase
    speed: int
    """Of the round, as it was written; in the second segment as it stands then."""
    notation: str
    follows: str | None = None
    """The ship ahead, where she follows one; empty where the plot names none."""
    evolution: Evolution = Evolution.STEADY
    smoke_cover: bool = False
    smoke_front: SmokeSide | None = None


@dataclass(frozen=True, slots=True)
class Yard:
    """The turns between two battles (40, 68): repairs at sea and in port, refuelling."""

    turn: int = 1
    busy: Mapping[str, int] = field(default_factory=dict)
    """The last turn that each ship has spent on repairs."""
    refuelled: Mapping[str, int] = field(default_factory=dict)
    """The last turn in which each ship has refuelled."""
    turns_on_hull: Mapping[str, int] = field(default_factory=dict)
    """The turns in port that each ship has spent on her hull."""
    pending: tuple[str, Section] | None = None
    """The repair that waits for its die."""
    moved_two_zones: bool = False
    in_port: bool = False
    """Whether it is made in port."""
    reports: tuple[RepairReport | PortReport | RefuelReport, ...] = ()

    @property
    def tried(self) -> frozenset[str]:
        """The ships that have had their repair of this turn."""
        return frozenset(name for name, last in self.busy.items() if last >= self.turn)


@dataclass(frozen=True, slots=True)
class Strike:
    """A wave of bombers on its way, with the dice that have fallen for it (27.5)."""

    target: str
    side: str
    """Whose planes they are."""
    wave: Wave
    rolls: tuple[Roll, ...] = ()
    zones_to_base: int | None = None
    """For a land-based unit, whose planes are rolled for (27.36)."""
    stopped: int = 0
    """The bombers that fighters on patrol stop (28.82)."""


@dataclass(frozen=True, slots=True)
class FlownStrike:
    """A wave of bombers that has attacked."""

    strike: Strike
    report: RaidReport
    sunk: bool


@dataclass(frozen=True, slots=True)
class AdvancedState:
    """One battle of the Advanced Game at one step of its sequence of play."""

    title: str
    sides: tuple[str, ...]
    engagement: Engagement
    phase: CombatPhase
    """The segment being played; the engagement is ahead of it while damage is marked."""
    kind: StepKind = StepKind.PLOT
    identities: Mapping[str, Identity] = field(default_factory=dict)
    """By ship; empty where nobody is hidden (67.1)."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Of the markers by which ships stand on the table in hidden play, turned up or not (61.6)."""
    plots: Mapping[str, MoveOrder] = field(default_factory=dict)
    open_move: OpenMove | None = None
    log: tuple[LogEntry, ...] = ()
    """Every plot that was moved by, the present segment's last."""
    fires: Mapping[str, tuple[FireOrder, ...]] = field(default_factory=dict)
    reduced: Mapping[str, tuple[FireOrder, ...]] = field(default_factory=dict)
    """The fire orders of ships whose rates of fire are to be reduced, until all commit (67.41)."""
    committed: frozenset[str] = frozenset()
    resolution: Resolution | None = None
    wants_to_end: frozenset[str] = frozenset()
    ending: Message = NO_WORDS
    """Why the battle is over; no words while it is not."""
    strike: Strike | None = None
    """The air strike whose dice are wanted."""
    flown: tuple[FlownStrike, ...] = ()
    """Every air strike of the battle."""
    yard: Yard = field(default_factory=Yard)
    follows: EarlierBattles | None = None
    """The battles before it, where its ships come out of them."""

    @property
    def segment(self) -> int:
        """1 or 2."""
        return SEGMENT_NUMBERS[self.phase.segment]

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The sides whose word is still awaited in this step."""
        if self.kind not in SECRET_STEPS | {StepKind.MARK}:
            return ()
        return tuple(side for side in self.sides if side not in self.committed)

    @property
    def torpedoes_under_way(self) -> tuple[Salvo, ...]:
        """The salvos that are not resolved yet; a battle that is over has none."""
        if self.kind is StepKind.ENDED:
            return ()
        # The markers go down as the movement resolution begins, before anybody has moved (69.5).
        battle = self.engagement if self.open_move is None else self.open_move.moved
        done = self.resolution.torpedoes if self.resolution is not None else ()
        return tuple(
            salvo for salvo in battle.salvos if salvo not in [report.salvo for report in done]
        )

    def fleet(self, side: str) -> tuple[Combatant, ...]:
        """A side's ships in action."""
        return tuple(ship for ship in self.engagement.in_action if ship.side == side)
