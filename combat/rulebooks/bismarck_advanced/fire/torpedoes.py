"""Torpedoes: plotted and launched before the move, resolved one or two phases later.

`launch` makes the plot and the marker (69.1–69.5), `find_receiver` finds the ship that the salvo
hits (69.6), and `resolve_salvo` rolls on the tables of the Intermediate Game (69.2, 69.3, 69.7,
72).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from combat.dice import FACES, LAST_INDEX, Dice, Pair, base_six
from combat.modifiers import Ledger, Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.conversion import (
    Hexes,
    Rate,
    evasion_rating,
    hexes_apart,
)
from combat.rulebooks.bismarck_advanced.fire import torpedo_damage
from combat.rulebooks.bismarck_advanced.fire.torpedo_damage import HullDamage
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.rulebooks.bismarck_data.table_files import SALVO_SIZES, TORPEDO_EVASIONS, salvo_size
from combat.tables import Cell, TableSet
from tabletop.arcs import Arcs, Quadrant
from tabletop.closecall import CloseCall, CloseCallKind
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.rules import TableRules
from tabletop.sight import SightRule
from tabletop.survey import Blocker, survey
from tabletop.table import Base, Model, Pose, Table

DODGING: Final = -9
"""Added once to the white die if the target combs the tracks, weaves, or both (69.7)."""
PHASES_BY_HEXES: Final = {Hexes.ONE: 0, Hexes.TWO: 1}
"""The number of combat phases before the salvo is resolved, by range in hexes (69.4)."""
_POINT: Final = Base(1.0, 1.0)
"""A launch marker is measured from its centre and blocks no line."""


@dataclass(frozen=True, slots=True)
class Salvo:
    """Torpedoes in the water, and their launch marker (69.4, 69.5)."""

    launcher: str
    target: str
    torpedoes: int
    marker: Pose
    """The ship's pose when the movement resolution began; it stays until the salvo is due."""
    range_yards: float
    """The range to the target at the plot, which decides the delay and the half of the table."""
    hexes: Hexes
    plotted: CombatPhase
    """The combat phase that the plot was written for."""
    due: CombatPhase

    @property
    def marker_name(self) -> str:
        """The name of the launch marker on the table."""
        return f"launch marker of {self.launcher}"


@dataclass(frozen=True, slots=True)
class SalvoTarget:
    """The ship that a salvo hits when it is due, and its direction (69.6, 69.7)."""

    receiver: str | None
    """None if the target is gone and no other ship is on the line."""
    in_the_way: tuple[Blocker, ...]
    """Every ship between marker and target, the nearest first."""
    from_quadrant: Quadrant | None
    """The receiver's quadrant that the marker lies in; None if she is on the marker."""
    why: Message
    close_calls: tuple[CloseCall, ...] = ()
    rule: str = "69.6"


@dataclass(frozen=True, slots=True)
class TorpedoReport:
    """The report of one salvo; its damage counts when all fire is resolved (19.6)."""

    salvo: Salvo
    reception: SalvoTarget
    ledger: Ledger
    """In steps of the roll: one of the coloured die is six."""
    dice: Pair | None
    """None if no dice are needed: every roll gives the same hits, or the receiver is sunk."""
    row: str | None
    """The table's row, limited to its first and last."""
    column: str
    hits: int
    hit_reports: tuple[HullDamage, ...]
    receiver_after: Vessel
    provenance: Provenance
    sunk_before: bool = False
    """Whether the receiver was sunk by other fire of this segment, so that nothing is rolled."""


def check_launch(
    vessel: Vessel, target: Vessel, range_yards: float, tables: TableSet, *, blocked: bool = False
) -> Hexes:
    """The range in hexes of the torpedo tables. Raises Forbidden if she may not fire.

    A ship's base on the line hides the target (67.51). Smoke does not: it affects only gunfire.
    """
    if vessel.name == target.name:
        raise Forbidden(
            Message("advanced.forbidden.torpedo_herself", ship=ShipRef(vessel.name)), "69.1"
        )
    for ship in (vessel, target):
        if ship.is_sunk:
            raise Forbidden(Message("advanced.forbidden.sunk", ship=ShipRef(ship.name)), "64.8")
    strength = vessel.warship.torpedoes
    if not strength:
        raise Forbidden(
            Message("advanced.forbidden.no_torpedoes", ship=ShipRef(vessel.name)), "69.1"
        )
    if strength < SALVO_SIZES[0]:
        raise Forbidden(Message("advanced.forbidden.salvo_too_small", least=SALVO_SIZES[0]), "69.2")
    if vessel.torpedoes_fired:
        raise Forbidden(
            Message("advanced.forbidden.torpedoes_fired", ship=ShipRef(vessel.name)), "19.3"
        )
    hexes = hexes_apart(range_yards, tables)
    if hexes is None:
        farthest = tables["conversions"].integer("two_hexes_yards", "value")
        raise Forbidden(
            Message(
                "advanced.forbidden.beyond_torpedoes",
                ship=ShipRef(target.name),
                range_yards=range_yards,
                farthest=farthest,
            ),
            "69.1",
        )
    if blocked:
        raise Forbidden(
            Message(
                "advanced.forbidden.torpedoes_blocked",
                target=ShipRef(target.name),
                ship=ShipRef(vessel.name),
            ),
            "69.1",
        )
    return hexes


