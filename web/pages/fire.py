"""The pages of a battle's fire: designation, rates of fire, and resolution with dice."""

from typing import Final

from flask import redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from combat.guided_actions import Draft
from combat.guided_play import BattleView, OrderedRulebook, StepKind
from combat.rulebooks import get_ruleset
from combat.views import FireCheck, OrdersCheck
from tabletop.messages import Message
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.battle.fire.designation import FireOrdersForm
from web.battle.fire.fleet import FleetFireForm
from web.battle.fire.rates import chosen_rates, rate_page
from web.battle.fire.resolution import dice_page
from web.battle.ordered.fire import fire_declaration
from web.checks.check_view import FORMATTERS
from web.faults import Fault
from web.games.guided_game import GuidedGame
from web.http import guard
from web.http.addresses import Pages
from web.views.battle import ordered_view, plotted_view
from web.views.table import Measure, may_measure
from web.views.turn import decides_alone

routes: Final = Pages(__name__)


@routes.get("/battle/fire")
def fleet_fire() -> BaseResponse | str:
    """The fire of all ships of the caller, to be designated at once."""
    return _fleet("battle/fire/fleet.html")


@routes.get("/battle/fire-part")
def fleet_fire_part() -> BaseResponse | str:
    """All fire of the selected batteries, by targets."""
    return _fleet("battle/fire/fleet_part.html")


@routes.get("/battle/fire/<ship:ship>")
def fire(ship: str) -> BaseResponse | str:
    """A ship's fire, to be designated or declared."""
    if isinstance(_battle().rulebook, OrderedRulebook):
        return _declaration("battle/ordered/fire.html", ship)
    return render_template("battle/fire/fire.html", **_designation(ship))


@routes.get("/battle/fire/<path:ship>/part")
def fire_part(ship: str) -> BaseResponse | str:
    """The fire of the selected turrets or batteries."""
    if isinstance(_battle().rulebook, OrderedRulebook):
        return _declaration("battle/ordered/fire_part.html", ship)
    return _part("battle/fire/fire_part.html", ship, StepKind.DESIGNATE)


@routes.get("/battle/fire/<path:ship>/ships")
def fire_ships(ship: str) -> BaseResponse | str:
    """The ships of the caller's side, and whose orders are written."""
    return _part("battle/fire/ships_part.html", ship, StepKind.DESIGNATE)


@routes.get("/battle/rate/<ship:ship>")
def rate(ship: str) -> str:
    """A ship's rates of fire, to be reduced."""
    return render_template("battle/rate/rate.html", **_rates(ship))


@routes.get("/battle/rate/<path:ship>/part")
def rate_part(ship: str) -> BaseResponse | str:
    """What the guns that are chosen would do."""
    return _part("battle/rate/rate_part.html", ship, StepKind.REDUCE)


@routes.get("/battle/rate/<path:ship>/ships")
def rate_ships(ship: str) -> BaseResponse | str:
    """The ships of the caller's side whose rates may be reduced."""
    return _part("battle/fire/ships_part.html", ship, StepKind.REDUCE)


@routes.get("/battle/dice")
def dice() -> BaseResponse | str:
    """All fire of the segment, and the dice that are wanted."""
    if isinstance(_battle().rulebook, OrderedRulebook):
        # There they are on the page of the battle itself.
        return redirect("/battle", code=303)
    return render_template("battle/dice/dice.html", **_dice(guard.must_look()))


@routes.get("/battle/dice/part")
def dice_part() -> str:
    """The part of the dice page that changes."""
    return render_template("battle/dice/dice_part.html", **_dice(guard.must_look()))


def _battle() -> GuidedGame:
    battle = guard.server_context().session.moment.battle
    if battle is None:
        raise Fault(404, Message("fire.no_battle"))
    return battle


def _part(template: str, ship: str, step: StepKind) -> BaseResponse | str:
    guard.must_play()
    if _battle().step.kind is not step:
        # The battle has moved on meanwhile; the current step's page shows what is next.
        return redirect("/battle", code=303)
    content = _designation(ship) if step is StepKind.DESIGNATE else _rates(ship)
    return render_template(template, **content)


