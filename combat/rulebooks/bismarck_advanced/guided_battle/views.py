"""What a side may see of a battle: all of its own, what is open, and nothing else.

Everything that leaves the engine for a player leaves through here, through `story.story` or
through an error; each of them is looked at through the side's `KnownNames`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from combat.actions import ActionOffer
from combat.dice_wanted import DiceWanted
from combat.events import Event
from combat.guided_play import PlottedView, Step, StepKind, StepMark
from combat.optional_rules import RuleValue
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.after_battle.withdrawal import judge_withdrawal
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.engagement.glance import glance_at
from combat.rulebooks.bismarck_advanced.engagement.record_sheets import status_of, trouble_of
from combat.rulebooks.bismarck_advanced.fire.fire_report import fire_events
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.jams import jam_event
from combat.rulebooks.bismarck_advanced.fire.torpedo_report import torpedo_events
from combat.rulebooks.bismarck_advanced.fire.torpedoes import Salvo
from combat.rulebooks.bismarck_advanced.guided_battle.agreements import agreed_view
from combat.rulebooks.bismarck_advanced.guided_battle.between_battles import ship_repairs
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import (
    OpenItem,
    Resolution,
    label_of,
    salvo_label,
    shot_key,
    without_shot,
)
from combat.rulebooks.bismarck_advanced.guided_battle.fog import (
    contacts,
    is_foggy,
    sees_front,
    sees_place,
)
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames, listed
from combat.rulebooks.bismarck_advanced.guided_battle.movement import move_legs
from combat.rulebooks.bismarck_advanced.guided_battle.plots import SPACING_YARDS, open_speeds
from combat.rulebooks.bismarck_advanced.guided_battle.rates import fire_rates
from combat.rulebooks.bismarck_advanced.guided_battle.sealed import (
    is_sealed,
    readable_log,
    shown_evolution,
    speed_is_sealed,
)
from combat.rulebooks.bismarck_advanced.guided_battle.state import SEGMENT_NUMBERS, AdvancedState
from combat.rulebooks.bismarck_advanced.guided_battle.story import (
    fire_entry,
    in_fog,
    jam_entry,
    seen,
    torpedo_entry,
)
from combat.ship_conditions import ShipCondition, conditions_of
from combat.views import (
    ActionView,
    ConditionsView,
    ContactView,
    DesignationView,
    FireChoice,
    FireOrderView,
    FireRateView,
    LoggedPlot,
    MoveView,
    OpenRollView,
    PendingRepairView,
    PlotCheck,
    PlottedShipView,
    PlotView,
    ReducedFireView,
    RepairView,
    ResolutionView,
    SmokeView,
    TorpedoMarkerView,
    WithdrawalView,
)
from combat.weather import NO_VISIBILITY
from tabletop.messages import Message, verbatim


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose eyes a battle is looked at with."""

    state: AdvancedState
    seat: Seat
    names: KnownNames
    edition: Edition = CURRENT

    @classmethod
    def of(cls, state: AdvancedState, seat: Seat, edition: Edition = CURRENT) -> "Viewer":
        """What a seat may see."""
        return cls(state, seat, KnownNames.of(state, seat), edition)

    def owns(self, side: str) -> bool:
        """Whether a side's secrets are this viewer's to see."""
        return self.seat.may_act_for(side)

    def ships(self) -> tuple[Combatant, ...]:
        """All ships, in an order that tells nothing of who is hidden."""
        return listed(self.state, self.names)