def launch(
    vessel: Vessel,
    target: Vessel,
    pose: Pose,
    range_yards: float,
    phase: CombatPhase,
    tables: TableSet,
    *,
    blocked: bool = False,
) -> tuple[Vessel, Salvo]:
    """Plot a salvo before the move of a phase; returns the ship with empty tubes, and the salvo.

    Range, sight and pose are those before the move: the launch marker is placed under the ship as
    the movement resolution begins (69.4, 69.5). From then on the torpedoes are independent of the
    ship that fired them.
    """
    hexes = check_launch(vessel, target, range_yards, tables, blocked=blocked)
    salvo = Salvo(
        launcher=vessel.name,
        target=target.name,
        torpedoes=vessel.warship.torpedoes,
        marker=pose,
        range_yards=range_yards,
        hexes=hexes,
        plotted=phase,
        due=phase.later(PHASES_BY_HEXES[hexes]),
    )
    return replace(vessel, torpedoes_fired=True), salvo


def due_in(salvos: Iterable[Salvo], phase: CombatPhase) -> tuple[Salvo, ...]:
    """The salvos that are resolved in a combat phase (69.4)."""
    return tuple(salvo for salvo in salvos if salvo.due == phase)


def find_receiver(salvo: Salvo, table: Table, arcs: Arcs | None = None) -> SalvoTarget:
    """The ship that a salvo hits: the first other ship on its line, or else the target (69.6).

    The table is that of the combat phase, without sunk and withdrawn ships. The line runs from the
    launch marker to the target; any base that it touches is on it, friend or foe, except that of
    the ship that fired.
    """
    others = tuple(model for model in table.models if model.name != salvo.launcher)
    if salvo.target not in (model.name for model in others):
        why = Message("advanced.torpedo.line.gone", target=ShipRef(salvo.target))
        return SalvoTarget(None, (), None, why)
    marker = Model(salvo.marker_name, salvo.marker, _POINT)
    # The whole line counts, whatever the range: a SightRule without limits.
    rules = TableRules(arcs or Arcs(), SightRule())
    seen = survey(Table((marker, *others)), rules)
    line = seen[marker.name, salvo.target]
    receiver = line.blockers[0].name if line.blockers else salvo.target
    approach = seen[marker.name, receiver]
    if line.blockers:
        why = Message(
            "advanced.torpedo.line.taken",
            ship=ShipRef(receiver),
            yards=line.blockers[0].at_yards,
            target=ShipRef(salvo.target),
        )
    else:
        why = Message("advanced.torpedo.line.clear", target=ShipRef(salvo.target))
    doubts = [call for call in line.close_calls if call.what is CloseCallKind.SIGHT]
    doubts += [call for call in approach.close_calls if call.what is CloseCallKind.ASPECT]
    return SalvoTarget(receiver, line.blockers, approach.aspect, why, tuple(doubts))


def resolve_salvo(
    salvo: Salvo,
    reception: SalvoTarget,
    receiver: Vessel,
    evolution: Evolution,
    dice: Dice,
    tables: TableSet,
    *,
    receiver_now: Vessel | None = None,
    spare_dice: bool = False,
) -> TorpedoReport:
    """Roll for a salvo that is due, and for the damage of each hit.

    The receiver is in her state at the start of the phase, because torpedoes are simultaneous with
    gunfire (19.2, 19.6); `receiver_now` has the marks of this phase. With `spare_dice` nothing is
    rolled that cannot change anything.
    """
    if reception.receiver != receiver.name:
        raise DreyerError(
            "advanced.torpedo.not_her",
            receiver=ShipRef(reception.receiver or ""),
            ship=ShipRef(receiver.name),
        )
    ledger = modifications(reception, receiver, evolution, tables)
    ship, column = receiver_now or receiver, column_of(salvo)
    roll, row, reports = None, None, []
    sunk_before = spare_dice and ship.is_sunk
    certainty = [salvo_provenance(salvo, ledger)]
    hits = 0 if sunk_before else sure_hits(column, ledger.total, tables) if spare_dice else None
    if hits is None:
        roll = dice.pair(Message("advanced.roll.torpedoes", ship=ShipRef(salvo.launcher)))
        row = _row(roll.index, ledger.total)
        cell = tables["torpedo_hits"].cell(row, column)
        hits = int(cell.value)
        certainty.append(cell.provenance)
    for number in range(1, hits + 1):
        hit = Message("advanced.hit_number.torpedo", number=number)
        ship, report = torpedo_damage.resolve_hit(
            ship, dice, tables, hit=hit, spare_dice=spare_dice
        )
        reports.append(report)
        certainty.append(report.provenance)
    return TorpedoReport(
        salvo=salvo,
        reception=reception,
        ledger=ledger,
        dice=roll,
        row=row,
        column=column,
        hits=len(reports),
        hit_reports=tuple(reports),
        receiver_after=ship,
        provenance=Provenance.worst(certainty),
        sunk_before=sunk_before,
    )


