"""The page on which a ship or her whole division moves: as the models stand, or by figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from combat.guided_play import OrderedKind, OrderedView
from combat.views import ActorView, OrderedShipView, ShipMoveCheck
from tabletop.errors import BadField
from tabletop.schema import bounds
from tabletop.table import Pose
from tabletop.typed_numbers import typed_decimal
from web.actions.battle import acting_side
from web.auth.seats import Caller
from web.battle.ordered.requests import fault_of, pose_data, poses_data
from web.drawing.plot_map import Way
from web.games.guided_game import GuidedGame
from web.strings import text, words
from web.views.turn import PageAction, play

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

YARDS_A_UNIT: Final = 1000.0
"""Figures are typed in thousands of yards."""
_FARTHEST_UNITS: Final = 60.0
_LEAST_AHEAD_YARDS: Final = 1000.0
_SAME_COURSE_DEG: Final = 3.0
_ASTERN_YARDS: Final = 400.0
"""How far beside her leader's way a ship may be that follows her."""


class Together(StrEnum):
    """Who moves by the figures."""

    ALONE = "alone"
    ALIKE = "alike"
    """All ships that have yet to move do the same."""
    IN_LINE = "in_line"
    """The others turn where the first has turned."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A move as it is typed."""

    by_model: bool
    run: str
    """In thousands of yards; as far as she may where it is empty."""
    ahead: str
    """Before the turn, in thousands of yards."""
    turn: str
    """Degrees; negative is to port."""
    together: Together


@dataclass(frozen=True, slots=True)
class MovePage:
    """The move of a ship as it stands."""

    view: OrderedView
    ship: OrderedShipView
    actor: ActorView
    figures: Figures
    mates: tuple[str, ...]
    """Who else of her division has yet to move."""
    modes: tuple[Together, ...]
    model_moved: bool
    reading: ShipMoveCheck
    others: tuple[ShipMoveCheck, ...]
    """Of the ships that move with her."""
    run_yards: int
    """What an empty field stands for."""
    save: PageAction | None
    choices: tuple[PageAction, ...]
    """Other readings of her move, where it is too close to call."""
    stop: PageAction
    leave: PageAction | None
    fault: str
    """What is wrong with the figures, where they cannot be read."""
    next: str
    """Where one goes after it."""
    ways: tuple[Way, ...]

    @property
    def readings(self) -> tuple[ShipMoveCheck, ...]:
        """Hers first."""
        return (self.reading, *self.others)


def move_page(
    battle: GuidedGame,
    caller: Caller,
    view: OrderedView,
    models: Mapping[str, Pose],
    name: str,
    form: "MultiDict[str, str]",
) -> MovePage | None:
    """The page; None where it is not her turn to move."""
    side = acting_side(battle, caller)
    ships = {ship.id: ship for ship in view.ships}
    actor = next((each for each in view.order if each.now and name in each.ships), None)
    if name not in ships or actor is None or not ships[name].yours:
        return None
    ship = ships[name]
    reader = _Reader(battle, side, ships)
    mates = tuple(each for each in actor.ships if each != name)
    standing = {each: reader.read(each, models.get(each)) for each in actor.ships}
    moved = {each: check for each, check in standing.items() if has_moved(check)}
    figures = read_figures(form, by_model=name in moved, mates=bool(mates))
    modes = tuple(_modes(ships, name, mates))
    if figures.together not in modes:
        figures = _with(figures, Together.ALONE)
    run_yards, fault = 0, ""
    if figures.by_model:
        with_her = mates if figures.together is not Together.ALONE else ()
        readings = {each: standing[each] for each in (name, *with_her)}
    else:
        try:
            run_yards, readings = _by_figures(reader, figures, name, mates)
        except BadField as error:
            fault, readings = words(error), {name: reader.read(name, None)}
    reading = readings.pop(name)
    others = tuple(readings.values())
    following = next(iter(mates), None) if not others else None
    return MovePage(
        view=view,
        ship=ship,
        actor=actor,
        figures=figures,
        mates=mates,
        modes=modes,
        model_moved=name in moved,
        reading=reading,
        others=others,
        run_yards=run_yards,
        save=None if fault else _save(actor, reading, others, reader.known_yards),
        choices=tuple(_choices(reading)) if figures.by_model and not others else (),
        stop=play(_words("stop"), OrderedKind.MOVE_SHIP, ship=name, stop=True),
        leave=_leave(battle, side, name),
        fault=fault,
        next=f"/battle/move/{quote(following)}" if following else "/battle",
        ways=tuple(
            Way(each.ship, each.points, each.end, main=each.ship == name)
            for each in (reading, *others)
            if has_moved(each)
        ),
    )


