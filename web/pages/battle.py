"""The battle's pages: the current step, the plot keyboard, the story, and corrections."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Final

from flask import redirect, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from combat.guided_actions import Move
from combat.guided_play import OrderedKind, OrderedRulebook, PlottedView, StepKind
from combat.participants import SPECTATOR, Seat
from combat.views import MoveCheck, MoveView, PlacementView, ShipView
from combat.weather import LEVELS
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.table import Pose
from web.actions.battle import acting_side, standing_poses
from web.auth.seats import Caller, Forbidden
from web.battle.captains_view import captains_view
from web.battle.ordered.moves import move_page
from web.battle.ordered.turn import ordered_turn
from web.battle.plot.log import logs_of, plots_read
from web.battle.plot.move_card import move_card
from web.battle.plot.move_picture import move_picture
from web.battle.plot.pad import pad_for, settled_ways
from web.battle.plot.same_again import same_again
from web.battle.report.story import damage_of, story_segments
from web.battle.salvo.cards import Card, cards_of, free_cards_of
from web.captains import shown_moves
from web.drawing.plot_map import Reach, Way, draw_map, fire_lines, map_scale
from web.faults import Fault
from web.games.guided_game import GuidedGame
from web.http import guard
from web.http.addresses import Pages
from web.http.units import chosen_unit
from web.strings import text, words
from web.views.battle import battle_view, ordered_view, plotted_view, seat_seen
from web.views.happenings import MOST, free_happenings, happenings
from web.views.table import Measure, may_measure
from web.views.turn import SeatKind, decides_alone, parties_of, seat_of, turn_for, waits_for
from web.views.tutorial import tutorial_step

routes: Final = Pages(__name__)
_SEGMENTS: Final = 6
_MOVE_MAP_PX: Final = 230.0
_PLOT_MAP_PX: Final = 210.0


@routes.get("/battle")
def now() -> str:
    """The current step for this caller."""
    return render_template("battle/battle.html", **_battle_page(guard.must_look()))


@routes.get("/battle/now")
def now_part() -> str:
    """The part of the step that changes."""
    return render_template("battle/battle_part.html", **_battle_page(guard.must_look()))


@routes.get("/battle/bar")
def bar_part() -> str:
    """The sequence of play for the host's screen."""
    return render_template("battle/bar_part.html", **bar_for(guard.must_look()))


@routes.get("/battle/ask")
def ask_part() -> str:
    """The part of every page about undo, and whether the battle waits for the caller."""
    caller = guard.must_look()
    battle = _battle_or_none()
    if battle is None:
        return ""
    view, seat = battle_view(battle, caller), seat_of(battle, caller)
    undo, waits = view.undo, waits_for(view, seat)
    return render_template(
        "battle/undo_request_part.html",
        request_=undo.request,
        refused=undo.refused,
        agreed=undo.agreed,
        seat=seat,
        waits=waits,
    )


@routes.get("/battle/happenings")
def happenings_part() -> str:
    """Salvos and announcements after an action, as cards."""
    caller = guard.must_look()
    battle = _battle_or_none()
    return shown_cards(SPECTATOR if battle is None else seat_seen(battle, caller))


@routes.get("/battle/plot/<ship:ship>")
def plot(ship: str) -> BaseResponse | str:
    """The keyboard for a ship's plot."""
    return _pad("battle/plot/plot.html", ship)


@routes.get("/battle/plot/<path:ship>/part")
def plot_part(ship: str) -> BaseResponse | str:
    """The plot as typed: its path on the map, its factors and its faults."""
    return _pad("battle/plot/plot_part.html", ship)


@routes.get("/battle/plot/<path:ship>/ships")
def plot_ships(ship: str) -> BaseResponse | str:
    """The ships of the caller's side, and whose plots are written."""
    return _pad("battle/plot/ships_part.html", ship)


@routes.get("/battle/models")
def models() -> str:
    """The camera's picture while models are moved, with an arrow for each of the caller's own."""
    return render_template("battle/plot/models.html", **_models(guard.must_play()))


@routes.get("/battle/models/part")
def models_part() -> str:
    """The newest picture."""
    return render_template("battle/plot/models_part.html", **_models(guard.must_play()))


