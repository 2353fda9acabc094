"""The page on which a ship declares her fire: a tick for each battery and target."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from combat.guided_play import OrderedKind, OrderedView
from combat.views import BatteryOption, OrderedShipView, TargetOption
from tabletop.messages import NO_WORDS, Message
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.battle.fire.orders import TICK
from web.battle.ordered.requests import fault_of
from web.checks.check_view import Explanation, OddsPanel, explanation_of, odds_of
from web.checks.fire_previews import answer_to_option
from web.games.guided_game import GuidedGame
from web.strings import text
from web.views.turn import PageAction, play

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

_SIGN: Final = "|"
_MOST_TICKS: Final = 60
TORPEDOES: Final = "count"
"""The field for how many torpedoes are launched."""


@dataclass(frozen=True, slots=True)
class BatteryChoice:
    """A battery, as it may fire at one target."""

    option: BatteryOption
    value: str
    """Of its tick."""
    ticked: bool


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """An enemy to fire at."""

    option: TargetOption
    side: str
    batteries: tuple[BatteryChoice, ...]
    check_link: str
    open: bool

    @property
    def may_be_fired_at(self) -> bool:
        """Whether any battery may fire at her."""
        return any(each.option.allowed for each in self.batteries)


@dataclass(frozen=True, slots=True)
class DeclaredFire:
    """One fire as ticked, with its odds."""

    target: str
    side: str
    option: BatteryOption
    odds: OddsPanel | None
    why: Explanation


@dataclass(frozen=True, slots=True)
class FireDeclaration:
    """A ship's fire as ticked."""

    view: OrderedView
    ship: OrderedShipView
    targets: tuple[TargetChoice, ...]
    fires: tuple[DeclaredFire, ...]
    fault: Message
    """Why it may not be declared so; no words where it may."""
    count: str
    """How many torpedoes are launched, as typed."""
    save: PageAction | None
    hold: PageAction
    measured: bool


def fire_declaration(
    battle: GuidedGame,
    caller: Caller,
    view: OrderedView,
    name: str,
    form: "MultiDict[str, str]",
    *,
    measured: bool,
) -> FireDeclaration | None:
    """The page; None where it is not her turn to fire."""
    side = acting_side(battle, caller)
    ships = {ship.id: ship for ship in view.ships}
    ship = ships.get(name)
    if ship is None or not ship.yours or not ship.may_act:
        return None
    options = battle.fire_options(side, name)
    sent = "ticked" in form
    ticks = _ticked(form, options) if sent else tuple(_proposed(options))
    by_pair = {
        (battery.battery, option.target): battery
        for option in options
        for battery in option.batteries
    }
    count = form.get(TORPEDOES, "").strip()
    shots = [_shot(battery, target, by_pair, count) for battery, target in ticks]
    fault = NO_WORDS
    if shots:
        fault = fault_of(battle, OrderedKind.DECLARE_FIRE, side, ship=name, shots=shots)
    chosen = set(ticks)
    targets = tuple(
        TargetChoice(
            option,
            ships[option.target].side,
            tuple(
                BatteryChoice(
                    battery,
                    _SIGN.join((battery.battery, option.target)),
                    (battery.battery, option.target) in chosen,
                )
                for battery in option.batteries
            ),
            f"/table?{urlencode({'firer': name, 'target': option.target})}",
            any(target == option.target for _, target in ticks),
        )
        for option in options
    )
    save = None
    if shots and not fault:
        words = str(text("battle.ordered.declare", n=len(shots)))
        save = play(words, OrderedKind.DECLARE_FIRE, ship=name, shots=shots)
    return FireDeclaration(
        view=view,
        ship=ship,
        targets=targets,
        fires=tuple(
            _fire(target, ships[target].side, by_pair[battery, target])
            for battery, target in ticks
            if measured and by_pair[battery, target].allowed
        ),
        fault=fault,
        count=count,
        save=save,
        hold=play(str(text("battle.ordered.hold", ship=name)), OrderedKind.HOLD_FIRE, ship=name),
        measured=measured,
    )


def _fire(target: str, side: str, option: BatteryOption) -> DeclaredFire:
    answer = answer_to_option(option)
    odds = odds_of(answer) if answer.forecast is not None else None
    return DeclaredFire(target, side, option, odds, explanation_of(answer))


def _ticked(
    form: "MultiDict[str, str]", options: Sequence[TargetOption]
) -> tuple[tuple[str, str], ...]:
    known = {(each.battery, option.target) for option in options for each in option.batteries}
    pairs = (tuple(value.split(_SIGN, 1)) for value in form.getlist(TICK)[:_MOST_TICKS])
    return tuple(
        (pair[0], pair[1]) for pair in dict.fromkeys(pairs) if len(pair) == 2 and pair in known
    )


def proposed_fire(
    options: Sequence[TargetOption],
) -> tuple[list[dict[str, str]], tuple[str, ...]] | None:
    """A ship's fire as proposed and at whom it is; None if she has none, or it is a close call."""
    ticks = tuple(_proposed(options))
    targets = tuple(dict.fromkeys(target for _, target in ticks))
    doubtful = {option.target for option in options if option.close_calls}
    if not ticks or doubtful & set(targets):
        return None
    shots = [{"battery": battery, "target": target} for battery, target in ticks]
    return shots, targets


def _proposed(options: Sequence[TargetOption]) -> Iterator[tuple[str, str]]:
    """Every battery at the nearest enemy at whom it may fire with any die."""
    proposed: dict[str, str] = {}
    for option in options:
        for battery in option.batteries:
            if battery.allowed and battery.factor:
                proposed.setdefault(battery.battery, option.target)
    yield from proposed.items()


def _shot(
    battery: str, target: str, options: Mapping[tuple[str, str], BatteryOption], count: str
) -> dict[str, object]:
    shot: dict[str, object] = {"battery": battery, "target": target}
    if count.isascii() and count.isdigit() and options[battery, target].ammunition:
        shot["torpedoes"] = int(count[:3])
    return shot
