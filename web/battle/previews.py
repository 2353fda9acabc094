"""A fire of a battle as the panels of a check show it."""

from collections.abc import Sequence

from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.report import Facts, MountInfo, Preview
from combat.story import FireDocument
from combat.views import BatteryOption, CheckedFire, TargetOption
from tabletop.arcs import Quadrant
from web.checks.sheet import Why, why_of_preview
from web.checks.shots import Answer


def facts_of(option: TargetOption, firer: tuple[str, str], target_type: str) -> Facts:
    """A line of fire as plain facts; a pair on one spot has no bearing and is read as ahead."""
    return Facts(
        firer=firer[0],
        firer_type=firer[1],
        target=option.target,
        target_type=target_type,
        range_yards=option.range_yards,
        quadrant=option.quadrant or Quadrant.BOW,
        aspect=option.aspect or Quadrant.BOW,
        blocked=option.blocked,
        smoke=option.smoke,
    )


def answer_to_option(facts: Facts, battery: BatteryOption) -> Answer:
    """All that bears of a battery, as an answer with her present state in it."""
    preview = Preview(
        battery=battery.battery,
        mounts=tuple(MountInfo(each.name, each.guns, each.bears) for each in battery.mounts),
        factor=battery.factor,
        factor_reference=battery.factor_reference,
        ledger=battery.ledger,
        total=battery.modifier_total or 0,
        provenance=_worst(battery.ledger),
        forbidden=battery.why_not,
        rule=battery.reference,
    )
    return Answer(facts, preview, battery.forecast)


def answer_to_fire(facts: Facts, fire: CheckedFire) -> Answer:
    """One fire of a checked order, as an answer."""
    preview = Preview(
        battery=fire.battery,
        mounts=(),
        factor=fire.factor,
        factor_reference=fire.factor_reference,
        ledger=fire.ledger,
        total=fire.modifier_total or 0,
        provenance=_worst(fire.ledger),
    )
    return Answer(facts, preview, fire.forecast)


def why_of_fire(fire: FireDocument, reference: str) -> Why:
    """The sum behind a fire that the battle tells of."""
    return why_of_preview(
        Preview(
            battery=fire.battery,
            mounts=(),
            factor=fire.gunnery_factor,
            factor_reference=reference,
            ledger=fire.modifiers,
            total=fire.modifier_total,
            provenance=_worst(fire.modifiers),
        )
    )


def _worst(ledger: Sequence[Modifier]) -> Provenance:
    found = [modifier.provenance for modifier in ledger]
    return Provenance.worst(found) if found else Provenance.PRINTED
