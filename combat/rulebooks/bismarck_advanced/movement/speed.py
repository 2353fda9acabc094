"""Speed: the choice of a ship's speed, and its changes by damage and collision (58, 59.1).

A `SpeedRecord` is carried from round to round; a `RoundSpeed` is the speed in a round. Both are
immutable.
"""

from dataclasses import dataclass, replace

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, MovementRules
from combat.rulebooks.bismarck_advanced.movement.plot import Plot
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.ships import ShipClass
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class SpeedReason:
    """The reason of a speed limit, and its rule."""

    why: Message
    rule: str

    @property
    def message(self) -> Message:
        """The reason with its rule."""
        return Message("errors.forbidden", reason=self.why, rule=self.rule)


class BadSpeed(DreyerError):
    """A speed that the rules forbid, with the limits and their reasons."""

    def __init__(self, speed: int, limits: "SpeedLimits") -> None:
        self.speed = speed
        self.limits = limits
        super().__init__("advanced.speed.not_open", speed=speed, limits=limits.message)


@dataclass(frozen=True, slots=True)
class SpeedRecord:
    """The values that determine a ship's speed in the next round."""

    movement_factor: int
    """Her movement factor after damage (58.2)."""
    previous_speed: int | None = None
    """The speed at the end of the previous round; None in the first round of a battle (58.7)."""
    collision_limit: int | None = None
    """The halved speed that applies until a whole round is moved at it or slower (59.1)."""

    def __post_init__(self) -> None:
        for value in (self.movement_factor, self.previous_speed, self.collision_limit):
            if value is not None and value < 0:
                raise DreyerError("advanced.speed.negative", found=repr(self))


@dataclass(frozen=True, slots=True)
class SpeedLimits:
    """The speeds that a ship may choose, and the reasons for the limits."""

    lowest: int
    highest: int
    lowest_reason: SpeedReason
    highest_reason: SpeedReason

    def __contains__(self, speed: int) -> bool:
        return self.lowest <= speed <= self.highest

    @property
    def message(self) -> Message:
        """The limits and their reasons."""
        highest_reason = self.highest_reason.message
        if self.lowest == self.highest:
            return Message("advanced.speed.only", speed=self.lowest, reason=highest_reason)
        return Message(
            "advanced.speed.open",
            lowest=self.lowest,
            highest=self.highest,
            lowest_reason=self.lowest_reason.message,
            highest_reason=highest_reason,
        )


@dataclass(frozen=True, slots=True)
class RoundSpeed:
    """A ship's speed in the current round, and the factors of its two moves."""

    speed: int
    initial_factors: int
    second_factors: int
    collision_limit: int | None = None
    """The limit after a collision in this round, for a whole round after it (59.1)."""
    changes: tuple[SpeedReason, ...] = ()
    """The reductions of her speed in this round, in order."""

    def factors(self, segment: Segment) -> int:
        """The factors that the plot of a segment must use exactly (58.3)."""
        return self.initial_factors if segment is Segment.INITIAL else self.second_factors


def halves(speed: int) -> tuple[int, int]:
    """The factors of the initial and of the second move; an odd one goes to the first (58.3)."""
    second = speed // 2
    return speed - second, second


