"""A battle segment by segment: move as plotted, then resolve all fire at once (56, 62).

An `Engagement` is a value; `move` and `resolve_fire_phase` each give the next one together with
a report. Plots, designations and dice come in from outside.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from combat.dice import Dice
from combat.rulesets.bismarck_advanced.bands import Battery
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.evolution import Evolution, read_evolution
from combat.rulesets.bismarck_advanced.gunnery import FireReport, Options, resolve_fire
from combat.rulesets.bismarck_advanced.handling import MOVEMENT
from combat.rulesets.bismarck_advanced.plot import Note, Plot, parse_plot
from combat.rulesets.bismarck_advanced.shot import (
    Conditions,
    Crew,
    FireForbidden,
    Shot,
    Sightline,
    turrets_bearing,
)
from combat.rulesets.bismarck_advanced.speed import (
    RoundSpeed,
    Segment,
    SpeedRecord,
    after_collision,
    after_damage,
    begin_round,
    check_factors,
    end_round,
)
from combat.rulesets.bismarck_advanced.vessel import TurretState, Vessel
from tabletop.collision import CollisionCheck, collisions
from tabletop.errors import DreyerError, UnknownName
from tabletop.movement import Path, following
from tabletop.rules import TableRules
from tabletop.survey import Survey, survey
from tabletop.table import Base, Model, Pose, SmokeFront, Table


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """What a player writes for one ship in a movement plot phase (57.51)."""

    plot: str
    speed: int | None = None
    """For the whole round; written with the first segment's plot only (56.1, 58.2)."""
    follows: str | None = None
    """The ship ahead, where the plot says follow (57.7)."""


@dataclass(frozen=True, slots=True)
class FireOrder:
    """What a player writes for one target in a fire designation phase (61.1)."""

    firer: str
    target: str
    battery: Battery = Battery.MAIN
    turrets: tuple[str, ...] = ()
    """Empty means all that bear."""
    guns: int | None = None
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class Fired:
    """That a gun type fired at a target in the previous combat phase, and whether it hit."""

    battery: Battery
    target: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Combatant:
    """One ship in the battle: her sheet, her place, and what the next phase must remember."""

    vessel: Vessel
    side: str
    pose: Pose
    base: Base
    record: SpeedRecord
    moving: RoundSpeed | None = None
    """Her speed in the round being played; None before its first plot."""
    track: Path | None = None
    """The way she came in the segment before, for those who follow her."""
    evolution: Evolution = Evolution.STEADY
    smoke_cover: bool = False
    fired: tuple[Fired, ...] = ()
    hit_last_segment: bool = False
    withdrawn: bool = False

    @property
    def name(self) -> str:
        """The ship's name in this battle."""
        return self.vessel.name

    @property
    def in_action(self) -> bool:
        """Whether she is still afloat and present."""
        return not (self.vessel.is_sunk or self.withdrawn)

    @property
    def speed(self) -> int:
        """Her speed in this round, 0 before any is chosen."""
        return self.moving.speed if self.moving else 0


@dataclass(frozen=True, slots=True)
class Engagement:
    """The whole battle between two phases."""

    combatants: tuple[Combatant, ...]
    round_number: int = 1
    segment: Segment = Segment.INITIAL
    visibility: int = 2
    night: bool = False
    smoke: tuple[SmokeFront, ...] = ()
    options: Options = field(default_factory=Options)

    def __getitem__(self, name: str) -> Combatant:
        for combatant in self.combatants:
            if combatant.name == name:
                return combatant
        raise UnknownName("battle", "ship", name, [c.name for c in self.combatants])

    @property
    def in_action(self) -> tuple[Combatant, ...]:
        """The ships still afloat and present."""
        return tuple(combatant for combatant in self.combatants if combatant.in_action)

    @property
    def is_over(self) -> bool:
        """56: over when all of one side's ships are sunk or gone."""
        return len({combatant.side for combatant in self.in_action}) < 2

    @property
    def table(self) -> Table:
        """The table as it stands."""
        models = tuple(Model(c.name, c.pose, c.base) for c in self.in_action)
        return Table(models, self.smoke)

    def with_combatants(self, changed: Mapping[str, Combatant]) -> "Engagement":
        """The same battle with some ships changed."""
        return replace(self, combatants=tuple(changed.get(c.name, c) for c in self.combatants))


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What came of a movement phase."""

    paths: Mapping[str, Path]
    collisions: tuple[CollisionCheck, ...]


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What came of a combat phase, in the order of resolution (62.3)."""

    round_number: int
    segment: Segment
    fires: tuple[FireReport, ...]
    sunk: tuple[str, ...]
    slowed: Mapping[str, RoundSpeed]


