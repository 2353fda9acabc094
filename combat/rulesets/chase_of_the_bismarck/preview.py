"""An attack before any die is thrown: what bears, how many dice, and the ledger."""

from combat.modifiers import Ledger
from combat.provenance import Provenance
from combat.report import MountInfo, Preview
from combat.rulesets.chase_of_the_bismarck.shot import (
    Forbidden,
    Shot,
    Weapon,
    cards_behind,
    dice_of,
    factors_bearing,
    ledger_of,
)
from combat.rulesets.chase_of_the_bismarck.tabledata import PARTS
from combat.tables import TableSet


def preview_shot(shot: Shot, tables: TableSet) -> Preview:
    """What there is to show of an attack before it is rolled."""
    factor, ledger, forbidden, rule = None, Ledger(()), "", ""
    try:
        factor, ledger = dice_of(shot, tables), ledger_of(shot, tables)
    except Forbidden as error:
        forbidden, rule = error.reason, error.rule
    return Preview(
        battery=shot.weapon,
        mounts=_mounts(shot, tables),
        factor=factor,
        factor_reference="10, Naval Combat Table" if shot.weapon is Weapon.GUNS else "9",
        ledger=ledger.modifiers,
        total=ledger.total,
        provenance=Provenance.worst(
            (cards_behind(shot, tables), *(line.provenance for line in ledger))
        ),
        forbidden=forbidden,
        rule=rule,
    )


def _mounts(shot: Shot, tables: TableSet) -> tuple[MountInfo, ...]:
    """The parts of the card with factors left; a torpedo marker counts as one."""
    if shot.firer is None:
        return ()
    if shot.weapon is Weapon.TORPEDOES:
        in_reach = tables["ranges"].text(shot.range, "torpedoes") == "yes"
        return (MountInfo("torpedoes", shot.torpedoes_left, in_reach),)
    bearing = factors_bearing(shot, tables)
    left = {part: shot.firer.left(part) for part in PARTS}
    return tuple(MountInfo(part, count, part in bearing) for part, count in left.items() if count)