@routes.get("/battle/move/<ship:ship>")
def move(ship: str) -> BaseResponse | str:
    """A ship's move, or that of her whole division."""
    return _move("battle/ordered/move.html", ship)


@routes.get("/battle/move/<path:ship>/part")
def move_part(ship: str) -> BaseResponse | str:
    """The move as it is read: its way on the map, its limit and its faults."""
    return _move("battle/ordered/move_part.html", ship)


@routes.get("/battle/story")
def story() -> str:
    """The story."""
    return render_template("battle/story/story.html", **_story(guard.must_look()))


@routes.get("/battle/story/list")
def story_part() -> str:
    """The lines of the story."""
    return render_template("battle/story/story_part.html", **_story(guard.must_look()))


@routes.get("/battle/plots")
def plot_log() -> str:
    """The movement plots that the caller may read."""
    return render_template("battle/story/plots.html", **_plot_log(guard.must_look()))


@routes.get("/battle/plots/list")
def plot_log_part() -> str:
    """The part of the step that changes."""
    return render_template("battle/story/plots_part.html", **_plot_log(guard.must_look()))


@routes.get("/battle/correct")
def corrections() -> str:
    """The umpire's corrections."""
    caller = guard.must_look()
    battle = _battle()
    if not caller.is_umpire:
        raise Forbidden("battle.correct_umpire")
    view = battle_view(battle, caller)
    chosen = request.args.get("ship", "")
    ship = next((each for each in view.ships if each.id == chosen), None)
    return render_template(
        "battle/corrections.html",
        names=[each.id for each in view.ships],
        ship=ship,
        values=battle.correctable(ship.id if ship else None),
        levels=LEVELS,
    )


def shown_cards(seat: Seat) -> str:
    """The newest cards of what a seat is shown after the action that the request names."""
    after = request.args.get("after", 0, int)
    moment = guard.server_context().session.moment
    battle, free = moment.battle, moment.free.server_context
    cards: tuple[Card, ...] = ()
    if battle is not None:
        shown = happenings(battle, seat, after)[-MOST:]
        cards = cards_of(battle, seat, shown, moment.state.sides)
    elif free is not None:
        cards = free_cards_of(free, free_happenings(free, after)[-MOST:])
    return render_template("battle/salvo/cards_part.html", cards=cards)


def bar_for(caller: Caller) -> dict[str, object]:
    """The content of the sequence bar; None without a battle."""
    battle = _battle_or_none()
    if battle is None:
        return {"battle": None, "parties": ()}
    view, session = battle_view(battle, caller), guard.server_context().session
    return {"battle": view, "parties": parties_of(view, session.seats, session.is_present)}


def _battle_or_none() -> GuidedGame | None:
    return guard.server_context().session.moment.battle


def _battle() -> GuidedGame:
    battle = _battle_or_none()
    if battle is None:
        raise Fault(404, Message("battle.none"))
    return battle


