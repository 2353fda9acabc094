"""Cases that are played: figures of the book's rules, read from a small battle.

Two divisions of three sample cruisers (speed 7, 70 points) meet on 30 by 20 kyd: the Van of blue
(Ares, Argo, Atlas) from the left, the Rear of red (Boreas, Bellona, Briton) from the right, average
commanders on both sides. A case names what is done, then asks. A step that a rule refuses is the
answer itself.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, cast

from combat.case_file import Kind, as_figure
from combat.dice import TypedDice
from combat.guided_actions import (
    BattleAction,
    EnteredDivision,
    Entrant,
    FleetLimits,
    Opening,
    RollDice,
    StartingConditions,
)
from combat.participants import UMPIRE
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.card import GunBattery
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    DeclareFire,
    FireNext,
    HoldFire,
    LeaveTable,
    MoveShip,
    PlaceDivision,
    SetCommand,
    Shot,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.initial_state import chain_of_command
from combat.rulebooks.grand_fleets.guided_battle.rulebook import FleetBattle
from combat.verification import Figure
from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.schema import LongText, Text
from tabletop.table import Pose

if TYPE_CHECKING:
    from combat.rulebooks.grand_fleets.guided_battle.state import FleetState
    from combat.rulebooks.grand_fleets.table_files import Size

_SHIP: Final = "Sample cruiser"
_FLEETS: Final = {
    "Van": ("blue", ("Ares", "Argo", "Atlas"), 4000.0, 90.0),
    "Rear": ("red", ("Boreas", "Bellona", "Briton"), 26_000.0, 270.0),
}
_Y: Final = 10_000.0
_WHERE: Final = Message("errors.where.battle")


def kinds(battle: Callable[[], FleetBattle]) -> Mapping[str, Kind]:
    """The kinds of cases that are played."""

    def played(do: LongText, ask: Text) -> Figure:
        """What is so after some steps, separated by semicolons."""
        game = _Played(battle())
        for step in do.split(";"):
            game.do(step.split())
        return game.answer(ask.split())

    return {"played": played}


class _Played:
    """The small battle of the cases."""

    def __init__(self, battle: FleetBattle) -> None:
        self._battle = battle
        self._state: FleetState = battle.begin(battle.set_up(_opening()))

    def do(self, step: list[str]) -> None:
        """One step. Raises Forbidden, with its rule, if it is not allowed."""
        word, *rest = step
        match word:
            case "dice":
                self._play(RollDice(), " ".join(rest))
            case "place":
                self._play(PlaceDivision(division=rest[0]))
            case "done":
                self._play(CommandDone())
            case "hold":
                name = rest[0]
                held = HoldFire(division=name) if name in _FLEETS else HoldFire(ship=name)
                self._play(held)
            case "stop":
                self._play(MoveShip(ship=rest[0], stop=True))
            case "move":
                self._play(MoveShip(ship=rest[0], pose=self._end(rest[0], rest[1:])))
            case "leave":
                self._play(LeaveTable(ship=rest[0]))
            case "flag":
                self._play(TakeFlag(ship=rest[0]))
            case "out" | "in":
                self._play(SetCommand(ship=rest[0], out=word == "out"))
            case "fire":
                ship, *aims = rest
                self._play(DeclareFire(ship=ship, shots=tuple(_shots(aims))))
            case "next":
                (shot,) = _shots(rest[1:])
                self._play(FireNext(ship=rest[0], battery=shot.battery, target=shot.target))
            case "size":
                # A card that differs from that of the others.
                card = replace(self._state.cards[rest[0]], size=cast("Size", " ".join(rest[1:])))
                self._state = replace(self._state, cards={**self._state.cards, rest[0]: card})
            case "option":
                options = replace(self._state.options, **{rest[0]: True})
                self._state = replace(self._state, options=options)
            case "mark":
                # Marks of earlier turns: key and number, as on her card.
                name, key, value = rest
                number: object = value if key == "marker" else int(value)
                self._state = self._state.with_marks(name, **{key: number})
            case "put":
                name, x, y, heading = rest
                pose = Pose(float(x), float(y), float(heading))
                self._state = replace(self._state, poses={**self._state.poses, name: pose})
            case _:
                raise UnknownName(_WHERE, "action", word, ("dice", "move", "place"))

    def answer(self, ask: list[str]) -> Figure:
        """A figure of the battle as it stands."""
        state, (word, *rest) = self._state, ask
        match word:
            case "phase":
                return state.phase.value
            case "order":
                return as_figure([slot.name for slot in state.order])
            case "marker":
                return state.marks(rest[0]).marker
            case "command":
                return "in" if state.in_command(rest[0]) else "out"
            case "flagship":
                return state.division(rest[0]).flagship or "nobody"
            case "quality":
                return state.quality(state.division(rest[0]))
            case "points":
                return state.score[rest[0]]
            case "heirs":
                return as_figure(list(chain_of_command(state, state.division(rest[0]))))
            case "next":
                return as_figure([slot.name for slot in state.next_slots])
            case "hull":
                return state.marks(rest[0]).hull_lost
            case "status":
                return state.vessel(rest[0]).status.value
            case "declared":
                view = self._battle.view(state, UMPIRE)
                return as_figure([f"{each.battery} {each.target}" for each in view.declared])
            case "ending":
                return state.ending.code.rpartition(".")[2]
            case "range" | "arc" | "aspect" | "line" | "dice":
                return self._fire(word, *rest)
        raise UnknownName(_WHERE, "action", word, ("phase", "order", "marker", "command"))

    def _fire(self, word: str, ship: str, target: str, battery: str = "") -> Figure:
        """A line of fire as it is measured, or the dice of a battery along it."""
        options = self._battle.fire_options(self._state, None, ship)
        found = next(option for option in options if option.target == target)
        match word:
            case "range":
                return round(found.range_yards)
            case "arc":
                return str(found.quadrant)
            case "aspect":
                return str(found.aspect)
            case "line":
                return as_figure(list(found.blockers)) if found.blocked else "open"
        key = _battery(battery)
        fires = next(each for each in found.batteries if each.battery == key)
        if fires.allowed:
            return fires.factor or 0
        raise Forbidden(fires.why_not, fires.reference)

    def _play(self, action: BattleAction, dice: str = "") -> None:
        typed = TypedDice(dice)
        self._state = self._battle.play(self._state, action, typed).state
        typed.finish()

    def _end(self, ship: str, way: list[str]) -> Pose:
        """Ahead; then, if there is more, a turn in degrees, ahead, and a shift aside."""
        ahead, turn, after, aside = (*map(float, way), *[0.0] * (4 - len(way)))
        corner = self._state.poses[ship].moved(ahead_yards=ahead)
        turned = Pose(corner.x_yards, corner.y_yards, corner.heading_deg + turn)
        return turned.moved(ahead_yards=after, right_yards=aside)


def _shots(aims: list[str]) -> Iterator[Shot]:
    """Batteries and their targets in turn: "guns-1 Boreas torpedoes Briton"."""
    for battery, target in zip(aims[::2], aims[1::2], strict=True):
        yield Shot(battery=_battery(battery), target=target)


def _battery(word: str) -> GunBattery | Literal["torpedoes"]:
    """A battery as a step has it: without the blank."""
    return cast("GunBattery", word.replace("-", " "))


def _opening() -> Opening:
    return Opening(
        title="The cases",
        sides=tuple(side for side, *_ in _FLEETS.values()),
        ships=tuple(
            Entrant(
                name=ship,
                type=_SHIP,
                side=side,
                pose=Pose(x, _Y, heading).moved(ahead_yards=-1000.0 * number),
            )
            for side, ships, x, heading in _FLEETS.values()
            for number, ship in enumerate(ships)
        ),
        conditions=StartingConditions(),
        divisions=tuple(
            EnteredDivision(name=name, side=side, flagship=ships[0], ships=ships, quality="average")
            for name, (side, ships, *_) in _FLEETS.items()
        ),
        limits=FleetLimits(battle_size="very small", checked=False),
        table_yards=(30_000.0, 20_000.0),
    )