def straight_ahead(
    battle: GuidedGame, caller: Caller, view: OrderedView, actor: ActorView
) -> PageAction | None:
    """All of a division straight ahead, as far as the slowest may; None if one may not."""
    name, *mates = actor.ships
    reader = _Reader(battle, acting_side(battle, caller), {ship.id: ship for ship in view.ships})
    alike = Figures(by_model=False, run="", ahead="", turn="", together=Together.ALIKE)
    yards, readings = _by_figures(reader, alike, name, mates)
    reading = readings.pop(name)
    others = tuple(readings.values())
    save = _save(actor, reading, others, reader.known_yards) if yards else None
    if save is None:
        return None
    key = "ahead_all" if mates else "ahead_alone"
    said = text(f"battle.ordered.{key}", ship=name, n=len(actor.ships), yards=f"{yards:,}")
    return replace(save, words=str(said))


def has_moved(check: ShipMoveCheck) -> bool:
    """Whether a model stands elsewhere than its ship did."""
    return bool(check.yards or check.turned or check.nudged_yards)


def read_figures(form: "MultiDict[str, str]", *, by_model: bool, mates: bool) -> Figures:
    """What the form says; a form that was not sent takes the model where it has moved."""
    together = form.get("together", Together.ALIKE if mates and not by_model else Together.ALONE)
    return Figures(
        by_model=(form["by"] == "model") if "by" in form else by_model,
        run=form.get("run", "").strip(),
        ahead=form.get("ahead", "").strip(),
        turn=form.get("turn", "").strip(),
        together=Together(together) if together in list(Together) else Together.ALONE,
    )


class _Reader:
    """Reads moves by the rulebook."""

    def __init__(
        self, battle: GuidedGame, side: str | None, ships: Mapping[str, OrderedShipView]
    ) -> None:
        self._battle, self._side, self.ships = battle, side, ships
        self.known_yards: dict[str, int] = {}
        """How far ships go by their figures, where their poses alone do not show it."""

    def read(self, ship: str, end: Pose | None, yards: int | None = None) -> ShipMoveCheck:
        there = end or self.ships[ship].pose
        action = self._battle.ordered.move_of(ship, there, self._side, yards=yards)
        return self._battle.check(action, ShipMoveCheck)

    def read_run(self, ship: str, end: Pose, run: float) -> ShipMoveCheck:
        """A move of known length: two poses do not show how far she went before turning about."""
        check, yards = self.read(ship, end), round(run)
        if abs(check.measured_yards - yards) <= 1:
            return check
        known = self.read(ship, end, yards)
        if any(fault.field == "yards" for fault in known.faults):
            return check
        self.known_yards[ship] = yards
        return known

    def end_of(self, ship: str, run: float, ahead: float, turn: float) -> Pose:
        start = self.ships[ship].pose
        if not turn:
            return start.moved(ahead_yards=run)
        first = min(ahead, run)
        corner = start.moved(ahead_yards=first)
        turned = Pose(corner.x_yards, corner.y_yards, (start.heading_deg + turn) % 360)
        return turned.moved(ahead_yards=run - first)

    def limit(self, ship: str, turn: float) -> int:
        """How far she may move, straight or with a turn."""
        return self.read(ship, self.end_of(ship, 2 * _LEAST_AHEAD_YARDS, 0, turn)).limit_yards