def sure_hits(column: str, total: int, tables: TableSet) -> int | None:
    """The hits of a salvo where every roll gives the same; None where it matters what is rolled."""
    hits = {int(cell.value) for cell in cells_read(column, total, tables)}
    return hits.pop() if len(hits) == 1 else None


def torpedo_odds(column: str, total: int, tables: TableSet) -> dict[int, float]:
    """The probability of each number of hits of a salvo, over all 36 rolls.

    They depend only on its column of the table and the sum of its ledger.
    """
    counts = Counter(int(cell.value) for cell in cells_read(column, total, tables))
    return {hits: count / LAST_INDEX for hits, count in sorted(counts.items())}


def cells_read(column: str, total: int, tables: TableSet) -> Iterator[Cell]:
    """The cell that each of the 36 rolls leads to."""
    for index in range(1, LAST_INDEX + 1):
        yield tables["torpedo_hits"].cell(_row(index, total), column)


def column_of(salvo: Salvo) -> str:
    """The column of the torpedo table for a salvo; a strength without one has the next lower."""
    return f"{salvo.hexes} {salvo_size(salvo.torpedoes)}"


def salvo_provenance(salvo: Salvo, ledger: Ledger) -> Provenance:
    """The least certain of what is known of a salvo before its roll."""
    certainty = [modifier.provenance for modifier in ledger]
    if salvo.torpedoes not in SALVO_SIZES:
        certainty.append(Provenance.RECONSTRUCTED)
    return Provenance.worst(certainty)


def modifications(
    reception: SalvoTarget, receiver: Vessel, evolution: Evolution, tables: TableSet
) -> Ledger:
    """The modifiers of the roll: the receiver's evasion, and whether she dodges (69.2, 69.7)."""
    evasion = evasion_rating(receiver.movement_factor, tables)
    cell = _evasion_cell(evasion, tables)
    rate = tables["conversions"].cell(Rate.EVASION_FACTOR, "value")
    coloured = int(cell.value)
    by_evasion = Modifier(
        "evasion",
        coloured * FACES,
        Message(
            "advanced.torpedo.modifier.evasion",
            factor=receiver.movement_factor,
            evasion=evasion,
            value=coloured,
        ),
        f"{cell.reference}; 72.2",
        Provenance.worst((cell.provenance, rate.provenance)),
    )
    return Ledger((by_evasion, _dodging(reception.from_quadrant, evolution)))


def _dodging(marker_in: Quadrant | None, evolution: Evolution) -> Modifier:
    """69.7: she combs the tracks, weaves, or both; it counts once."""
    combs = marker_in is not None and not marker_in.is_broadside
    quadrant = Message(f"advanced.quadrant.{marker_in}")
    # 67.33 distinguishes weaving from salvo chasing, and 69.7 names only weaving.
    weaves = evolution is Evolution.WEAVING
    value = DODGING if combs or weaves else 0
    if combs and weaves:
        label = Message("advanced.torpedo.modifier.comb_and_weave", quadrant=quadrant, value=value)
    elif combs:
        label = Message("advanced.torpedo.modifier.comb", quadrant=quadrant, value=value)
    elif weaves:
        label = Message("advanced.torpedo.modifier.weave", value=value)
    else:
        label = Message("advanced.torpedo.modifier.no_dodge")
    return Modifier("dodging", value, label, "69.7", Provenance.PRINTED)


def _evasion_cell(evasion: int, tables: TableSet) -> Cell:
    """The row whose range includes an evasion rating; the last row has no upper limit."""
    table = tables["torpedo_evasion"]
    return table.cell(TORPEDO_EVASIONS.name_of(evasion), table.columns[0])


def _row(index: int, total: int) -> str:
    """The row of a roll with its modifications; the first or last where they leave the table."""
    return base_six(min(max(index + total, 1), LAST_INDEX))
