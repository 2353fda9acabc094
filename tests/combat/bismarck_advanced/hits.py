"""One shell on one ship, for tests: every die is typed, and none may be left over."""

from combat.dice import TypedDice
from combat.owner_values import Overlay
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport, Shell, resolve_hit
from combat.rulebooks.bismarck_advanced.fleet.vessel import LostTurrets, Vessel
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tests.combat.bismarck_advanced.sheets import CARD, TABLES, fresh

BOW, STERN, PORT, STARBOARD = Quadrant.BOW, Quadrant.STERN, Quadrant.PORT, Quadrant.STARBOARD
E, F, D, A, Z = GunType.E, GunType.F, GunType.D, GunType.A, GunType.Z
BLANK, SHORT, EXTREME = RangeBand.POINT_BLANK, RangeBand.SHORT, RangeBand.EXTREME
MEDIUM_LOW, MEDIUM_HIGH = RangeBand.MEDIUM_LOW, RangeBand.MEDIUM_HIGH
QUARTERS = {"G": 4, "F": 4, "E": 4, "D": 3, "C": 2, "B": 2, "A": 1, "Z": 1}


HELD = Message("advanced.effect.no_effect.armour-held", turret="")
SPARED = Message("advanced.effect.no_effect.control-spared", turret="")
NOTHING_MORE = Message("advanced.effect.no_effect.nothing-more", turret="")


def turret_place(turret: str) -> Message:
    return Message("advanced.place.turret", turret=turret)


def boxes_of(code: str, boxes: str, n: int = 1) -> Message:
    """Boxes marked, such as "½"; `n` is 2 where they are more than one."""
    return Message(f"advanced.effect.{code}", boxes=boxes, n=n)


def several(first: Message, rest: Message) -> Message:
    return Message("advanced.effect.more", first=first, rest=rest)


def hit(
    target: str | Vessel,
    dice: str,
    gun: GunType = F,
    band: RangeBand = SHORT,
    aspect: Quadrant = PORT,
    *,
    card: CombatTables = CARD,
    radar: bool = False,
    lost_before: LostTurrets | None = None,
) -> tuple[Vessel, HitReport]:
    """One hit with exactly these dice; the report must have recorded them all, in order."""
    typed = TypedDice(dice)
    before = fresh(target) if isinstance(target, str) else target
    after, report = resolve_hit(
        Shell(gun, band, aspect),
        before,
        typed,
        card,
        radar_lost_with_superstructure=radar,
        lost_before=lost_before,
    )
    typed.finish()
    assert report.dice == tuple(dice.split())
    return after, report


def owners(**cells: str) -> CombatTables:
    """The card with the owner's values for row 12 of the broadside section."""
    values = {("damage_broadside", "12", column): value for column, value in cells.items()}
    return CombatTables.of(TABLES.with_overlay(Overlay("bismarck-advanced", values)))