def view(
    state: AdvancedState,
    seat: Seat,
    *,
    step: Step,
    sequence: tuple[StepMark, ...],
    actions: tuple[ActionOffer, ...],
    wanted: tuple[DiceWanted, ...],
    edition: Edition,
) -> PlottedView:
    """The battle as a seat may see it; `wanted` comes by the ships' true names."""
    viewer = Viewer.of(state, seat, edition)
    battle, names = state.engagement, viewer.names
    known = tuple(_wanted(each, names) for each in wanted)
    return PlottedView(
        step=step,
        sequence=sequence,
        actions=tuple(ActionView(each.kind, each.title, each.info.rule) for each in actions),
        wanted=next(iter(known), None),
        all_wanted=known,
        title=state.title,
        sides=state.sides,
        you=seat.side,
        sees_all=seat.umpire,
        round=state.phase.round_number,
        segment=state.segment,
        conditions=ConditionsView(
            visibility=battle.visibility,
            night=battle.night,
            starting_range_yards=battle.starting_range_yards,
            hidden=bool(state.identities),
        ),
        committed=tuple(sorted(state.committed)),
        wants_to_end=tuple(sorted(state.wants_to_end)),
        ending=names.message(state.ending),
        ships=tuple(_ship(viewer, ship) for ship in viewer.ships()),
        fog=is_foggy(state),
        contacts=tuple(
            ContactView(each.observer, each.bearing_deg) for each in contacts(state, seat)
        ),
        smoke=_smoke(viewer),
        torpedo_markers=_markers(viewer),
        plots=_plots(viewer),
        written=_written(state),
        move=_move(viewer),
        fires=_fires(viewer),
        rates=_rates(viewer),
        agreed=tuple(agreed_view(each, names) for each in battle.agreed),
        designations=_designations(viewer),
        reduced=_reduced(viewer),
        resolution=_resolution(viewer),
        repairs=_repairs(viewer),
        follows=state.follows,
    )


def _wanted(wanted: DiceWanted, names: KnownNames) -> DiceWanted:
    """Dice as a seat may know them: what tells the very shot tells more than its ships."""
    return replace(wanted, purpose=names.message(without_shot(wanted.purpose)))


def conditions_in_force(state: AdvancedState) -> Iterator[RuleValue]:
    """What holds for the whole battle, for everybody to read."""

    def line(key: str, value: Message, rule: str, *, changed: bool = False) -> RuleValue:
        label = Message(f"advanced.in_force.{key}")
        return RuleValue(key=key, label=label, value=value, rule=rule, changed=changed)

    battle, yards = state.engagement, state.engagement.starting_range_yards
    sight = battle.visibility
    yield line("visibility", verbatim(str(sight)), "55.22", changed=sight == NO_VISIBILITY)
    hour = Message(f"advanced.in_force.{'night' if battle.night else 'day'}")
    yield line("light", hour, "55.22", changed=battle.night)
    distance = Message("advanced.in_force.no_range")
    if yards is not None:
        distance = Message("advanced.in_force.yards", yards=yards)
    yield line("starting_range", distance, "55.22, 66")
    known = Message(f"advanced.in_force.{'face_down' if state.identities else 'face_up'}")
    yield line("hidden", known, "55.28, 67.1")


def _ship(viewer: Viewer, ship: Combatant) -> PlottedShipView:
    state, names = viewer.state, viewer.names
    seat, edition = viewer.seat, viewer.edition
    identity = state.identities.get(ship.name)
    sealed = is_sealed(ship, state, seat, edition) and state.kind is not StepKind.MOVE
    seen = PlottedShipView(
        id=names(ship.name),
        side=ship.side,
        hidden=names.hides(ship.name),
        face_down=identity is not None and identity.is_hidden,
        label=identity.label if identity is not None else None,
        pose=ship.pose,
        base=ship.base,
        status=status_of(ship),
        yours=viewer.owns(ship.side),
        smoke_cover=state.engagement.smoke.is_covered(ship.name, state.phase),
        evolution=(shown_evolution(ship) if sealed else ship.evolution).value,
    )
    if seen.hidden:
        return seen
    vessel = ship.vessel
    known = replace(
        seen,
        name=ship.name,
        type=vessel.warship.name,
        ship_class=vessel.warship.ship_class,
        speed=None if speed_is_sealed(ship, state, seat, edition) else _speed(ship),
        movement_factor=vessel.movement_factor,
        trouble=trouble_of(vessel),
        conditions=_conditions(ship),
        glance=glance_at(vessel),
    )
    if not (seen.yours and state.kind is StepKind.PLOT and ship.in_action):
        return known
    return replace(
        known,
        speeds=open_speeds(state.engagement, ship),
        withdrawal=_withdrawal(ship, state.engagement.starting_range_yards),
        torpedoes=0 if vessel.torpedoes_fired else vessel.warship.torpedoes,
    )


