"""The pages of the battles: the stored ones, the scenarios, and setting one up."""

import random
import time
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from flask import redirect, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from combat.guided_play import CampaignRulebook, OrderedRulebook
from combat.optional_rules import OptionalRule
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.scenarios import Scenario, all_scenarios
from combat.ships import ShipClass, ShipType
from combat.sides import usual
from combat.views import ShipView
from combat.weather import LEVELS
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from web.archive.battles import StoredBattle, may_export
from web.archive.previous import PreviousBattle
from web.auth.seats import Caller
from web.battle.setup.draft import DICE, MOST_OF_A_KIND, BattleDraft, read_draft
from web.battle.setup.fields import CONDITIONS, OPTION
from web.battle.setup.fleet import MOST_OF_A_CARD, FleetDraft, read_fleet
from web.battle.setup.opening import map_of
from web.battle.setup.starting_state import FIELD, fields_for, read_fields
from web.drawing.figures import Drawing
from web.drawing.scenario_map import StartingShip, draw_scenario
from web.drawing.silhouettes import silhouette_of
from web.games.guided_game import GuidedGame, guided_rulebook
from web.http import guard
from web.http.addresses import Pages
from web.journal.battle_plan import BattlePlan
from web.sides import SideViews
from web.strings import text, words
from web.views.battle import seat_seen

_LOT: Final = random.SystemRandom()
_DIE: Final = {"range": "range_die", "direction": "direction_die"}

routes: Final = Pages(__name__)


@dataclass(frozen=True, slots=True)
class ScenarioCard:
    """A scenario on the page of the battles."""

    scenario: Scenario
    ruleset: Ruleset
    sides: SideViews
    map: Drawing
    optional_rules: tuple[OptionalRule, ...]
    has_fleets: bool
    """Whether its battle is of fleets with divisions, without weather and hidden ships."""


@routes.get("/battles")
def battles() -> str:
    """All stored battles and all scenarios."""
    caller = guard.must_look()
    scenarios = [
        ScenarioCard(
            scenario=each,
            ruleset=get_ruleset(each.ruleset),
            sides=SideViews(each.sides),
            map=map_of(each.key),
            optional_rules=guided_rulebook(each.ruleset).optional_rules(each.options),
            has_fleets=_has_fleets(each.ruleset),
        )
        for each in all_scenarios().values()
    ]
    return render_template("archive/battles.html", scenarios=scenarios, **_kept(caller))


@routes.get("/battles/list")
def battles_list() -> str:
    """The stored battles."""
    return render_template("archive/battles_part.html", **_kept(guard.must_look()))


@routes.get("/battles/new")
def new() -> Response | str:
    """Set a battle up: ships, dice, places; each step is part of the address."""
    guard.must_host()
    ruleset = _fleet_ruleset()
    if ruleset is not None:
        return _new_fleet(ruleset)
    fault, sides, previous = "", guard.server_context().session.moment.state.sides, _previous()
    try:
        draft = read_draft(request.args, sides, previous)
    except DreyerError as error:
        draft, fault = read_draft(type(request.args)(), sides, previous), words(error)
    if draft.is_chosen and not fault and "change" not in request.args:
        wanted = _DIE.get(request.args.get("roll", ""))
        if wanted is not None:
            # The die is now in the address, so that reloading the page does not roll again.
            rolled = {*draft.rolled, request.args["roll"]}
            address = draft.address(**{wanted: _LOT.choice(DICE)}, rolled=None)
            marks = "".join(f"&rolled={each}" for each in sorted(rolled))
            return redirect(address + marks, code=303)
        return _meeting(draft)
    return _choosing(draft, fault)


@routes.get("/battles/new/fleet")
def fleet_part() -> str:
    """The fleets as chosen: points, divisions, faults, and the button that begins."""
    guard.must_host()
    ruleset = _fleet_ruleset()
    if ruleset is None:
        raise NotFound
    draft, fault = _fleet_draft(ruleset)
    return render_template("battle/setup/fleet_part.html", **_fleet_page(draft, fault))


def _fleet_ruleset() -> Ruleset | None:
    """The rulebook of the address, if its battles are of fleets with divisions."""
    name = request.args.get("ruleset", "")
    if name not in NAMES or get_ruleset(name).battle is None:
        return None
    library = guard.server_context().session.moment.library
    return library.get(name) if _has_fleets(name) else None


def _has_fleets(ruleset: str) -> bool:
    """Whether battles are of fleets with divisions, without weather and hidden ships."""
    return isinstance(guided_rulebook(ruleset), OrderedRulebook)