def _by_figures(
    reader: _Reader, figures: Figures, name: str, mates: Sequence[str]
) -> tuple[int, dict[str, ShipMoveCheck]]:
    turn = _number(figures.turn, "turn", -180, 180)
    ahead = (
        _number(figures.ahead, "ahead", 0, _FARTHEST_UNITS) * YARDS_A_UNIT
        if figures.ahead
        else _LEAST_AHEAD_YARDS
    )
    moving = [name, *(mates if figures.together is not Together.ALONE else ())]
    usual = min(reader.limit(each, turn) for each in moving)
    run = (
        _number(figures.run, "run", 0, _FARTHEST_UNITS) * YARDS_A_UNIT
        if figures.run
        else float(usual)
    )
    readings = {}
    for each in moving:
        before = ahead
        own_turn = turn
        if each != name and figures.together is Together.IN_LINE:
            start, leader = reader.ships[each].pose, reader.ships[name].pose
            before += start.offset_to(leader.x_yards, leader.y_yards)[0]
            if before >= run:
                # She does not reach the place where the first has turned.
                own_turn = 0.0
        readings[each] = reader.read_run(each, reader.end_of(each, run, before, own_turn), run)
    return usual, readings


def _modes(
    ships: Mapping[str, OrderedShipView], name: str, mates: Sequence[str]
) -> Iterator[Together]:
    yield Together.ALONE
    if not mates:
        return
    yield Together.ALIKE
    here = ships[name].pose
    for mate in mates:
        pose = ships[mate].pose
        ahead, right = here.offset_to(pose.x_yards, pose.y_yards)
        off = (pose.heading_deg - here.heading_deg + 180) % 360 - 180
        if ahead > 0 or abs(right) > _ASTERN_YARDS or abs(off) > _SAME_COURSE_DEG:
            return
    yield Together.IN_LINE


def _save(
    actor: ActorView,
    reading: ShipMoveCheck,
    others: Sequence[ShipMoveCheck],
    known_yards: Mapping[str, int],
) -> PageAction | None:
    if not all(each.legal for each in (reading, *others)):
        return None
    if not others:
        title = str(text("battle.ordered.move_ship", ship=reading.ship))
        ship, pose = reading.ship, pose_data(reading.end)
        if ship not in known_yards:
            return play(title, OrderedKind.MOVE_SHIP, ship=ship, pose=pose)
        yards = known_yards[ship]
        return play(title, OrderedKind.MOVE_SHIP, ship=ship, pose=pose, yards=yards)
    poses = poses_data({each.ship: each.end for each in (reading, *others)})
    title = str(text("battle.ordered.move_ships", n=len(poses)))
    return play(
        title,
        OrderedKind.MOVE_DIVISION,
        division=actor.name,
        poses=poses,
        yards=dict(known_yards),
    )


def _choices(reading: ShipMoveCheck) -> Iterator[PageAction]:
    """What the players may agree on instead of the reading that counts."""
    for call in reading.close_calls:
        for other in call.readings[1:]:
            yield play(
                words(other.label),
                OrderedKind.MOVE_SHIP,
                ship=reading.ship,
                pose=pose_data(reading.end),
                yards=other.yards,
                turned=other.turned,
            )


def _leave(battle: GuidedGame, side: str | None, ship: str) -> PageAction | None:
    if fault_of(battle, OrderedKind.LEAVE_TABLE, side, ship=ship):
        return None
    sure = str(text("battle.ordered.leave_sure", ship=ship))
    return play(_words("leave"), OrderedKind.LEAVE_TABLE, confirm=sure, icon="leave", ship=ship)


def _with(figures: Figures, together: Together) -> Figures:
    return Figures(figures.by_model, figures.run, figures.ahead, figures.turn, together)


def _number(typed: str, field: str, least: float, most: float) -> float:
    if not typed:
        return 0.0
    value = typed_decimal(typed)
    if value is None or not least <= value <= most:
        raise BadField(
            "move",
            field,
            bounds("number", least=least, most=most),
            repr(typed[:20]),
        )
    return value


def _words(key: str) -> str:
    return str(text(f"battle.ordered.{key}"))