def _conditions(ship: Combatant) -> tuple[ShipCondition, ...]:
    if not ship.in_action:
        return ()
    vessel = ship.vessel
    return conditions_of(
        hull_lost=vessel.hull_lost / vessel.hull_quarters,
        stopped=vessel.movement_factor == 0,
    )


def _speed(ship: Combatant) -> int | None:
    return ship.speed if ship.moving else None


def _withdrawal(ship: Combatant, starting_range_yards: float | None) -> WithdrawalView:
    verdict = judge_withdrawal(ship.rounds_outside, starting_range_yards)
    return WithdrawalView(verdict.may_withdraw, verdict.rounds_outside, verdict.why, verdict.rule)


def _smoke(viewer: Viewer) -> tuple[SmokeView, ...]:
    laid = viewer.state.engagement.smoke.fronts
    return tuple(
        SmokeView(
            each.front.x1_yards,
            each.front.y1_yards,
            each.front.x2_yards,
            each.front.y2_yards,
            until=each.last.message,
            ship=each.ship and viewer.names(each.ship),
        )
        for each in laid
        if each.last >= viewer.state.phase and sees_front(viewer.state, viewer.seat, each.front)
    )


def _markers(viewer: Viewer) -> tuple[TorpedoMarkerView, ...]:
    """69.5: where torpedoes were launched is seen by all, at whom by their own side only."""
    battle = viewer.state.engagement
    return tuple(
        _marker(viewer, salvo, own=viewer.owns(battle[salvo.launcher].side))
        for salvo in viewer.state.torpedoes_under_way
        if _sees_marker(viewer, salvo)
    )


def _sees_marker(viewer: Viewer, salvo: Salvo) -> bool:
    place, side = salvo.marker, viewer.state.engagement[salvo.launcher].side
    return viewer.owns(side) or sees_place(viewer.state, viewer.seat, place.x_yards, place.y_yards)


def _marker(viewer: Viewer, salvo: Salvo, *, own: bool) -> TorpedoMarkerView:
    return TorpedoMarkerView(
        launcher=viewer.names(salvo.launcher),
        place=salvo.marker,
        due=salvo.due.message if own else None,
        target=viewer.names(salvo.target) if own else None,
    )


def _plots(viewer: Viewer) -> Mapping[str, PlotView]:
    """A side's own drafts; the other's are nobody's business until they lie open."""
    if viewer.state.kind is not StepKind.PLOT:
        return {}
    battle, names = viewer.state.engagement, viewer.names
    return {
        name: PlotView(
            speed=order.speed,
            notation=order.plot,
            follows=order.follows and names(order.follows),
            torpedo=order.torpedo_target and names(order.torpedo_target),
            smoke_side=order.smoke_side.value,
        )
        for name, order in viewer.state.plots.items()
        if viewer.owns(battle[name].side)
    }


def _written(state: AdvancedState) -> Mapping[str, int]:
    if state.kind is not StepKind.PLOT:
        return {}
    return {
        side: sum(ship.name in state.plots for ship in state.fleet(side)) for side in state.sides
    }


def _move(viewer: Viewer) -> Mapping[str, MoveView]:
    """The move: where her own side's plots lead, and those that are open (57.6).

    Others see the models when they are moved, and until then nothing. What was written of a hidden
    ship stays her own side's.
    """
    state, names = viewer.state, viewer.names
    opened = state.open_move
    if opened is None:
        return {}
    drawn = {}
    foggy = is_foggy(state)
    for ship in viewer.ships():
        if ship.name not in opened.report.paths:
            continue
        if foggy and not viewer.owns(ship.side):
            # Where a move in sight leads may be out of sight.
            continue
        if is_sealed(ship, state, viewer.seat, viewer.edition):
            drawn[names(ship.name)] = MoveView()
            continue
        path = opened.report.paths[ship.name]
        seen = MoveView(points=path.even_polyline(SPACING_YARDS), plotted=path.end)
        if not names.hides(ship.name):
            ahead = opened.orders[ship.name].follows
            seen = replace(
                seen,
                notation=str(opened.report.plots[ship.name]),
                follows=ahead and names(ahead),
                speed=opened.moved[ship.name].speed,
                legs=move_legs(opened.report.plots[ship.name], path),
            )
        drawn[names(ship.name)] = seen
    return drawn