def _new_fleet(ruleset: Ruleset) -> str:
    draft, fault = _fleet_draft(ruleset)
    chosen = draft.is_chosen and not fault and "change" not in request.args
    template = "battle/setup/fleet.html" if chosen else "battle/setup/fleet_ships.html"
    return render_template(template, **_fleet_page(draft, fault))


def _fleet_draft(ruleset: Ruleset) -> tuple[FleetDraft, str]:
    """The draft of the address, or an empty one, and what is wrong with the address."""
    sides = guard.server_context().session.moment.state.sides
    try:
        draft = read_fleet(request.args, sides, ruleset)
    except DreyerError as error:
        empty = type(request.args)({"ruleset": ruleset.name})
        return read_fleet(empty, sides, ruleset), words(error)
    half = bool(draft.ships) and not draft.is_chosen
    return draft, str(text("battles.both_sides")) if half else ""


def _fleet_page(draft: FleetDraft, fault: str) -> dict[str, object]:
    order = list(ShipClass)
    cards = sorted(
        draft.ruleset.ships,
        key=lambda card: (card.nation, order.index(card.ship_class), card.name),
    )
    counts = Counter((ship.side, ship.type.name) for ship in draft.ships)
    return {
        "draft": draft,
        "fault": fault,
        "rulebooks": _guided_rulebooks(),
        "nations": [(nation, list(each)) for nation, each in groupby(cards, _nation)],
        "counts": counts,
        "most": MOST_OF_A_CARD,
        "symbol": silhouette_of,
        "conditions_key": CONDITIONS,
        "option_key": OPTION,
        "table_sides": SideViews(draft.sides),
    }


def _guided_rulebooks() -> list[tuple[str, str]]:
    """The rulebooks whose battles can be set up, by name and title."""
    return [
        (name, get_ruleset(name).title) for name in NAMES if get_ruleset(name).battle is not None
    ]


@routes.get("/battles/new/ship")
def new_state() -> Response | str:
    """The state of a ship at the start: damage, ammunition, torpedoes."""
    guard.must_host()
    draft = read_draft(request.args, guard.server_context().session.moment.state.sides, _previous())
    name = request.args.get("ship", "")
    ship = next((each for each in draft.ships if each.name == name), None)
    if ship is None:
        known = [each.name for each in draft.ships]
        raise UnknownName(Message("errors.where.setup"), "ship", name, known)
    rulebook, fault, marks = guided_rulebook(draft.ruleset), "", ship.marks
    if "set" in request.args:
        try:
            fresh = request.args["set"] == "fresh"
            marks = (
                rulebook.schemas.marks.read({})
                if fresh
                else read_fields(rulebook, ship.type.name, marks, request.args)
            )
            return redirect(draft.with_state(ship, marks), code=303)
        except DreyerError as error:
            fault = words(error)
    return render_template(
        "battle/setup/ship_state.html",
        draft=draft,
        ship=ship,
        fields=fields_for(rulebook, ship.type.name, marks),
        typed=request.args if fault else {},
        fault=fault,
        back=draft.with_state(ship, ship.marks or rulebook.schemas.marks.read({})),
        field=FIELD,
        table_sides=SideViews(draft.sides),
    )


def _previous() -> PreviousBattle | None:
    """The previous battle that the address names."""
    after = request.args.get("after")
    return guard.server_context().battles.previous(guard.must_host(), after) if after else None


def _choosing(draft: BattleDraft, fault: str) -> str:
    own = [ship for ship in draft.ships if ship.named]
    chosen = {(ship.side, ship.type.name) for ship in draft.ships if not ship.named}
    counts = {
        (side.key, kind.name): sum(
            (ship.side, ship.type.name) == (side.key, kind.name)
            for ship in draft.ships
            if not ship.named
        )
        for side in draft.sides
        for kind in _fleet()
    }
    return render_template(
        "battle/setup/ships.html",
        draft=draft,
        fault=fault or _half_chosen(draft),
        nations=[(nation, list(ships)) for nation, ships in groupby(_new_ships(draft), _nation)],
        kept={ship.name for ship in draft.ships},
        is_open=draft.previous is not None
        and draft.previous.id == guard.server_context().battles.open_id,
        chosen=chosen,
        own=own,
        counts=counts,
        conditions_key=CONDITIONS,
        option_key=OPTION,
        many=lambda ship: ship.ship_class is ShipClass.DESTROYER,
        most=MOST_OF_A_KIND,
        symbol=silhouette_of,
        rulebooks=_guided_rulebooks(),
        table_sides=SideViews(draft.sides),
    )