def _battle_page(caller: Caller) -> dict[str, object]:
    battle = _battle_or_none()
    if battle is None:
        return {"battle": None}
    if isinstance(battle.rulebook, OrderedRulebook):
        return _ordered_page(battle, caller)
    seat = seat_of(battle, caller)
    captains = guard.server_context().captains
    view = plotted_view(battle, caller)
    if seat is SeatKind.PLAYER:
        # Somebody has to move the models of a side that the program plays.
        view = replace(view, move={**view.move, **shown_moves(captains, battle, caller)})
    kind = view.step.kind
    standing: tuple[PlacementView, ...] = ()
    session = guard.server_context().session
    sides, measured = session.moment.state.sides, _measured(caller)
    chart, repeat = None, None
    if kind == StepKind.PLOT and seat is not SeatKind.WATCHER and not view.wanted:
        repeat = same_again(battle, caller, view)
    if kind == StepKind.MOVE:
        standing, poses = _standing(battle, caller, seat)
        adrift = {each.ship: poses[each.ship] for each in standing if not each.in_place}
        ways = [
            Way(name, move.points, move.plotted, stands=adrift.get(name))
            for name, move in view.move.items()
        ]
        chart = draw_map(view, ways, sides, height=_MOVE_MAP_PX, measured=measured)
    elif kind in (StepKind.PLOT, StepKind.DESIGNATE):
        # Only their own side and an umpire have drafts in the view.
        drafted = view.plots and settled_ways(battle, acting_side(battle, caller), view)
        drafts = list(drafted or ())
        reach = _reach(battle, caller, view) if kind is StepKind.PLOT else ()
        chart = draw_map(view, drafts, sides, height=_MOVE_MAP_PX, measured=measured, reach=reach)
    elif kind in (StepKind.REDUCE, StepKind.RESOLVE):
        lines = fire_lines(view)
        chart = draw_map(view, lines, sides, height=_MOVE_MAP_PX, measured=measured)
    turn = turn_for(view, seat, session.seats, standing, repeat, session.is_present)
    return {
        "battle": view,
        "alone": decides_alone(battle, caller, session.seats),
        "turn": turn,
        "tutorial": tutorial_step(session.moment.state.title, view, turn),
        "standing": {each.ship: each for each in standing},
        "moves": _wrong_first(view, standing),
        "cards": {
            ship.id: move_card(
                ship,
                view.move[ship.id],
                sides,
                session.moment.state.yards_per_inch,
                chosen_unit(),
            )
            for ship in view.ships
            if ship.id in view.move
        },
        "chart": chart,
        "pictured": kind == StepKind.MOVE and _pictured(),
        "sides": {ship.id: ship.side for ship in view.ships},
        "damage": damage_of(battle, caller, view) if kind in (StepKind.MARK, StepKind.PLOT) else (),
        "captains": captains_view(captains, battle, caller, session.seats),
        "battle_id": guard.server_context().battles.open_id,
    }


def _ordered_page(battle: GuidedGame, caller: Caller) -> dict[str, object]:
    session, view = guard.server_context().session, ordered_view(battle, caller)
    models: Mapping[str, Pose] = {}
    if seat_of(battle, caller) is not SeatKind.WATCHER:
        side = acting_side(battle, caller)
        models = standing_poses(session.action_context(caller), battle, side)
    measures = _measured(caller)
    turn = ordered_turn(
        battle,
        caller,
        view,
        session.seats,
        models,
        measures=measures,
        is_present=session.is_present,
    )
    ways = turn.ways or fire_lines(view)
    return {
        "battle": view,
        "alone": decides_alone(battle, caller, session.seats),
        "turn": turn,
        "captains": captains_view(guard.server_context().captains, battle, caller, session.seats),
        "page": turn.dice,
        "chart": draw_map(
            view,
            ways,
            session.moment.state.sides,
            height=_MOVE_MAP_PX,
            measured=_measured(caller),
        ),
        "sides": {ship.id: ship.side for ship in view.ships},
        "battle_id": guard.server_context().battles.open_id,
    }


def _wrong_first(
    view: PlottedView, standing: tuple[PlacementView, ...]
) -> list[tuple[ShipView, MoveView]]:
    """Every ship with her move; those out of place come first, then the caller's own."""
    wrong = {each.ship for each in standing if not each.in_place}
    found = [(ship, view.move[ship.id]) for ship in view.ships if ship.id in view.move]
    return sorted(found, key=lambda each: (each[0].id not in wrong, not each[0].yours))


def _standing(
    battle: GuidedGame, caller: Caller, seat: SeatKind
) -> tuple[tuple[PlacementView, ...], Mapping[str, Pose]]:
    """The models' positions compared with their plots."""
    if seat is SeatKind.WATCHER or (battle.plotted_view(SPECTATOR).fog and not caller.is_umpire):
        # For the rules, no side means the umpire, who may see what a spectator may not.
        return (), {}
    side = acting_side(battle, caller)
    poses = standing_poses(guard.server_context().session.action_context(caller), battle, side)
    check = battle.check(Move(side=side, poses=poses), MoveCheck)
    return check.standings, poses


def _pictured() -> bool:
    """Whether the camera shows the table."""
    seen = guard.server_context().camera_thread.latest
    return seen is not None and seen.frame is not None and seen.snapshot.plane is not None


