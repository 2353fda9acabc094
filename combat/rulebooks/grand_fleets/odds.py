"""The exact odds of attacks on one ship, or of a roll.

Hits and hull boxes add up, so the odds of many dice are convolutions of those of one die; single
dice and damage checks are played by the code that resolves them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from combat.actions import Action
from combat.dice import Dice
from combat.distributions import Counts, Odds, chance, convolve_all, convolve_repeated, odds_of
from combat.forecast import Forecast
from combat.free_play import Attempt
from combat.rulebooks.grand_fleets.actions import DamageCheck, Order
from combat.rulebooks.grand_fleets.attack import AnyAttack, TorpedoLaunch
from combat.rulebooks.grand_fleets.card import GUNS, TORPEDOES, Tube
from combat.rulebooks.grand_fleets.damage import (
    ENGINES,
    CheckedPart,
    check_part,
    series_due,
    torpedo_part,
    with_hull_damage,
)
from combat.rulebooks.grand_fleets.gunnery import hits_on
from combat.rulebooks.grand_fleets.rolls import PLAYERS, low_message, play_roll
from combat.rulebooks.grand_fleets.torpedoes import boxes_of, damage_dice, is_hit, torpedoes_of
from combat.rulebooks.grand_fleets.vessel import Health, Vessel
from combat.rulebooks.grand_fleets.volley import strength_of, sum_of
from combat.tables import TableSet
from tabletop.messages import NO_WORDS, Message

Shares = Mapping[int, float]
"""The probability of each number."""


def forecast_attacks(attacks: Sequence[AnyAttack], tables: TableSet) -> Forecast:
    """The odds of the combined effect of all attacks on their target."""
    target = attacks[0].target
    hits: dict[int, float] = defaultdict(float)
    boxes: dict[int, float] = defaultdict(float)
    for (number, taken), share in convolve_all(
        _attack(attack, tables) for attack in attacks
    ).items():
        hits[number] += share
        boxes[min(taken, target.hull_left)] += share
    healths: dict[Health, float] = defaultdict(float)
    series: dict[int, float] = defaultdict(float)
    for taken, share in boxes.items():
        ship = with_hull_damage(target, taken)
        healths[ship.health] += share
        series[series_due(target, ship) if attacks[0].action.checks else 0] += share
    lost = _lost_parts(target, series, tables)
    stages = tuple(Health)
    worse = stages[stages.index(target.health) + 1 :]
    return Forecast(
        hits=dict(sorted(hits.items())),
        outcomes={
            **{
                stage.value: fsum(healths[each] for each in worse[place:])
                for place, stage in enumerate(worse)
            },
            "hull_hit": chance(boxes, bool),
            **_damaged(lost),
        },
        expected_boxes=_expected({"hull": boxes, **lost}),
        titles=_titles(lost),
    )


def forecast_roll(roll: Attempt[Action, Vessel], tables: TableSet) -> Forecast:
    """The odds of every result of a roll, the likeliest first."""
    if isinstance(roll.action, DamageCheck):
        lost = _lost_parts(roll.actor, {1: 1.0}, tables)
        return Forecast({0: 1.0}, _damaged(lost), _expected(lost), titles=_titles(lost))
    if isinstance(roll.action, Order):
        # Equal dice are rolled again without end, so this is not computed by playing; both are
        # equally likely.
        results = {low_message(player): 0.5 for player in PLAYERS}
    else:
        results = odds_of(lambda dice: play_roll(roll, dice, tables).result)
    ranked = sorted(results.items(), key=lambda each: (-each[1], str(each[0])))
    return Forecast({0: 1.0}, {}, {}, results=dict(ranked))


def _attack(attack: AnyAttack, tables: TableSet) -> Odds:
    """The odds of hits and hull boxes."""
    strength = strength_of(attack, tables)
    modifier, enough = strength.ledger.total, attack.target.hull_left
    if not isinstance(attack, TorpedoLaunch):
        lowest = hits_on(attack, modifier, tables)
        return convolve_repeated(
            odds_of(lambda dice: (int(dice.die(NO_WORDS) >= lowest),) * 2), strength.factor
        )
    damage = torpedoes_of(attack).damage

    def one(dice: Dice) -> tuple[int, int]:
        if not is_hit(sum_of(dice.pair(NO_WORDS)), modifier, tables):
            return 0, 0
        # Sixes could go on without end; beyond the last hull box they have no effect.
        return 1, min(enough, boxes_of(damage_dice(damage, dice, enough), damage))

    return convolve_repeated(odds_of(one), strength.factor)


def _lost_parts(target: Vessel, series: Shares, tables: TableSet) -> dict[str, Shares]:
    """The odds of the losses by damage checks of each part that has boxes left."""
    left: dict[str, int] = {ENGINES: len(target.card.speed) - target.marks.speed_lost}
    left |= {part: len(target.dice_left(part)) for part in target.card.dice_boxes}
    lost = {part: _lost(part, series, tables, boxes) for part, boxes in left.items() if boxes > 0}
    torpedoes = sum(target.torpedoes_left().values())
    if torpedoes:
        # Each torpedo has its own die, and those of every box are equally likely to be lost.
        part = torpedo_part(Tube.EITHER)
        lost[TORPEDOES] = _lost(part, series, tables, 1, of_them=torpedoes)
    return lost


def _damaged(lost: Mapping[str, Shares]) -> dict[str, float]:
    return {_outcome(part): chance(shares, bool) for part, shares in lost.items()}


def _outcome(part: str) -> str:
    return "torpedoes_lost" if part == TORPEDOES else f"{part.replace(' ', '_')}_damaged"


def _titles(lost: Iterable[str]) -> dict[str, Message]:
    return {
        _outcome(part): Message("grand_fleets.forecast.battery_damaged", number=number)
        for number, part in enumerate(GUNS, start=1)
        if part in lost
    }


def _expected(boxes: Mapping[str, Shares]) -> dict[str, float]:
    return {
        part: fsum(count * share for count, share in shares.items())
        for part, shares in boxes.items()
    }


def _lost(part: str, series: Shares, tables: TableSet, left: int, of_them: int = 1) -> Shares:
    """The odds of the losses by series of checks, for parts with a number of boxes left."""
    die: Odds = odds_of(lambda dice: _marks(check_part(part, NO_WORDS, dice, tables)))
    odds: dict[int, float] = defaultdict(float)
    for count, share in series.items():
        one: dict[Counts, float] = defaultdict(float)
        for (taken,), likely in convolve_repeated(die, count).items():
            one[min(taken, left),] += likely
        for (taken,), likely in convolve_repeated(one, of_them).items():
            odds[taken] += share * likely
    return odds


def _marks(check: CheckedPart) -> Counts:
    return (check.boxes,)
