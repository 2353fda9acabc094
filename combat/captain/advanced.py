"""The captain of the Advanced Game.

It asks the rulebook what its side may see and do, and takes no other look at the battle. Plots are
compared by the harm that may be expected, given and taken, where the ship would be after the
move; an enemy is taken to hold her course, or to turn to either side.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from combat.captain.decision import Decision, Progress, no_progress
from combat.captain.exchange import best_exchange
from combat.captain.gunnery import BANDS, OUT_OF_RANGE, Gunnery, SeenShip, cells_of
from combat.captain.temperament import Temperament, Wish
from combat.guided_actions import Commit, EndBattle, Mark, Withdraw
from combat.guided_play import PlottedView, StepKind
from combat.participants import Seat, ShipStatus
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Orders, Plot
from combat.rulebooks.bismarck_advanced.guided_battle.reach import Manoeuvre
from combat.rulebooks.bismarck_advanced.guided_battle.rulebook import AdvancedBattle
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT
from combat.views import FireOrderView, PlotCheck, PlottedShipView, TargetOption
from tabletop.angles import FloatArray, wrap_180
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.table import Pose

_TURN_DEG: Final = 45.0
"""How far an enemy is taken to turn in a segment, if she turns."""
_LIKELY: Final = np.array([0.5, 0.25, 0.25])
"""How likely an enemy holds her course, and turns to either side."""
_NEAR_YARDS: Final = 600.0
"""Ships of one side that end so near to one another may collide (59)."""
_COLLISION: Final = 5.0
_PULL: Final = 0.04
"""What each 1,000 yards from the wished range count, as a share of the most harm of a segment."""
_LEAST_PULL: Final = 0.01
_EDGE_YARDS: Final = 300.0
"""A model has to stand on the table whole."""
_OFF_TABLE: Final = 1.0
"""What each 1,000 yards past the edge count, as a share of the most harm of a segment."""
_SAFE_SHARE: Final = 0.4
"""A range is called safer where a ship takes less than this share of the most."""
_AS_GOOD: Final = 0.01
"""Plots whose worth differs by this share of the best are equal: one of them is drawn."""
_SMOKE: Final = " SC"
_QUIET_ROUNDS: Final = 12
"""Rounds out of reach of one another after which a captain offers to end the battle."""


@dataclass(frozen=True)
class _Scene:
    """What a side sees as it plots."""

    own: tuple[SeenShip, ...]
    enemies: tuple[SeenShip, ...]
    breaks_off: bool


@dataclass(frozen=True)
class _Candidate:
    """A plot that is considered, and what is expected of it."""

    place: Manoeuvre
    given: float
    taken: float
    target: str
    yards: float


@dataclass
class AdvancedCaptain:
    """Plays one side by the forecasts."""

    rulebook: AdvancedBattle
    temperament: Temperament
    table_yards: tuple[float, float] | None = None
    """How wide and how deep the table is; None where nobody can sail off it."""
    _gunnery: dict[tuple[object, ...], Gunnery] = field(default_factory=dict)

    def decide(
        self,
        state: AdvancedState,
        side: str,
        source: random.Random,
        progress: Progress = no_progress,
    ) -> Decision | None:
        """The next action of a side; None while it has nothing to decide."""
        view = self.rulebook.view(state, Seat(side))
        if side in view.step.waiting_for:
            match view.step.kind:
                case StepKind.PLOT:
                    return self._plot(state, view, side, source, progress)
                case StepKind.DESIGNATE:
                    return self._designate(state, view, side, progress)
                case StepKind.REDUCE:
                    return Decision(Commit(side=side))
                case StepKind.MARK:
                    return Decision(Mark(side=side))
        if view.step.kind is StepKind.ENDED or side in view.wants_to_end:
            return None
        if view.wants_to_end and self._has_nothing_to_fire(state, view, side):
            about = Message("captain.why.agrees_to_end")
            return Decision(EndBattle(side=side), about=about)
        return None

    def propose_plots(
        self, state: AdvancedState, side: str, source: random.Random
    ) -> Decision | None:
        """The plots that the captain would write, for a player of the side to look at."""
        view = self.rulebook.view(state, Seat(side))
        if view.step.kind is not StepKind.PLOT or side in view.committed:
            return None
        scene = self._scene(state, view, side)
        return self._orders(state, view, side, scene, source, no_progress)

    # Movement

    def _plot(
        self,
        state: AdvancedState,
        view: PlottedView,
        side: str,
        source: random.Random,
        progress: Progress,
    ) -> Decision:
        mine = [ship for ship in view.ships if _is_active(ship, side)]
        if all(ship.id in view.plots for ship in mine):
            return Decision(Commit(side=side))
        scene = self._scene(state, view, side)
        if not any(_can_fire(ship.vessel) for ship in scene.own) and side not in view.wants_to_end:
            about = Message("captain.why.offers_end")
            return Decision(EndBattle(side=side), about=about)
        leaving = self._leaving(mine, scene)
        if leaving is not None:
            why = {leaving.id: Message("captain.why.leaves", ship=ShipRef(leaving.id))}
            return Decision(Withdraw(side=side, ship=leaving.id), why)
        return self._orders(state, view, side, scene, source, progress)

    def _leaving(self, mine: Sequence[PlottedShipView], scene: _Scene) -> PlottedShipView | None:
        """A ship that may leave the battle (66) and has nothing left to do in it."""
        for ship in mine:
            may = ship.withdrawal is not None and ship.withdrawal.may_withdraw
            seen = next((each for each in scene.own if each.name == ship.id), None)
            if may and seen is not None and (scene.breaks_off or not _can_fire(seen.vessel)):
                return ship
        return None

    def _orders(
        self,
        state: AdvancedState,
        view: PlottedView,
        side: str,
        scene: _Scene,
        source: random.Random,
        progress: Progress,
    ) -> Decision:
        gunnery = self._gunnery_of(state, view)
        wishes = self._wishes(scene, gunnery)
        plots: list[Plot] = []
        why: dict[str, Message] = {}
        ends: list[Pose] = []
        for number, ship in enumerate(scene.own):
            progress(number, len(scene.own))
            places = self.rulebook.manoeuvres(state, ship.name, side)
            plot, reason, end = self._best_plot(
                state, side, ship, places, scene, wishes[ship.name], gunnery, ends, source
            )
            plots.append(plot)
            why[ship.name] = reason
            ends.append(end)
        progress(len(scene.own), len(scene.own))
        return Decision(Orders(side=side, plots=tuple(plots)), why)

    def _best_plot(
        self,
        state: AdvancedState,
        side: str,
        ship: SeenShip,
        places: Sequence[Manoeuvre],
        scene: _Scene,
        wish: Wish,
        gunnery: Gunnery,
        ends: Sequence[Pose],
        source: random.Random,
    ) -> tuple[Plot, Message, Pose]:
        """The plot that promises most, why, and where it ends."""
        if not places:
            # Whoever cannot move stays where she is.
            return self._stays(state, side, ship), Message("captain.why.stays"), ship.pose
        if not scene.enemies:
            ahead = max(
                places, key=lambda each: (_straightness(ship.pose, each.end), each.notation)
            )
            plot = Plot(side=side, ship=ship.name, speed=ahead.speed, notation=ahead.notation)
            return plot, Message("captain.why.no_enemy"), ahead.end
        as_good = self._best_places(ship, places, scene, wish, gunnery, ends)
        as_good.sort(key=lambda each: (each.place.notation, each.place.speed or 0))
        chosen = source.choice(as_good)
        plot = Plot(
            side=side,
            ship=ship.name,
            speed=chosen.place.speed,
            notation=chosen.place.notation,
        )
        plot = self._with_torpedoes(state, plot, ship, scene)
        if wish.breaks_off and chosen.taken > 0:
            smoking = Plot(
                side=side,
                ship=ship.name,
                speed=plot.speed,
                notation=plot.notation + _SMOKE,
                torpedo=plot.torpedo,
            )
            if self._is_legal(state, smoking):
                plot = smoking
        return plot, _why(ship, plot, chosen, wish), chosen.place.end

    def _best_places(
        self,
        ship: SeenShip,
        places: Sequence[Manoeuvre],
        scene: _Scene,
        wish: Wish,
        gunnery: Gunnery,
        ends: Sequence[Pose],
    ) -> list[_Candidate]:
        """The places that promise most, or as good as most."""
        rules = self.rulebook.table_rules
        x, y, heading = (
            np.array([getattr(place.end, name) for place in places])
            for name in ("x_yards", "y_yards", "heading_deg")
        )
        given = np.zeros((len(places), len(scene.enemies)))
        taken = np.zeros(len(places))
        ranges = np.zeros((len(places), len(scene.enemies)))
        for column, enemy in enumerate(scene.enemies):
            ex, ey, eh = _expected_places(enemy)
            dx, dy = ex[None, :] - x[:, None], ey[None, :] - y[:, None]
            yards = np.hypot(dx, dy)
            bearing = np.degrees(np.arctan2(dx, dy))
            quadrant = rules.arcs.codes((bearing - heading[:, None]) % 360.0).astype(np.intp)
            aspect = rules.arcs.codes((bearing + 180.0 - eh[None, :]) % 360.0).astype(np.intp)
            band = rules.segment_codes(yards)
            forth = gunnery.harm_at(ship, enemy, cells_of(band, quadrant, aspect))
            back = gunnery.harm_at(enemy, ship, cells_of(band, aspect, quadrant))
            given[:, column] = forth @ _LIKELY
            taken += (back @ _LIKELY) * self._attention(enemy, ship, scene, gunnery)
            ranges[:, column] = yards @ _LIKELY
        best = given.argmax(axis=1)
        nearest = ranges.min(axis=1)
        most = given.max(axis=1)
        at = np.where(most > 0.0, best, ranges.argmin(axis=1))
        temper = self.temperament
        scale = max(wish.most, _LEAST_PULL)
        off = np.abs(nearest - wish.yards)
        if wish.breaks_off:
            off = np.maximum(wish.yards - nearest, 0.0)
        score = most - temper.taken * taken - scale * _PULL * off / 1000.0
        score = score - scale * _OFF_TABLE * self._beyond_edge(ship, x, y, heading) / 1000.0
        for end in ends:
            apart = np.hypot(x - end.x_yards, y - end.y_yards)
            score = score - scale * _COLLISION * np.maximum(0.0, 1.0 - apart / _NEAR_YARDS)
        highest = float(score.max())
        as_good = score >= highest - _AS_GOOD * max(abs(highest), _LEAST_PULL)
        return [
            _Candidate(
                places[n],
                float(most[n]),
                float(taken[n]),
                scene.enemies[int(at[n])].name,
                float(ranges[n, int(at[n])]),
            )
            for n in np.flatnonzero(as_good).tolist()
        ]

    def _beyond_edge(
        self, ship: SeenShip, x: FloatArray, y: FloatArray, heading: FloatArray
    ) -> FloatArray:
        """How far past the table's edge each move leads, and as much again straight ahead."""
        if self.table_yards is None:
            return np.zeros(len(x))
        far = np.hypot(x - ship.pose.x_yards, y - ship.pose.y_yards)
        way = np.radians(heading)
        total = np.zeros(len(x))
        for ahead in (0.0, 1.0):
            places = (x + ahead * far * np.sin(way), y + ahead * far * np.cos(way))
            for at, size in zip(places, self.table_yards, strict=True):
                total = total + np.maximum(0.0, _EDGE_YARDS - at)
                total = total + np.maximum(0.0, at - (size - _EDGE_YARDS))
        return total

    def _attention(self, enemy: SeenShip, ship: SeenShip, scene: _Scene, gunnery: Gunnery) -> float:
        """The part of an enemy's fire that a ship may expect, of all ships of her side."""
        if len(scene.own) == 1:
            return 1.0
        harm = [gunnery.broadsides(enemy, each).max() for each in scene.own]
        total = sum(harm)
        mine = harm[scene.own.index(ship)]
        return float(mine / total) if total else 1.0 / len(scene.own)

    def _wishes(self, scene: _Scene, gunnery: Gunnery) -> Mapping[str, Wish]:
        """The range at which each ship wants to fight: where the exchange suits her captain."""
        limits = [*self.rulebook.table_rules.limits_yards.tolist()]
        middles = [(low + high) / 2 for low, high in zip([0.0, *limits], limits, strict=False)]
        temper, found = self.temperament, {}
        mine = sum(ship.strength for ship in scene.own)
        theirs = sum(ship.strength for ship in scene.enemies)
        for ship in scene.own:
            given, taken = np.zeros(OUT_OF_RANGE), np.zeros(OUT_OF_RANGE)
            for enemy in scene.enemies:
                given = np.maximum(given, gunnery.broadsides(ship, enemy))
                share = self._attention(enemy, ship, scene, gunnery)
                taken = taken + share * gunnery.broadsides(enemy, ship)
            exchange = best_exchange(given / max(theirs, 1.0), taken / max(mine, 1.0), temper)
            most = float((given + taken).max())
            if scene.breaks_off or exchange is None:
                # Nowhere is she the better one: she keeps out of the guns that can hurt her.
                reach = max((at for at in range(len(BANDS)) if taken[at] > 0.0), default=0)
                found[ship.name] = Wish(
                    limits[reach] + 1000.0, most, is_safer=True, breaks_off=True
                )
            else:
                safer = bool(taken[exchange] < _SAFE_SHARE * taken.max())
                found[ship.name] = Wish(middles[exchange], most, is_safer=safer)
        return found

    def _stays(self, state: AdvancedState, side: str, ship: SeenShip) -> Plot:
        for speed in (None, 0):
            plot = Plot(side=side, ship=ship.name, speed=speed, notation="")
            if self._is_legal(state, plot):
                return plot
        return Plot(side=side, ship=ship.name, speed=0, notation="0")

    def _with_torpedoes(
        self, state: AdvancedState, plot: Plot, ship: SeenShip, scene: _Scene
    ) -> Plot:
        """The plot with torpedoes at the worthiest enemy that they may be fired at (69.1)."""
        if ship.vessel.torpedoes_fired or not ship.vessel.warship.torpedoes:
            return plot
        near = sorted(
            (each for each in scene.enemies if _apart(ship.pose, each.pose) <= _TORPEDO_YARDS),
            key=lambda each: (-each.strength, each.name),
        )
        for enemy in near:
            armed = Plot(
                side=plot.side,
                ship=plot.ship,
                speed=plot.speed,
                notation=plot.notation,
                torpedo=enemy.name,
            )
            if self._is_legal(state, armed):
                return armed
        return plot

    def _is_legal(self, state: AdvancedState, plot: Plot) -> bool:
        try:
            check = self.rulebook.check(state, plot)
        except DreyerError:
            return False
        return isinstance(check, PlotCheck) and check.legal

    # Fire

    def _designate(
        self, state: AdvancedState, view: PlottedView, side: str, progress: Progress
    ) -> Decision:
        if view.fires:
            return Decision(Commit(side=side))
        mine = [ship for ship in view.ships if _is_active(ship, side)]
        options: dict[str, Sequence[TargetOption]] = {}
        for number, ship in enumerate(mine):
            progress(number, len(mine))
            options[ship.id] = self.rulebook.fire_options(state, side, ship.id)
        proposed = self.rulebook.fire_proposal(state, side, options)
        progress(len(mine), len(mine))
        orders, why = {}, {}
        for ship_name, fires in proposed.items():
            kept = tuple(fire for fire in fires if self._is_worth_it(options[ship_name], fire))
            if kept:
                orders[ship_name] = kept
                why[ship_name] = _why_fire(kept[0], options[ship_name])
            elif fires:
                why[ship_name] = Message("captain.why.saves_ammunition")
        if not orders:
            return Decision(Commit(side=side), why)
        return Decision(self.rulebook.fire_of_several(orders, side), why)

    def _is_worth_it(self, options: Sequence[TargetOption], fire: FireOrderView) -> bool:
        hits = _expected_hits(options, fire)
        return hits is None or hits >= self.temperament.least_hits

    # What the side sees

    def _scene(self, state: AdvancedState, view: PlottedView, side: str) -> _Scene:
        known = self.rulebook.free_state(state, Seat(side)).marks
        hostile = set(self.rulebook.enemies(state, side))
        own = tuple(_seen(ship, known) for ship in view.ships if _is_active(ship, side))
        stand_in = own[0].vessel if own else None
        enemies = tuple(
            _seen(ship, known, stand_in)
            for ship in view.ships
            if ship.id in hostile and ship.status is ShipStatus.IN_ACTION
        )
        mine = sum(ship.strength for ship in own)
        theirs = sum(ship.strength for ship in enemies)
        weak = mine < self.temperament.break_off_share * theirs
        return _Scene(own, enemies, weak)

    def _has_nothing_to_fire(self, state: AdvancedState, view: PlottedView, side: str) -> bool:
        scene = self._scene(state, view, side)
        return not any(_can_fire(ship.vessel) for ship in scene.own) or scene.breaks_off

    def _gunnery_of(self, state: AdvancedState, view: PlottedView) -> Gunnery:
        options = self.rulebook.options(state)
        key = (options, view.conditions.visibility, view.conditions.night)
        if key not in self._gunnery:
            self._gunnery[key] = Gunnery(
                self.rulebook.combat_tables,
                options,
                view.conditions.visibility,
                view.conditions.night,
            )
        return self._gunnery[key]


