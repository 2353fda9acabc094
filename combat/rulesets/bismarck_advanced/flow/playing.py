"""From step to step: what each event does to a battle (56)."""

from dataclasses import replace

from combat.battle import StepKind
from combat.rulesets.bismarck_advanced.beginning.hidden import revealed_by_fire
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.firing.sighting import surveyed
from combat.rulesets.bismarck_advanced.flow import designating, moving, telling
from combat.rulesets.bismarck_advanced.flow.agreeing import (
    read_agreed,
    story_words,
    with_agreed,
)
from combat.rulesets.bismarck_advanced.flow.correcting import (
    corrected_battle,
    corrected_ship,
    reason_of,
)
from combat.rulesets.bismarck_advanced.flow.ending import ended_if_over, roll_repair, withdraw
from combat.rulesets.bismarck_advanced.flow.plotting import PlotChecker, check_commitment
from combat.rulesets.bismarck_advanced.flow.reading import (
    opened,
    read_dice,
    read_fires,
    read_next,
    read_plot,
    read_pose,
)
from combat.rulesets.bismarck_advanced.flow.resolving import (
    begin_resolution,
    rolled_next,
    with_dice,
)
from combat.rulesets.bismarck_advanced.flow.state import AdvancedState
from combat.rulesets.bismarck_advanced.flow.veil import command, find
from combat.showing import Json
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tabletop.rules import TableRules
from tabletop.table import Pose

_STEP_WORDS = {
    StepKind.PLOT: "plots are written",
    StepKind.MOVE: "ships are moved",
    StepKind.DESIGNATE: "fire is designated",
    StepKind.RESOLVE: "fire is resolved",
    StepKind.MARK: "damage is marked",
    StepKind.ENDED: "the battle is over",
}


