"""What the rulebook says of a fire in a battle, as the check and its panels know answers."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any, Final, TypeVar

from combat.battle import StepKind
from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.provenance import Provenance
from combat.report import Facts, MountInfo, Preview
from combat.showing import BatteryOption, TargetOption
from tabletop.arcs import Quadrant
from web.battle.now import BattleNow
from web.checks.sheet import Why, why_of_preview
from web.checks.shots import Answer

Json = Mapping[str, Any]
_KEPT: Final = 64
_LOCK: Final = Lock()
_ANSWERS: "OrderedDict[tuple[object, ...], tuple[Any, Any]]" = OrderedDict()

Found = TypeVar("Found")


def kept(battle: BattleNow, key: tuple[str | None, ...], find: Callable[[], Found]) -> Found:
    """What was found for this very state of a battle; found once, since phones ask alike."""
    place = id(battle.state), *key
    with _LOCK:
        known = _ANSWERS.get(place)
    # The state is kept beside its number, so that no other state can have the same one.
    if known is not None and known[0] is battle.state:
        answer: Found = known[1]
        return answer
    answer = find()
    with _LOCK:
        _ANSWERS[place] = battle.state, answer
        while len(_ANSWERS) > _KEPT:
            _ANSWERS.popitem(last=False)
    return answer


def options_of(battle: BattleNow, side: str | None, ship: str) -> tuple[TargetOption, ...]:
    """What a ship could fire at."""
    return kept(
        battle,
        ("options", side, ship),
        lambda: battle.rules.fire_options(battle.state, side, ship, battle.tables),
    )


def may_designate(battle: BattleNow, side: str | None, ship: str) -> bool:
    """Whether a side, or the umpire, gives fire orders to a ship now."""
    if battle.step.kind is not StepKind.DESIGNATE:
        return False
    view = battle.rules.view(battle.state, side, sees_all=side is None)
    return any(
        each["id"] == ship and each["yours"] and each["status"] == "in action"
        for each in view["ships"]
    )


def ledger_of(rows: Iterable[Json]) -> tuple[Modifier, ...]:
    """A ledger that came as JSON."""
    return tuple(
        Modifier(
            number=row["number"],
            value=row["value"],
            label=row["label"],
            reference=row["reference"],
            provenance=Provenance(row["provenance"]),
        )
        for row in rows
    )


def forecast_of(document: Json | None) -> Forecast | None:
    """Odds that came as JSON."""
    if document is None:
        return None
    return Forecast(
        hits={int(number): chance for number, chance in document["hits"].items()},
        outcomes=document["outcomes"],
        expected_boxes=document["expected_boxes"],
    )


def facts_of(option: TargetOption, firer: tuple[str, str], target_type: str) -> Facts:
    """A line of fire as plain facts; a pair on one spot has no bearing and is read as ahead."""
    return Facts(
        firer=firer[0],
        firer_type=firer[1],
        target=option.target,
        target_type=target_type,
        range_yards=option.range_yards,
        quadrant=Quadrant(option.quadrant or Quadrant.BOW),
        aspect=Quadrant(option.aspect or Quadrant.BOW),
        blocked=option.blocked,
        smoke=option.smoke,
    )


def answer_to_option(battery: BatteryOption) -> Answer:
    """All that bears of a battery, as an answer with her present state in it."""
    return _answer(
        Preview(
            battery=battery.battery,
            mounts=tuple(MountInfo(each.name, each.guns, each.bears) for each in battery.mounts),
            factor=battery.factor,
            factor_reference=battery.factor_reference,
            ledger=ledger_of(battery.ledger),
            total=battery.modifier_total or 0,
            provenance=_worst(battery.ledger),
            forbidden=battery.why_not,
            rule=battery.reference,
        ),
        battery.forecast,
    )


def answer_to_fire(fire: Json) -> Answer:
    """One fire of a checked order, as an answer."""
    return _answer(
        Preview(
            battery=fire["battery"],
            mounts=(),
            factor=fire["factor"],
            factor_reference=fire["factor_reference"],
            ledger=ledger_of(fire["ledger"]),
            total=fire["modifier_total"] or 0,
            provenance=_worst(fire["ledger"]),
        ),
        fire["forecast"],
    )


def why_of_document(document: Json, reference: str) -> Why:
    """The sum behind a fire that the battle tells of."""
    return why_of_preview(
        Preview(
            battery=document["battery"],
            mounts=(),
            factor=document["gunnery_factor"],
            factor_reference=reference,
            ledger=ledger_of(document["modifiers"]),
            total=document["modifier_total"],
            provenance=_worst(document["modifiers"]),
        )
    )


def _answer(preview: Preview, forecast: Json | None) -> Answer:
    return Answer(preview, forecast_of(forecast))


def _worst(ledger: Iterable[Json]) -> Provenance:
    found = [Provenance(row["provenance"]) for row in ledger]
    return Provenance.worst(found) if found else Provenance.PRINTED