_TORPEDO_YARDS: Final = 8_000.0
"""Nobody looks for a torpedo's target farther off; the rule itself says how far they run."""


def _is_active(ship: PlottedShipView, side: str) -> bool:
    return ship.side == side and ship.status is ShipStatus.IN_ACTION


def _seen(
    ship: PlottedShipView, known: Mapping[str, object], stand_in: Vessel | None = None
) -> SeenShip:
    """A ship with her marks; one that is face down is taken to be like one's own."""
    marks = known.get(ship.id)
    if not isinstance(marks, FightMarks):
        assert stand_in is not None, "the own ships are always known"  # noqa: S101
        vessel = Vessel.fresh(stand_in.warship, ship.id)
        return SeenShip(ship.id, ship.side, ship.pose, vessel.movement_factor, vessel)
    speed = ship.speed if ship.speed is not None else marks.vessel.movement_factor
    fired = frozenset((each.battery, each.target) for each in marks.fired_before)
    return SeenShip(ship.id, ship.side, ship.pose, speed, marks.vessel, marks.hit_before, fired)


def _expected_places(enemy: SeenShip) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where she may be after the segment: straight ahead, or turned to port or starboard."""
    yards = enemy.speed / 2 * MOVEMENT.factor_yards
    places = []
    for turn_deg in (0.0, -_TURN_DEG, _TURN_DEG):
        # On an arc she is where half the turn points to.
        way = math.radians(enemy.pose.heading_deg + turn_deg / 2)
        places.append(
            (
                enemy.pose.x_yards + yards * math.sin(way),
                enemy.pose.y_yards + yards * math.cos(way),
                enemy.pose.heading_deg + turn_deg,
            )
        )
    x, y, heading = np.array(places).T
    return x, y, heading


def _apart(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_yards - other.x_yards, one.y_yards - other.y_yards)


def _straightness(start: Pose, end: Pose) -> float:
    return _apart(start, end) - abs(wrap_180(end.heading_deg - start.heading_deg)) * 10


def _can_fire(vessel: Vessel) -> bool:
    guns = any(turret.can_fire for turret in vessel.turrets) and vessel.main_ammunition > 0
    second = len(vessel.secondaries_lost) < len(vessel.warship.secondaries)
    return guns or (second and vessel.secondary_ammunition > 0)


def _why(ship: SeenShip, plot: Plot, chosen: _Candidate, wish: Wish) -> Message:
    """What decided a plot."""
    enemy, yards = ShipRef(chosen.target), round(wish.yards, -2)
    if plot.torpedo is not None:
        return Message("captain.why.torpedoes", target=ShipRef(plot.torpedo))
    if wish.breaks_off:
        return Message("captain.why.keeps_away", target=enemy, yards=yards)
    apart = chosen.yards - wish.yards
    if abs(apart) <= 1500.0:
        code = "holds_safe_range" if wish.is_safer else "holds_range"
    elif apart > 0:
        code = "closes_safe_range" if wish.is_safer else "closes"
    else:
        code = "opens_safe_range" if wish.is_safer else "opens"
    del ship
    return Message(
        f"captain.why.{code}",
        target=enemy,
        yards=yards,
        given=round(chosen.given, 1),
        taken=round(chosen.taken, 1),
    )


def _why_fire(fire: FireOrderView, options: Sequence[TargetOption]) -> Message:
    hits = _expected_hits(options, fire)
    target = ShipRef(fire.target)
    if hits is None:
        return Message("captain.why.fires_unknown", target=target)
    return Message("captain.why.fires", target=target, hits=round(hits, 1))


def _expected_hits(options: Sequence[TargetOption], fire: FireOrderView) -> float | None:
    """The mean hits of a fire; None where nobody may know them."""
    for option in options:
        if option.target == fire.target:
            for battery in option.batteries:
                if battery.battery == fire.battery and battery.forecast is not None:
                    return battery.forecast.expected_hits
    return None