class Play:
    """One event's worth of play: a battle, who acts, and by which rules and tables."""

    def __init__(
        self, state: AdvancedState, side: str | None, rules: TableRules, tables: TableSet
    ) -> None:
        self._state, self._side = state, side
        self._rules, self._tables = rules, tables

    def plot(self, data: Json) -> AdvancedState:
        """Draft one ship's plot (56.1); it may be drafted anew until its side commits."""
        self._need(StepKind.PLOT)
        ship = command(self._state, self._side, data.get("ship"))
        self._need_open(ship.side)
        order = read_plot(data, self._find)
        # Nobody looks at the path here, so it is judged and not drawn.
        checker = PlotChecker(self._state, ship, order, self._rules, self._tables)
        checker.judge()
        if checker.faults:
            fault = checker.faults[0]
            at = "" if fault.position is None else f", character {fault.position + 1}"
            cited = fault.reference in fault.message
            rule = "" if cited or not fault.reference else f" ({fault.reference})"
            raise DreyerError(f"{ship.name}, {fault.field}{at}: {fault.message}{rule}")
        return replace(self._state, plots={**self._state.plots, ship.name: order})

    def designate(self, data: Json) -> AdvancedState:
        """Draft one ship's fire (61.1); no orders hold it."""
        self._need(StepKind.DESIGNATE)
        ship = command(self._state, self._side, data.get("ship"))
        self._need_open(ship.side)
        orders = read_fires(ship.name, data, self._find)
        designating.check_orders(self._state.engagement, orders, self._rules)
        return replace(self._state, fires={**self._state.fires, ship.name: orders})

    def commit(self, data: Json) -> AdvancedState:
        """A side's last word in a plot or designation phase; the last one opens them all."""
        fields = opened(data, "commit", ("side",))
        self._need(StepKind.PLOT, StepKind.DESIGNATE)
        state = self._state
        acting = self._side or (fields.text("side") if "side" in fields else None)
        for side in [acting] if acting else state.waiting_for:
            self._check_side(side)
            if side in state.committed:
                raise DreyerError(f"{side} has committed already")
            if state.kind is StepKind.PLOT:
                check_commitment(state, side, self._rules, self._tables)
            state = replace(state, committed=state.committed | {side})
        if state.waiting_for:
            return state
        return self._opened(state) if state.kind is StepKind.PLOT else self._opening_fire(state)

    def uncommit(self, data: Json) -> AdvancedState:
        """Take a commitment back, while the other side has not made its own."""
        fields = opened(data, "uncommit", ("side",))
        self._need(StepKind.PLOT, StepKind.DESIGNATE)
        side = self._side or fields.text("side")
        self._check_side(side)
        if side not in self._state.committed:
            raise DreyerError(f"{side} has not committed yet")
        return replace(self._state, committed=self._state.committed - {side})

    def move(self, data: Json) -> AdvancedState:
        """The models as they stand, by measurement, by hand or as plotted (56.2)."""
        fields = opened(data, "move", ("poses", "accept", "side"))
        self._need(StepKind.MOVE)
        state, open_move = self._state, self._state.open_move
        if open_move is None:
            raise DreyerError("the plots are not open yet (56.2)")
        poses = self.poses(data.get("poses") or {})
        accept = data.get("accept")
        accepted = frozenset(poses if accept is True else map(self._find, fields.texts("accept")))
        rulings = moving.judge(open_move, poses)
        wrong = moving.refuse_differences(rulings, accepted)
        moved, report = moving.settle(
            state.engagement, open_move, poses, rulings, self._rules, self._tables
        )
        turned = moving.turned_up_by_move(state, moved, self._rules)
        state = replace(
            state,
            engagement=moved,
            identities={**state.identities, **turned},
            kind=StepKind.DESIGNATE,
            open_move=None,
            fires={},
            committed=frozenset(),
        )
        seen = surveyed(moved.table, self._rules)
        clashes = moving.collided_pairs(report)
        state = state.telling(*telling.tell_moved(moved, seen, clashes, wrong))
        return self._telling_turned_up(state, list(turned))

    def poses(self, data: object) -> dict[str, Pose]:
        """Poses by the ships' true names; ships that are gone may not have one."""
        if not isinstance(data, dict):
            raise DreyerError("poses: expected an object with a pose for each ship")
        poses = {}
        for reference, value in data.items():
            ship = find(self._state, self._side, reference)
            if not ship.in_action:
                raise DreyerError(f"{reference} is no longer in action: leave her out")
            poses[ship.name] = read_pose(value, f"poses, {reference}")
        return poses

    def dice(self, data: Json) -> AdvancedState:
        """Dice that have fallen: as many as there are, in the order in which they are wanted."""
        if self._state.kind is StepKind.ENDED:
            return roll_repair(self._state, data, self._tables)
        self._need(StepKind.RESOLVE)
        resolution = self._state.resolution
        if resolution is None:
            raise DreyerError("no dice are wanted now")
        values = read_dice(data, len(resolution.dice) + 1)
        resolution = with_dice(resolution, values, Card.of(self._tables), self._rules)
        return self._resolved(replace(self._state, resolution=resolution))

    def mark(self, data: Json) -> AdvancedState:
        """A side has marked its damage; when both have, the next segment begins."""
        opened(data, "mark", ("side",))
        self._need(StepKind.MARK)
        state = self._state
        if self._side in state.committed:
            raise DreyerError(f"{self._side} has marked its damage already")
        marked = set(state.sides) if self._side is None else {self._side}
        state = replace(state, committed=state.committed | marked)
        return state if state.waiting_for else self._next_segment(state)

    def withdraw(self, data: Json) -> AdvancedState:
        """A ship leaves (66); whoever had plans for her makes new ones."""
        state = withdraw(self._state, self._side, data)
        if state.kind is not StepKind.PLOT:
            return state
        # Commitments go back whether or not a plot was about her, or it would tell which were.
        return self._drafts_still_allowed(replace(state, committed=frozenset()))

    def reveal(self, data: Json) -> AdvancedState:
        """A player turns his own ship up before the rule does."""
        opened(data, "reveal", ("ship", "side"))
        ship = command(self._state, self._side, data.get("ship"))
        identity = self._state.identities.get(ship.name)
        if identity is None or not identity.is_hidden:
            raise DreyerError(f"{ship.name} is not hidden (67.1)")
        return self._turned_up(self._state, [ship.name], "by her own side")

    def correct(self, data: Json) -> AdvancedState:
        """The umpire sets a value right, with a reason; what follows from it is judged anew."""
        opened(data, "correct", ("ship", "values", "reason"))
        if self._side is not None:
            raise DreyerError("only the umpire corrects values")
        reason, values = reason_of(data), data.get("values")
        state = self._state
        if data.get("ship") is None:
            about = "the battle"
            battle = corrected_battle(state.engagement, values)
        else:
            ship = find(state, None, data["ship"])
            about = ship.name
            first_plot = state.kind is StepKind.PLOT and state.segment == 1
            corrected = corrected_ship(ship, values, between_rounds=first_plot)
            battle = state.engagement.with_combatants({ship.name: corrected})
        named = ", ".join(values) if isinstance(values, dict) else ""
        entry = telling.tell("correct", f"The umpire corrects {about} ({named}): {reason}", "")
        state = replace(state, engagement=battle).telling(entry)
        if state.kind in (StepKind.PLOT, StepKind.DESIGNATE):
            # What was committed may no longer be wanted, and what was drafted not be allowed.
            state = self._drafts_still_allowed(replace(state, committed=frozenset()))
        elif state.kind is StepKind.MOVE:
            reopened = moving.open_plots(state, self._rules, self._tables)
            state = replace(state, open_move=reopened)
        elif state.kind is StepKind.RESOLVE and state.resolution is not None:
            fallen, card = state.resolution.dice, Card.of(self._tables)
            able = designating.all_orders(state)
            # The order in which the sides roll stays as they have chosen it (62.3).
            orders = [order for order in state.resolution.orders if order in able]
            resolution = begin_resolution(battle, orders, card, self._rules)
            if fallen:
                resolution = with_dice(resolution, fallen, card, self._rules)
            return self._resolved(replace(state, resolution=resolution))
        return ended_if_over(state) if state.kind is StepKind.PLOT else state

    def rule(self, data: Json) -> AdvancedState:
        """A line of fire settled between the players; whoever relied on another thinks anew."""
        if self._state.kind is StepKind.RESOLVE:
            return self._roll_next(data)
        self._need(StepKind.DESIGNATE)
        agreed = read_agreed(data, self._find)
        battle = with_agreed(self._state.engagement, agreed)
        ships = (agreed.firer, agreed.target)
        state = replace(self._state, engagement=battle, committed=frozenset())
        state = state.telling(telling.tell("rule", story_words(agreed), "", ships))
        return self._drafts_still_allowed(state)

    def _roll_next(self, data: Json) -> AdvancedState:
        """62.3: a side says which of its fires is rolled next."""
        state, resolution = self._state, self._state.resolution
        wanted = read_next(data, self._find)
        waiting = resolution.orders if resolution is not None else ()
        found = next((o for o in waiting if (o.firer, o.target, o.battery) == wanted), None)
        if resolution is None or found is None:
            raise DreyerError("no such fire is waiting for its dice: look at the list again (62.3)")
        if self._side is not None and state.engagement[found.firer].side != self._side:
            raise DreyerError("each side chooses the order of its own fire alone (62.3)")
        ordered = rolled_next(resolution, found, Card.of(self._tables), self._rules)
        return replace(state, resolution=ordered)

    def _drafts_still_allowed(self, state: AdvancedState) -> AdvancedState:
        """The same state without the drafts that a correction has made impossible."""
        plots, fires = {}, {}
        for name, order in state.plots.items():
            ship = state.engagement[name]
            checker = PlotChecker(state, ship, order, self._rules, self._tables)
            checker.judge()
            if ship.in_action and not checker.faults:
                plots[name] = order
        for name, orders in state.fires.items():
            try:
                designating.check_orders(state.engagement, orders, self._rules)
            except DreyerError:
                continue
            fires[name] = orders
        return replace(state, plots=plots, fires=fires)

    def _opened(self, state: AdvancedState) -> AdvancedState:
        open_move = moving.open_plots(state, self._rules, self._tables)
        state = replace(state, kind=StepKind.MOVE, open_move=open_move, committed=frozenset())
        return state.telling(*telling.tell_plots(state.engagement, open_move))

    def _opening_fire(self, state: AdvancedState) -> AdvancedState:
        orders = designating.all_orders(state)
        resolution = begin_resolution(state.engagement, orders, Card.of(self._tables), self._rules)
        state = replace(state, kind=StepKind.RESOLVE, resolution=resolution, committed=frozenset())
        # 67.12: guns give a ship away in the phase in which they fire; torpedoes do not.
        firers = {order.firer for order in orders}
        turned = {
            name: identity.revealed(revealed_by_fire(state.phase, fired_guns=name in firers))
            for name, identity in state.identities.items()
        }
        new = [
            name
            for name, identity in turned.items()
            if state.identities[name].is_hidden and not identity.is_hidden
        ]
        state = self._telling_turned_up(replace(state, identities=turned), new)
        return self._resolved(state)

    def _resolved(self, state: AdvancedState) -> AdvancedState:
        """On to marking the damage, once the last die has fallen."""
        resolution = state.resolution
        if resolution is None or resolution.report is None or resolution.after is None:
            return state
        report = resolution.report
        state = state.telling(*telling.tell_phase(report, state.engagement, Card.of(self._tables)))
        state = replace(state, engagement=resolution.after, committed=frozenset())
        sunk = [name for name in report.sunk if name in state.identities]
        state = self._turned_up(state, sunk, "as she sinks")
        if not (report.fires or report.torpedoes or report.jams):
            return self._next_segment(state)
        return replace(state, kind=StepKind.MARK)

    def _next_segment(self, state: AdvancedState) -> AdvancedState:
        state = replace(
            state,
            kind=StepKind.PLOT,
            plots={},
            fires={},
            committed=frozenset(),
            resolution=None,
        )
        over = ended_if_over(state)
        if over.kind is StepKind.ENDED:
            return over
        state = replace(state, phase=state.engagement.phase)
        return state.telling(telling.tell_segment(state.phase))

    def _telling_turned_up(self, state: AdvancedState, names: list[str]) -> AdvancedState:
        told = []
        for name in names:
            identity = state.identities[name]
            if identity.revelation is not None:
                text = f"{identity.label} is turned up: {name}; {identity.revelation.why}"
                told.append(telling.tell("reveal", text, identity.revelation.rule, (name,)))
        return state.telling(*told)

    def _turned_up(self, state: AdvancedState, names: list[str], how: str) -> AdvancedState:
        """Ships turned up for another reason than 67.12: they need no number any more."""
        told = [
            telling.tell(
                "reveal",
                f"{state.identities[name].label} is turned up {how}: {name}",
                "67.1",
                (name,),
            )
            for name in names
            if state.identities[name].is_hidden
        ]
        left = {name: each for name, each in state.identities.items() if name not in names}
        return replace(state, identities=left).telling(*told)

    def _find(self, reference: object) -> str:
        return find(self._state, self._side, reference).name

    def _need(self, *kinds: StepKind) -> None:
        if self._state.kind not in kinds:
            raise DreyerError(f"not now: {_STEP_WORDS[self._state.kind]} (56)")

    def _need_open(self, side: str) -> None:
        if side in self._state.committed:
            raise DreyerError(f"{side} has committed: take that back first to change anything")

    def _check_side(self, side: str) -> None:
        if side not in self._state.sides:
            raise DreyerError(
                f"{side!r:.40} is no side of this battle: {', '.join(self._state.sides)}"
            )