def speed_limits(
    ship_class: ShipClass, record: SpeedRecord, rules: MovementRules = MOVEMENT
) -> SpeedLimits:
    """The speeds that a ship may choose at the beginning of a round."""
    lowest, lowest_reason = 0, SpeedReason(Message("advanced.speed.may_stop"), "58.1")
    highest = record.movement_factor
    highest_reason = SpeedReason(Message("advanced.speed.factor", factor=highest), "58.2")
    if record.collision_limit is not None and record.collision_limit < highest:
        highest = record.collision_limit
        highest_reason = SpeedReason(
            Message("advanced.speed.after_collision", speed=highest), "59.1"
        )
    if record.previous_speed is None or not rules.handling[ship_class].limited_acceleration:
        return SpeedLimits(lowest, highest, lowest_reason, highest_reason)
    most, previous = rules.acceleration_limit, record.previous_speed
    change = SpeedReason(
        Message("advanced.speed.change", ship_class=ship_class, previous=previous, most=most),
        "58.5",
    )
    if previous + most < highest:
        highest, highest_reason = previous + most, change
    if previous - most > lowest:
        lowest, lowest_reason = previous - most, change
    if lowest > highest:
        # If she cannot slow down to her limit in one round, she must come as near as she can.
        still_too_fast = SpeedReason(
            Message(
                "advanced.speed.still_too_fast",
                ship_class=ship_class,
                most=most,
                previous=previous,
                highest=highest,
            ),
            "58.6",
        )
        return SpeedLimits(lowest, lowest, still_too_fast, still_too_fast)
    return SpeedLimits(lowest, highest, lowest_reason, highest_reason)


def begin_round(
    ship_class: ShipClass, record: SpeedRecord, speed: int, rules: MovementRules = MOVEMENT
) -> RoundSpeed:
    """The round at the speed that a player chose. Raises BadSpeed."""
    limits = speed_limits(ship_class, record, rules)
    if speed not in limits:
        raise BadSpeed(speed, limits)
    return RoundSpeed(speed, *halves(speed))


def check_factors(plot: Plot, factors: int) -> None:
    """Raise if a plot uses more or fewer factors than the segment has (58.3).

    Followers need no check, because they run along the track as far as their factors allow (57.7).
    """
    if plot.factors is None or plot.factors == factors:
        return
    used = 0
    for order in plot.orders:
        used += order.factors
        if used > factors:
            raise BadPlot(
                plot.text,
                order.position,
                Message(
                    "advanced.plot.too_long",
                    used=plot.factors,
                    factors=factors,
                    excess=plot.factors - factors,
                ),
                "58.3",
            )
    raise BadPlot(
        plot.text,
        len(plot.text),
        Message(
            "advanced.plot.too_short",
            used=plot.factors,
            factors=factors,
            lack=factors - plot.factors,
        ),
        "58.3",
    )


def after_damage(moving: RoundSpeed, movement_factor: int) -> RoundSpeed:
    """The round after the initial combat, with the remaining movement factor (58.8).

    Call it once, with the factor after all fire of the phase. What the halved speed cannot lose now
    is lost in the next round, by `speed_limits`.
    """
    if movement_factor >= moving.speed:
        return moving
    speed = max(moving.speed // 2, movement_factor)
    return _slowed(
        moving,
        speed,
        SpeedReason(Message("advanced.speed.damage", factor=movement_factor, speed=speed), "58.8"),
    )


def after_collision(moving: RoundSpeed, segment: Segment) -> RoundSpeed:
    """The round after a collision at the end of a segment's move: her speed is halved (59.1).

    It is halved once in a phase, however many ships collided with her.
    """
    speed = moving.speed // 2
    reason = SpeedReason(Message("advanced.speed.collision", speed=speed), "59.1")
    slowed = _slowed(moving, speed, reason)
    if segment is Segment.SECOND:
        # Both moves are made, so only later rounds are affected.
        slowed = replace(slowed, second_factors=moving.second_factors)
    return replace(slowed, collision_limit=speed)


def end_round(record: SpeedRecord, moved: RoundSpeed, movement_factor: int) -> SpeedRecord:
    """The record for the next round, with the movement factor after this round's fire."""
    limit = moved.collision_limit
    if limit is None and record.collision_limit is not None:
        served = moved.speed <= record.collision_limit
        limit = None if served else record.collision_limit
    return SpeedRecord(movement_factor, moved.speed, limit)


def _slowed(moving: RoundSpeed, speed: int, reason: SpeedReason) -> RoundSpeed:
    """The round at a lower speed: at least half of the second move is still made (58.8)."""
    left = speed - moving.initial_factors
    return replace(
        moving,
        speed=speed,
        second_factors=max(moving.second_factors // 2, left),
        changes=(*moving.changes, reason),
    )