def movement_log(viewer: Viewer) -> tuple[LoggedPlot, ...]:
    """The movement plots that a viewer may read (57.51, 57.6), ship by ship.

    Those of a hidden ship would tell who she is.
    """
    state, names = viewer.state, viewer.names
    order = {ship.name: number for number, ship in enumerate(viewer.ships())}
    read = readable_log(state, viewer.seat, viewer.edition)
    entries = [each for each in read if each.ship in order]
    return tuple(
        LoggedPlot(
            ship=each.ship,
            side=state.engagement[each.ship].side,
            round=each.phase.round_number,
            segment=SEGMENT_NUMBERS[each.phase.segment],
            speed=each.speed,
            notation=each.notation,
            follows=names(each.follows) if each.follows else None,
        )
        for each in sorted(entries, key=lambda each: (order[each.ship], each.phase))
        if not names.hides(each.ship)
        and (viewer.owns(state.engagement[each.ship].side) or not is_foggy(state))
    )


def _fires(viewer: Viewer) -> Mapping[str, tuple[FireOrderView, ...]]:
    if viewer.state.kind is not StepKind.DESIGNATE:
        return {}
    battle = viewer.state.engagement
    return {
        name: tuple(
            FireOrderView(
                target=viewer.names(order.target),
                battery=order.battery.value,
                turrets=tuple(order.turrets),
                guns=order.guns,
                held_back=order.held_back,
            )
            for order in orders
        )
        for name, orders in viewer.state.fires.items()
        if viewer.owns(battle[name].side)
    }


def _rates(viewer: Viewer) -> Mapping[str, tuple[FireRateView, ...]]:
    """A side's own choice; the others' is nobody's business until the fire is resolved."""
    state = viewer.state
    if state.kind is not StepKind.REDUCE:
        return {}
    own = (ship for ship in state.engagement.in_action if viewer.owns(ship.side))
    found = {ship.name: fire_rates(state, ship, viewer.names) for ship in own}
    return {name: rates for name, rates in found.items() if rates}


def _designations(viewer: Viewer) -> tuple[DesignationView, ...]:
    """Everybody's fire, once both sides have committed it."""
    resolution, names = viewer.state.resolution, viewer.names
    return tuple(
        DesignationView(
            target=names(order.target),
            battery=Message(f"advanced.battery.{order.battery}"),
            turrets=tuple(order.turrets),
            guns=order.guns,
            held_back=order.held_back,
            firer=names(order.firer),
        )
        for order in (resolution.orders if resolution is not None else ())
        if _concerns(viewer, order.firer, order.target)
    )


def _concerns(viewer: Viewer, *ships: str) -> bool:
    """Whether what is done between ships is a viewer's to know: in fog of war only its own."""
    battle = viewer.state.engagement
    return not is_foggy(viewer.state) or any(viewer.owns(battle[name].side) for name in ships)


def _reduced(viewer: Viewer) -> tuple[ReducedFireView, ...]:
    """67.41: the rates of fire, once every side has committed them."""
    resolution, names = viewer.state.resolution, viewer.names
    return tuple(
        ReducedFireView(
            firer=names(order.firer),
            target=names(order.target),
            battery=Message(f"advanced.battery.{order.battery}"),
            guns=order.rates,
        )
        for order in (resolution.orders if resolution is not None else ())
        if order.rates and _concerns(viewer, order.firer, order.target)
    )


