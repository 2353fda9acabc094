"""The Combat Phase: what a ship could fire at, and the shots that she declares."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from combat.actions import ActionOffer, ShipAtShip
from combat.previews import Forbidden, Preview
from combat.range_limits import pair_limits
from combat.rulebooks.grand_fleets.actions import Gunfire, TorpedoAttack
from combat.rulebooks.grand_fleets.card import TORPEDOES, GunBattery
from combat.rulebooks.grand_fleets.guided_battle.actions import DeclareFire
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState, ShotRoll
from combat.rulebooks.grand_fleets.guided_battle.table import (
    line_of_fire,
    survey_of,
    whole_yards,
)
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.table_files import YARDS_A_KYD
from combat.rulebooks.grand_fleets.vessel import Marks
from combat.rulebooks.grand_fleets.volley import fired_marks
from combat.views import BatteryOption, MountOption, TargetOption
from tabletop.closecall import RangeLimit
from tabletop.errors import UnknownName
from tabletop.messages import NO_WORDS, Message, ShipRef
from tabletop.rules import TableRules
from tabletop.rulings import SettledPair
from tabletop.survey import PairLimits

if TYPE_CHECKING:
    from combat.free_play import FreeRulebook

RULE = "The Combat Phase"


def attack_on(
    state: FleetState, line: SettledPair, battery: str, torpedoes: int = 0
) -> Gunfire | TorpedoAttack:
    """A battery along a line of fire, as free play has it; Forbidden where nothing bears."""
    if line.quadrant is None or line.aspect is None:
        on_one_spot = Message("grand_fleets.refused.one_spot", ship=ShipRef(line.target))
        raise Forbidden(on_one_spot, "Firing Arc")
    yards = whole_yards(line.range_yards)
    if battery == TORPEDOES:
        return TorpedoAttack(
            by=line.firer,
            at=line.target,
            range_yards=yards,
            quadrant=line.quadrant,
            aspect=line.aspect,
            blocked=line.blocked,
            torpedoes=torpedoes,
        )
    return Gunfire(
        kind=cast("GunBattery", battery),
        by=line.firer,
        at=line.target,
        range_yards=yards,
        quadrant=line.quadrant,
        aspect=line.aspect,
        blocked=line.blocked,
        extreme=state.options.extreme_range,
        split=state.options.split_fire,
    )


def batteries_of(state: FleetState, ship: str, free: GrandFleetsRulebook) -> dict[str, ActionOffer]:
    """The gun batteries and torpedoes on a ship's card, by their keys."""
    return {
        offer.kind: offer
        for offer in free.offers(state.ship(ship).type)
        if issubclass(offer.info.type, ShipAtShip)
    }


def declared(
    state: FleetState, action: DeclareFire, free: GrandFleetsRulebook, rules: TableRules
) -> tuple[ShotRoll, ...]:
    """The shots of a ship, each allowed by the rules before any die has fallen."""
    measured = survey_of(state, rules)
    offers = batteries_of(state, action.ship, free)
    enemies = enemies_of(state, action.ship)
    shots, tried = [], state.free
    for shot in action.shots:
        if shot.battery not in offers:
            raise UnknownName(Message("errors.where.battle"), "battery", shot.battery, offers)
        if shot.target not in enemies:
            raise UnknownName(Message("errors.where.battle"), "target", shot.target, enemies)
        line = line_of_fire(state, measured, rules, action.ship, shot.target)
        attack = attack_on(state, line, shot.battery, shot.torpedoes)
        attempt = free.attempt(tried, attack)
        free.strength(attempt)
        # A battery fires once and all torpedoes at one target: what is declared counts as fired.
        if (volley := free.attack(attempt)) is not None:
            fired = partial(_replaced, fired_marks(volley, tried.marks[action.ship]))
            tried = tried.with_marks(action.ship, fired, fired)
        shots.append(ShotRoll(attack, offers[shot.battery].title))
    return tuple(shots)


def _replaced(marks: Marks, before: Marks | None) -> Marks:  # noqa: ARG001 - as marks are changed
    return marks


def enemies_of(state: FleetState, ship: str) -> tuple[str, ...]:
    """The enemy's ships in play."""
    side = state.ship(ship).side
    return tuple(each.name for each in state.models() if state.ship(each.name).side != side)