def _nation(ship: ShipType) -> str:
    return ship.nation


def _new_ships(draft: BattleDraft) -> list[ShipType]:
    """The selectable ships, without those of the previous battle."""
    before = {each.name for each in draft.previous.survivors} if draft.previous else set()
    return [ship for ship in _fleet() if ship.name not in before]


def _half_chosen(draft: BattleDraft) -> str:
    if draft.ships and not draft.is_chosen:
        return str(text("battles.both_sides"))
    return ""


def _fleet() -> list[ShipType]:
    ships = get_ruleset(DEFAULT).ships
    order = list(ShipClass)
    first = list(usual().sides.keys)
    return sorted(
        ships,
        key=lambda ship: (
            first.index(usual().of_nation(ship.nation).key),
            ship.nation,
            order.index(ship.ship_class),
        ),
    )


def _meeting(draft: BattleDraft) -> str:
    fault, found, chart = "", None, None
    places: list[dict[str, object]] = []
    try:
        found = draft.set_up
        if draft.poses:
            chart = _map(draft)
            places = [
                {"ship": ship, "x": round(pose.x_yards), "y": round(pose.y_yards),
                 "heading": round(pose.heading_deg) % 360}
                for ship, pose in zip(draft.ships, draft.poses, strict=True)
            ]  # fmt: skip
    except DreyerError as error:
        fault = words(error)
    ready = chart is not None and "ready" in request.args
    sides = SideViews(draft.sides)
    return render_template(
        "battle/setup/places.html" if ready else "battle/setup/approach.html",
        draft=draft,
        back=request.full_path.replace("ready=", "seen="),
        found=found,
        fault=fault,
        chart=chart,
        places=places,
        warnings=draft.faults() if chart else (),
        dice=DICE,
        levels=LEVELS,
        conditions_key=CONDITIONS,
        option_key=OPTION,
        table_sides=sides,
        sides=[sides[side.key] for side in draft.present],
        parties=[
            (party[0], " + ".join(sides[key].name for key in party)) for party in draft.parties
        ],
    )


def _map(draft: BattleDraft) -> Drawing:
    return draw_scenario(
        [
            StartingShip(draft.sides[ship.side], ship.type, pose)
            for ship, pose in zip(draft.ships, draft.poses, strict=True)
        ],
        *draft.size_yards,
        numbered=True,
    )


def _kept(caller: Caller) -> dict[str, object]:
    server_context = guard.server_context()
    moment = server_context.session.moment
    kept = server_context.battles.stored_battles()
    plan = moment.state.plan or BattlePlan()
    can_begin = moment.state.is_open and get_ruleset(moment.state.ruleset).battle is not None
    return {
        "now": kept[0],
        "others": kept[1:],
        "when": _when,
        "may_export": lambda each: may_export(caller, each),
        "export_goes_back": server_context.battles.export_goes_back(caller),
        "conditions": plan.conditions,
        "scenario": all_scenarios().get(plan.scenario or ""),
        "begun": moment.battle is not None,
        "can_begin": can_begin,
        "goes_on": moment.battle is not None
        and isinstance(moment.battle.rulebook, CampaignRulebook),
        "has_fleets": can_begin and _has_fleets(moment.state.ruleset),
        "levels": LEVELS,
        "optional_rules": guided_rulebook(moment.state.ruleset).optional_rules(plan.options)
        if can_begin
        else (),
        "own": _own_ships(moment.battle, caller) if moment.battle else [],
        "map_now": draw_scenario(
            [
                StartingShip(moment.state.sides[now.piece.side], now.ship, now.pose)
                for now in moment.ships.values()
                if now.pose is not None
            ],
            moment.state.width_yards or 1.0,
            moment.state.height_yards or 1.0,
            moment.smoke,
        ),
    }


def _own_ships(battle: GuidedGame, caller: Caller) -> list[ShipView]:
    """In hidden play: the numbers of ships, for callers who may know them."""
    ships = battle.view(seat_seen(battle, caller)).ships
    return [ship for ship in ships if ship.label and ship.name]


def _when(kept: StoredBattle) -> str:
    if kept.summary is None or not kept.summary.seconds:
        return ""
    return time.strftime("%d %b %Y, %H:%M", time.localtime(kept.summary.seconds)).lstrip("0")
