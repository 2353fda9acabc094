"""Fires of a battle as panels of a check."""

from collections.abc import Sequence

from combat.modifiers import Modifier
from combat.previews import MountInfo, Preview
from combat.provenance import Provenance
from combat.story_entries import FireDocument
from combat.views import BatteryOption, CheckedFire
from tabletop.messages import verbatim
from web.checks.check_view import Explanation, explanation_of_preview
from web.checks.rule_answers import Answer


def answer_to_option(battery: BatteryOption) -> Answer:
    """The fire of all guns of a battery that bear, as an answer."""
    preview = Preview(
        battery=battery.battery,
        mounts=tuple(MountInfo(each.name, each.guns, each.bears) for each in battery.mounts),
        factor=battery.factor,
        factor_reference=verbatim(battery.factor_reference),
        ledger=battery.ledger,
        total=battery.modifier_total or 0,
        provenance=_worst(battery.ledger),
        forbidden=battery.why_not or None,
        rule=battery.reference,
        factor_label=battery.factor_label,
        total_label=battery.total_label,
    )
    return Answer(preview, battery.forecast)


def answer_to_fire(fire: CheckedFire) -> Answer:
    """One fire of a checked order, as an answer."""
    preview = Preview(
        battery=fire.battery,
        mounts=(),
        factor=fire.factor,
        factor_reference=verbatim(fire.factor_reference),
        ledger=fire.ledger,
        total=fire.modifier_total or 0,
        provenance=_worst(fire.ledger),
    )
    return Answer(preview, fire.forecast)


def why_of_fire(fire: FireDocument, reference: str) -> Explanation:
    """The calculation behind a fire of a battle."""
    return explanation_of_preview(
        Preview(
            battery=fire.battery,
            mounts=(),
            factor=fire.gunnery_factor,
            factor_reference=verbatim(reference),
            ledger=fire.modifiers,
            total=fire.modifier_total,
            provenance=_worst(fire.modifiers),
        )
    )


def _worst(ledger: Sequence[Modifier]) -> Provenance:
    found = [modifier.provenance for modifier in ledger]
    return Provenance.worst(found) if found else Provenance.PRINTED