def _models(caller: Caller) -> dict[str, object]:
    battle, context = _battle(), guard.server_context()
    view = plotted_view(battle, caller)
    moving = view.step.kind is StepKind.MOVE
    standing: tuple[PlacementView, ...] = ()
    picture = None
    if moving:
        standing, poses = _standing(battle, caller, seat_of(battle, caller))
        scale = Scale(context.session.moment.state.yards_per_inch)
        picture = move_picture(context.camera_thread.latest, scale, standing, poses)
    return {
        "battle": view,
        "moving": moving,
        "picture": picture,
        "standing": standing,
        "sides": {ship.id: ship.side for ship in view.ships},
    }


def _pad(template: str, ship: str) -> BaseResponse | str:
    caller = guard.must_look()
    battle = _battle_or_none()
    if battle is None or battle.step.kind is not StepKind.PLOT:
        # The battle has moved on meanwhile; the current step's page shows what is next.
        return redirect("/battle", code=303)
    pad = pad_for(battle, caller, ship, request.args, measured=_measured(caller))
    reach = _reach(battle, caller, pad.view)
    chart = draw_map(
        pad.view,
        pad.ways,
        guard.server_context().session.moment.state.sides,
        focus=ship,
        height=_PLOT_MAP_PX,
        measured=_measured(caller),
        reach=reach,
    )
    step, saved = pad.view.step, pad.view.plots.get(ship)
    return render_template(
        template,
        pad=pad,
        segment=f"{guard.server_context().session.battle_key}.{step.round_number}.{step.segment}",
        saved=json.dumps(asdict(saved)) if saved else "",
        scale=map_scale(pad.view, pad.ways, ship, _PLOT_MAP_PX, reach),
        chart=chart,
        battle=pad.view,
        why_keys={
            key: str(text("battle.key_refused", key=key, why=words(why)))
            for key, why in pad.why_not.items()
        },
    )


def _reach(battle: GuidedGame, caller: Caller, view: PlottedView) -> tuple[Reach, ...]:
    """Where ships could be after this segment, as far as the caller may know what they can do."""
    shown = {ship.id for ship in view.ships if ship.in_action}
    outlines = battle.reach_outlines(seat_seen(battle, caller))
    return tuple(
        Reach(ship, points) for ship, points in outlines.items() if points and ship in shown
    )


def _move(template: str, ship: str) -> BaseResponse | str:
    caller = guard.must_play()
    battle = _battle_or_none()
    if battle is None or battle.step.kind is not StepKind.SHIP_MOVES:
        return redirect("/battle", code=303)
    session, view = guard.server_context().session, ordered_view(battle, caller)
    side = acting_side(battle, caller)
    models = standing_poses(session.action_context(caller), battle, side)
    page = None
    if OrderedKind.MOVE_SHIP in [action.kind for action in view.actions]:
        page = move_page(battle, caller, view, models, ship, request.args)
    if page is None:
        # She has moved meanwhile, or it is somebody else's turn.
        return redirect("/battle", code=303)
    chart = draw_map(
        view,
        page.ways,
        session.moment.state.sides,
        focus=ship,
        height=_PLOT_MAP_PX,
        measured=_measured(caller),
    )
    return render_template(template, page=page, chart=chart, battle=view)


def _story(caller: Caller) -> dict[str, object]:
    battle = _battle_or_none()
    if battle is None:
        return {"battle": None}
    shown = request.args.get("most", "")
    most = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 5 else _SEGMENTS
    if most < 1:
        raise NotFound
    view = battle_view(battle, caller)
    chosen = request.args.get("ship", "")
    names = [ship.id for ship in view.ships]
    segments = story_segments(
        battle, caller, chosen if chosen in names else "", measured=_measured(caller)
    )
    return {
        "battle": view,
        "seat": seat_of(battle, caller),
        "alone": decides_alone(battle, caller, guard.server_context().session.seats),
        "segments": segments[:most],
        "more": most * 3 if len(segments) > most else 0,
        "most": most,
        "names": names,
        "chosen": chosen if chosen in names else "",
        "begun": battle.record.begun,
    }


def _plot_log(caller: Caller) -> dict[str, object]:
    battle = _battle_or_none()
    if battle is None:
        return {"battle": None}
    return {"battle": battle_view(battle, caller), "logs": logs_of(plots_read(battle, caller))}


def _measured(caller: Caller) -> bool:
    """Whether a scale may be shown, which it may not where measuring is restricted."""
    return may_measure(guard.server_context().session.moment, caller) is Measure.YES