def may_fire(
    state: FleetState, ships: Collection[str], free: GrandFleetsRulebook, rules: TableRules
) -> frozenset[str]:
    """Those of these ships that have an enemy to fire at."""
    in_play = [ship for ship in ships if ship in state.placed and state.in_action(ship)]
    if not in_play:
        return frozenset()
    return frozenset(ship for ship in in_play if any(allowed_fires(state, ship, free, rules)))


def allowed_fires(
    state: FleetState, ship: str, free: GrandFleetsRulebook, rules: TableRules
) -> Iterator[tuple[str, str]]:
    """Each target and battery that a ship could fire with at her, nearest first; no odds."""
    measured = survey_of(state, rules)
    enemies = sorted(
        enemies_of(state, ship), key=lambda target: measured.summary(ship, target).range_yards
    )
    for target in enemies:
        line = line_of_fire(state, measured, rules, ship, target)
        for battery in batteries_of(state, ship, free):
            try:
                found = free.check(state.free, attack_on(state, line, battery))
            except Forbidden:
                continue
            # A battery that is shifted down to no dice may fire, to no end.
            if found.forbidden is None and found.factor:
                yield target, battery


def fire_options(
    state: FleetState, ship: str, free: GrandFleetsRulebook, rules: TableRules
) -> tuple[TargetOption, ...]:
    """What a ship could fire at, nearest first."""
    measured = survey_of(state, rules, band_limits_of(state, free))
    lines = [
        line_of_fire(state, measured, rules, ship, target) for target in enemies_of(state, ship)
    ]
    lines.sort(key=lambda line: line.range_yards)
    return tuple(
        TargetOption(
            target=line.target,
            range_yards=line.range_yards,
            range_sigma_yards=line.range_sigma_yards,
            segment=line.segment,
            quadrant=line.quadrant,
            aspect=line.aspect,
            blockers=tuple(blocker.name for blocker in line.blockers),
            smoke=line.smoke,
            close_calls=line.close_calls,
            batteries=tuple(_batteries(state, line, free)),
            blocked=line.blocked,
            agreed=_agreed(state, line),
        )
        for line in lines
    )


def band_limits_of(state: FleetState, free: GrandFleetsRulebook) -> PairLimits:
    """The ends of the range bands of a ship's batteries, towards her enemies (Range)."""
    known = pair_limits(
        cast("FreeRulebook[object]", free),
        state.cards,
        friends=[
            [ship.id for ship in state.free.ships if ship.side == side] for side in state.sides
        ],
    )

    def limits(firer: str, target: str) -> Sequence[RangeLimit]:
        card = state.cards[firer]

        def is_in_play(limit: RangeLimit) -> bool:
            guns = card.battery(limit.action)
            return guns is None or limit.yards <= guns.range[-1] * YARDS_A_KYD

        found = known(firer, target)
        if state.options.extreme_range:
            return found
        return tuple(limit for limit in found if is_in_play(limit))

    return limits


def _agreed(state: FleetState, line: SettledPair) -> Message:
    agreed = state.agreed.get((line.firer, line.target))
    if agreed is None:
        return NO_WORDS
    return Message("grand_fleets.battle.agreed", reason=agreed.reason, who=agreed.who)


def _batteries(
    state: FleetState, line: SettledPair, free: GrandFleetsRulebook
) -> Iterator[BatteryOption]:
    for key, offer in batteries_of(state, line.firer, free).items():
        try:
            attack = attack_on(state, line, key)
            found: Preview = free.check(state.free, attack)
        except Forbidden as error:
            found = Preview.refused(key, (), error)
        allowed = found.forbidden is None
        mounts = tuple(MountOption(mount.name, mount.guns, mount.bears) for mount in found.mounts)
        yield BatteryOption(
            battery=key,
            title=offer.title,
            mounts=mounts,
            guns_bearing=found.guns_bearing or (found.factor or 0),
            factor=found.factor,
            ammunition=sum(state.vessel(line.firer).torpedoes_left().values())
            if key == TORPEDOES
            else 0,
            cost=None,
            allowed=allowed,
            why_not=found.forbidden or NO_WORDS,
            reference=found.rule,
            ledger=found.ledger,
            modifier_total=found.total if allowed else None,
            forecast=free.forecast(state.free, [attack]) if allowed else None,
            factor_label=found.factor_label,
            total_label=found.total_label,
        )