def _fleet(template: str) -> BaseResponse | str:
    caller, battle = guard.must_play(), _battle()
    if battle.step.kind is not StepKind.DESIGNATE:
        # The battle has moved on meanwhile; the current step's page shows what is next.
        return redirect("/battle", code=303)
    side, view = acting_side(battle, caller), plotted_view(battle, caller)
    moment = guard.server_context().session.moment
    ships = tuple(
        ship.id
        for ship in view.ships
        if ship.yours and ship.in_action and ship.side not in view.committed
    )
    if not ships:
        return redirect("/battle", code=303)
    measured = may_measure(moment, caller) is Measure.YES
    form_orders = FleetFireForm(
        view,
        {ship: battle.fire_options(side, ship) for ship in ships},
        battle.fire_proposal(side, ships) if measured else {},
        measured=measured,
    )
    orders = form_orders.orders(request.args if "chosen" in request.args else None)
    check = battle.check(battle.plotted.fire_of_several(orders, side), OrdersCheck)
    page = form_orders.page(orders, check)
    return render_template(template, page=page, battle=view, **FORMATTERS)


def _declaration(template: str, ship: str) -> BaseResponse | str:
    caller, battle = guard.must_play(), _battle()
    moment, view = guard.server_context().session.moment, ordered_view(battle, caller)
    page = None
    if battle.step.kind is StepKind.COMBAT and view.wanted is None:
        measured = may_measure(moment, caller) is Measure.YES
        page = fire_declaration(battle, caller, view, ship, request.args, measured=measured)
    if page is None:
        # She has fired meanwhile, or it is somebody else's turn.
        return redirect("/battle", code=303)
    return render_template(template, page=page, battle=view, **FORMATTERS)


def _designation(ship: str) -> dict[str, object]:
    caller = guard.must_play()
    moment, battle = guard.server_context().session.moment, _battle()
    # For the rulebook no side means the umpire, so a caller without a side must be refused here.
    side = acting_side(battle, caller)
    view = plotted_view(battle, caller)
    words: dict[str, object] = {"battle": view, **FORMATTERS}
    if battle.step.kind is not StepKind.DESIGNATE:
        return {**words, "page": None, "name": ship}
    _must_command(view, ship)
    form_orders = FireOrdersForm(
        view,
        ship,
        battle.fire_options(side, ship),
        get_ruleset(moment.state.ruleset),
        measured=may_measure(moment, caller) is Measure.YES,
    )
    form = request.args if "ticked" in request.args else None
    orders = form_orders.orders(form)
    check = battle.check(battle.plotted.designation(ship, orders, side), FireCheck)
    page = form_orders.page(orders, check, from_form=form is not None)
    return {**words, "page": page, "name": ship}


def _rates(ship: str) -> dict[str, object]:
    caller, battle = guard.must_play(), _battle()
    side = acting_side(battle, caller)
    view = plotted_view(battle, caller)
    words: dict[str, object] = {"battle": view, **FORMATTERS}
    if battle.step.kind is not StepKind.REDUCE:
        return {**words, "page": None, "name": ship}
    _must_command(view, ship)
    if not any(each.reducible for each in view.rates.get(ship, ())):
        raise Fault(409, Message("fire.rates_none", ship=ship))
    form = request.args if "chosen" in request.args else None
    rates = chosen_rates(view, ship, form)
    draft = battle.plotted.reduction(ship, rates, side)
    full = battle.plotted.reduction(ship, (), side)
    page = rate_page(
        view,
        ship,
        rates,
        _fields(battle, draft),
        battle.check(draft, FireCheck),
        battle.check(full, FireCheck),
    )
    return {**words, "page": page, "name": ship}


def _fields(battle: GuidedGame, draft: Draft) -> dict[str, object]:
    """A draft as a request has it."""
    written = battle.rulebook.schemas.action.write(draft)
    return {key: value for key, value in written.items() if key not in ("kind", "side")}


def _must_command(view: BattleView, ship: str) -> None:
    for each in view.ships:
        if each.id == ship and each.yours:
            if not each.in_action:
                raise Fault(409, Message("fire.gone", ship=ship))
            return
    raise Fault(404, Message("fire.not_yours", ship=ship))


def _dice(caller: Caller) -> dict[str, object]:
    session, battle = guard.server_context().session, _battle()
    view, ruleset = plotted_view(battle, caller), get_ruleset(session.moment.state.ruleset)
    page = dice_page(battle, caller, view, session.seats, ruleset, request.args.get("fire", ""))
    alone = decides_alone(battle, caller, session.seats)
    return {"battle": view, "page": page, "alone": alone, **FORMATTERS}
