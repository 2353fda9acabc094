"""The check of a pair in a battle, with the ships' current damage, and the link to fire orders."""

from dataclasses import dataclass, replace
from urllib.parse import quote

from combat.guided_play import StepKind
from combat.participants import acting
from combat.views import ShipView, TargetOption
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.checks.fire_previews import answer_to_option
from web.checks.pair_check import Check
from web.games.guided_game import GuidedGame
from web.table.moment import Moment
from web.views.turn import SeatKind, seat_of


@dataclass(frozen=True, slots=True)
class DesignationLink:
    """A pair whose firer the caller commands while fire is designated."""

    firer: ShipView
    target: ShipView
    option: TargetOption

    @property
    def link(self) -> str:
        """The address where her fire is designated."""
        return f"/battle/fire/{quote(self.firer.id)}"

    def with_battle_state(self, check: Check, battery: str) -> Check:
        """The check with her current state, if no close call is open."""
        batteries = {each.battery: each for each in self.option.batteries}
        chosen = batteries.get(battery) or batteries.get(check.battery)
        if check.open_doubt is not None or check.answer is None or chosen is None:
            return check
        return replace(check, answer=answer_to_option(chosen))


def designation_link(
    moment: Moment, caller: Caller, firer: str, target: str
) -> DesignationLink | None:
    """What a caller may designate between two models; None if the firer is not theirs."""
    battle = moment.battle
    if battle is None or seat_of(battle, caller) is SeatKind.WATCHER:
        return None
    side = acting_side(battle, caller)
    ships = _ships(battle, side)
    if firer not in ships or target not in ships or not _may_designate(battle, ships[firer]):
        return None
    options = battle.fire_options(side, ships[firer].id)
    option = next((each for each in options if each.target == ships[target].id), None)
    if option is None or option.hidden:
        return None
    return DesignationLink(ships[firer], ships[target], option)


def _may_designate(battle: GuidedGame, ship: ShipView) -> bool:
    """Whether the viewer may give fire orders to a ship now."""
    return battle.step.kind is StepKind.DESIGNATE and ship.yours and ship.in_action


def _ships(battle: GuidedGame, side: str | None) -> dict[str, ShipView]:
    """The ships by the names of their models: a name, or a number in hidden play."""
    seat = acting(side)
    models = battle.rulebook.models(battle.state, seat)
    return {models[ship.id]: ship for ship in battle.view(seat).ships}