def _resolution(viewer: Viewer) -> ResolutionView | None:
    """What the dice have decided so far, what is being rolled for, and what is ahead."""
    resolution = viewer.state.resolution
    if resolution is None:
        return None
    done = [
        *(jam_entry(jam_event(jam)) for jam in resolution.jams),
        *(fire_entry(_fire_events(fire)) for fire in resolution.fires),
        *(torpedo_entry(tuple(torpedo_events(each))) for each in resolution.torpedoes),
    ]
    resolving = viewer.state.kind is StepKind.RESOLVE
    known = [item for item in resolution.open if resolving and _concerns(viewer, *item.ships)]
    ahead = [
        label_of(shot)
        for shot in resolution.open_shots[resolution.current is not None :]
        if _concerns(viewer, shot.firer.name, shot.target.name)
    ]
    ahead += (
        salvo_label(each.salvo, each.receiver)
        for each in resolution.open_arrivals
        if _concerns(viewer, each.salvo.launcher, each.receiver)
    )
    if viewer.names.own is not None:
        done = list(in_fog(done, viewer.names.own))
    told = viewer.names.in_story
    return ResolutionView(
        done=tuple(seen(each, told) for each in done),
        open=tuple(_open(item, viewer) for item in known),
        ahead=tuple(map(viewer.names.message, ahead)),
        choices=tuple(fire_choices(viewer, resolution)) if resolving else (),
        dice=tuple(roll.value for roll in resolution.rolls),
    )


def _open(item: OpenItem, viewer: Viewer) -> OpenRollView:
    """A jam, a fire or a salvo that may be rolled, with what has come of it so far."""
    found = None
    if item.fire is not None:
        found = fire_entry(_fire_events(item.fire), complete=False)
        if viewer.names.own is not None:
            found = next(in_fog([found], viewer.names.own), None)
    entry = None if found is None else seen(found, viewer.names.in_story)
    return OpenRollView(
        item=item.name,
        label=viewer.names.message(without_shot(item.label)),
        side=item.side,
        begun=item.begun,
        needs_dice=item.needs_dice,
        entry=entry,
        wanted=item.wanted and _wanted(item.wanted, viewer.names),
    )


def _fire_events(fire: FireReport) -> tuple[Event, ...]:
    return tuple(fire_events(fire, fire.shot.firer.name, fire.shot.target.name))


def fire_choices(viewer: Viewer, resolution: Resolution) -> Iterator[FireChoice]:
    """62.3: which of her own fires the viewer's side may roll next, in the order as it is."""
    battle, names = viewer.state.engagement, viewer.names
    begun = {item.key for item in resolution.open if item.begun}
    waiting = [shot for shot in resolution.open_shots if shot_key(shot) not in begun]
    for at, shot in enumerate(waiting):
        # Those of one place in the order roll one after the other: the first is next already.
        group = battle.fires_after(battle[shot.firer.name])
        first = next(
            n
            for n, each in enumerate(waiting)
            if battle.fires_after(battle[each.firer.name]) == group
        )
        if at == first or not viewer.owns(battle[shot.firer.name].side):
            continue
        yield FireChoice(
            label=names.message(label_of(shot)),
            firer=names(shot.firer.name),
            target=names(shot.target.name),
            battery=shot.battery.value,
        )


def _repairs(viewer: Viewer) -> RepairView | None:
    state = viewer.state
    if state.kind is not StepKind.ENDED:
        return None
    pending = state.yard.pending
    return RepairView(
        turn=state.yard.turn,
        tried=tuple(sorted(state.yard.tried)),
        pending=pending and PendingRepairView(pending[0], pending[1].title),
        ships={
            ship.name: ship_repairs(state, ship)
            for ship in state.engagement.combatants
            if viewer.owns(ship.side) and not ship.vessel.is_sunk
        },
    )


def known_check(check: PlotCheck, names: KnownNames) -> PlotCheck:
    """A checked plot with numbers for hidden ships."""
    return replace(
        check,
        faults=tuple(
            replace(fault, message=names.message(fault.message)) for fault in check.faults
        ),
        notes=tuple(map(names.line, check.notes)),
    )