def move(battle: Engagement, orders: Mapping[str, MoveOrder]) -> tuple[Engagement, MoveReport]:
    """Move every ship as plotted (56.2, 56.6); the leaders first, then those who follow."""
    for name in orders:
        battle[name]
    plots: dict[str, Plot] = {}
    moving: dict[str, RoundSpeed] = {}
    for combatant in battle.in_action:
        if combatant.name not in orders:
            raise DreyerError(f"{combatant.name} has no movement plot for this segment (56.1)")
        order = orders[combatant.name]
        warship = combatant.vessel.warship
        moving[combatant.name] = _speed_of(battle, combatant, order)
        plot = parse_plot(order.plot, warship.ship_class)
        check_factors(plot, moving[combatant.name].factors(battle.segment))
        plots[combatant.name] = plot

    paths: dict[str, Path] = {}
    for combatant in battle.in_action:
        _run(combatant.name, battle, orders, plots, moving, paths)
    changed = {}
    for combatant in battle.in_action:
        name, plot = combatant.name, plots[combatant.name]
        evolution = read_evolution(paths[name].steps, chase=Note.CHASE in plot.notes).evolution
        vessel = combatant.vessel
        changed[name] = replace(
            combatant,
            vessel=replace(vessel, steady_for_phases=max(0, vessel.steady_for_phases - 1)),
            pose=paths[name].end,
            track=paths[name],
            moving=moving[name],
            evolution=evolution,
            smoke_cover=Note.SMOKE_COVER in plot.notes,
        )
    moved = battle.with_combatants(changed)
    clashes = collisions(moved.table, MOVEMENT.marker_diameter_yards)
    collided = {name for c in clashes if c.collided for name in (c.first, c.second)}
    slowed = {
        name: replace(moved[name], moving=after_collision(moving[name], battle.segment))
        for name in collided
    }
    return moved.with_combatants(slowed), MoveReport(paths, clashes)


def _speed_of(battle: Engagement, combatant: Combatant, order: MoveOrder) -> RoundSpeed:
    if battle.segment is Segment.SECOND:
        if combatant.moving is None:
            raise DreyerError(f"{combatant.name} has no speed for this round (58.2)")
        return combatant.moving
    if order.speed is None:
        raise DreyerError(f"{combatant.name} needs a speed with her first plot of a round (58.2)")
    return begin_round(combatant.vessel.warship.ship_class, combatant.record, order.speed)


def _run(
    name: str,
    battle: Engagement,
    orders: Mapping[str, MoveOrder],
    plots: Mapping[str, Plot],
    moving: Mapping[str, RoundSpeed],
    paths: dict[str, Path],
    waiting: tuple[str, ...] = (),
) -> Path:
    """The path of a ship; one that follows first asks for that of the ship ahead (57.7)."""
    if name in paths:
        return paths[name]
    combatant, plot = battle[name], plots[name]
    if not plot.follows:
        paths[name] = Path(combatant.pose, plot.steps())
        return paths[name]
    ahead = orders[name].follows
    if ahead is None or ahead == name or ahead in waiting:
        raise DreyerError(f"{name} follows, but no ship ahead of her is named (57.7)")
    leader = battle[ahead]
    lead_path = _run(ahead, battle, orders, plots, moving, paths, (*waiting, name))
    # Her wake begins where the leader came from in the segment before.
    track = leader.track.then(lead_path.steps) if leader.track else lead_path
    paths[name] = following(
        combatant.pose,
        track,
        moving[name].factors(battle.segment) * MOVEMENT.factor_yards,
        off_track_yards=MOVEMENT.off_track_yards,
    )
    return paths[name]


def resolve_fire_phase(
    battle: Engagement,
    orders: Sequence[FireOrder],
    dice: Dice,
    card: Card,
    rules: TableRules,
    jammed: Mapping[str, Mapping[str, int]] | None = None,
) -> tuple[Engagement, PhaseReport]:
    """Resolve all fire of a segment as simultaneous (62.2), the Allies' first (62.3)."""
    shots = designate(battle, orders, rules, jammed or {})
    now = {combatant.name: combatant.vessel for combatant in battle.combatants}
    fires = []
    for shot in sorted(shots, key=lambda shot: not shot.firer.warship.is_allied):
        firer, target = shot.firer.name, shot.target.name
        report = resolve_fire(shot, dice, card, options=battle.options, target_now=now[target])
        now[target] = report.target_after
        left = max(0, now[firer].ammunition(shot.battery) - report.ammunition_spent)
        now[firer] = now[firer].with_ammunition(shot.battery, left)
        fires.append(report)

    changed, slowed = {}, {}
    for combatant in battle.in_action:
        after = _after_phase(combatant, now[combatant.name], fires, battle.segment)
        changed[combatant.name] = after
        if after.moving is not None and after.moving != combatant.moving:
            slowed[combatant.name] = after.moving
    sunk = tuple(name for name, after in changed.items() if after.vessel.is_sunk)
    report_of_phase = PhaseReport(battle.round_number, battle.segment, tuple(fires), sunk, slowed)
    return _next_segment(battle.with_combatants(changed)), report_of_phase


def designate(
    battle: Engagement,
    orders: Sequence[FireOrder],
    rules: TableRules,
    jammed: Mapping[str, Mapping[str, int]],
) -> list[Shot]:
    """Turn fire orders into shots, with everything the ledger wants to know about the others."""
    _check_designations(battle, orders)
    seen = survey(battle.table, rules)
    return [_shot(battle, order, orders, seen, jammed) for order in orders]


def _check_designations(battle: Engagement, orders: Sequence[FireOrder]) -> None:
    """61.2: no turret at two targets, and nobody at friends or at herself."""
    busy: dict[tuple[str, Battery], set[str]] = {}
    whole: set[tuple[str, Battery]] = set()
    for order in orders:
        firer, target = battle[order.firer], battle[order.target]
        if firer.side == target.side:
            raise FireForbidden(f"{order.firer} and {order.target} are on one side", "61.1")
        key = order.firer, order.battery
        taken = busy.setdefault(key, set())
        twice = taken & set(order.turrets)
        if twice or key in whole or (not order.turrets and taken):
            raise FireForbidden(
                f"{order.firer}'s {order.battery} turrets each fire at one target; "
                "name the turrets for each",
                "61.2",
            )
        taken |= set(order.turrets)
        if not order.turrets:
            whole.add(key)


def _shot(
    battle: Engagement,
    order: FireOrder,
    orders: Sequence[FireOrder],
    seen: Survey,
    jammed: Mapping[str, Mapping[str, int]],
) -> Shot:
    firer, target = battle[order.firer], battle[order.target]
    fired_before = {(f.battery, f.target): f.hit for f in firer.fired}
    key = order.battery, order.target
    same_guns = {o.target for o in orders if (o.firer, o.battery) == (order.firer, order.battery)}
    at_target = {(o.firer, o.battery) for o in orders if o.target == order.target}
    return Shot(
        firer=firer.vessel,
        target=target.vessel,
        firer_speed=firer.speed,
        target_speed=target.speed,
        battery=order.battery,
        sightline=Sightline.from_check(seen[order.firer, order.target]),
        turrets=order.turrets,
        guns=order.guns,
        held_back=order.held_back,
        conditions=Conditions(
            visibility=battle.visibility,
            night=battle.night,
            first_fire_at_target=key not in fired_before,
            hit_target_last_segment=fired_before.get(key, False),
            hit_last_segment=firer.hit_last_segment,
            under_fire=any(o.target == order.firer for o in orders),
            crew=Crew.after(firer.vessel.rounds_of_fire),
            several_targets=len(same_guns) > 1,
            several_firers=len(at_target) > 1,
            firer_evolution=firer.evolution,
            target_evolution=target.evolution,
            firer_smoke_cover=firer.smoke_cover,
            target_smoke_cover=target.smoke_cover,
            jammed=jammed.get(order.firer, {}),
        ),
    )


def _after_phase(
    before: Combatant, vessel: Vessel, fires: Sequence[FireReport], segment: Segment
) -> Combatant:
    """What a ship carries out of a combat phase."""
    own = [report for report in fires if report.shot.firer.name == before.name]
    suffered = [report for report in fires if report.shot.target.name == before.name]
    # A turret that sat out this phase has one phase less to wait; one hit now has all of them.
    turrets = tuple(
        _rested(old, new) for old, new in zip(before.vessel.turrets, vessel.turrets, strict=True)
    )
    vessel = replace(vessel, turrets=turrets)
    fires_this_round = bool(own) or vessel.rounds_of_fire > 0
    if segment is Segment.SECOND and fires_this_round:
        vessel = replace(vessel, rounds_of_fire=vessel.rounds_of_fire + 1)
    moving = before.moving
    if moving is not None and segment is Segment.INITIAL:
        moving = after_damage(moving, vessel.movement_factor)
    return replace(
        before,
        vessel=vessel,
        moving=moving,
        fired=tuple(Fired(r.shot.battery, r.shot.target.name, r.hits > 0) for r in own),
        hit_last_segment=any(report.hits for report in suffered),
    )


def _rested(old: TurretState, new: TurretState) -> TurretState:
    if old.out_for_phases and new.out_for_phases == old.out_for_phases:
        return replace(new, out_for_phases=old.out_for_phases - 1)
    return new


def _next_segment(battle: Engagement) -> Engagement:
    if battle.segment is Segment.INITIAL:
        return replace(battle, segment=Segment.SECOND)
    ended = {
        combatant.name: replace(
            combatant,
            record=end_round(combatant.record, combatant.moving, combatant.vessel.movement_factor),
            moving=combatant.moving,
        )
        for combatant in battle.in_action
        if combatant.moving is not None
    }
    return replace(
        battle.with_combatants(ended),
        round_number=battle.round_number + 1,
        segment=Segment.INITIAL,
    )


def guns_that_bear(battle: Engagement, seen: Survey, firer: str, target: str) -> Iterator[Battery]:
    """The gun types of a ship that could fire at a target now, for captains and pages."""
    combatant = battle[firer]
    line = Sightline.from_check(seen[firer, target])
    for battery in Battery:
        if line.band is None:
            return
        rate = combatant.vessel.warship.rate_of_fire.multiplier(battery, line.band)
        if (
            rate is not None
            and combatant.vessel.ammunition(battery) > 0
            and turrets_bearing(combatant.vessel, battery, line.quadrant, {})
        ):
            yield battery
