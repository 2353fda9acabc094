"""What the tests of the flow share: the opening of Denmark Strait, and hands that play it."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.captains import battle_from_scene
from benchmarks.soak import opening
from combat.dice import DiceKind, Pair, Roll, RolledDice, TypedDice
from combat.events import Event as TypedEvent
from combat.guided_actions import BattleAction, Draft, Move, RollDice
from combat.guided_play import GuidedRulebook, StepKind
from combat.participants import Seat
from combat.rulebook import Outcome
from combat.rulebook_info import Ruleset
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle, AdvancedState
from combat.story_entries import Entry, FireDocument
from combat.views import FireCheck, MoveCheck, PlacementView, PlotCheck, ResolutionView
from tabletop.messages import Message, verbatim
from tabletop.schema import Schema
from tabletop.table import Pose
from web.api.battle_requests import TypedRolls
from web.journal.battle_record import read_old_action

RULESET = get_ruleset("bismarck-advanced")
RULES, TABLES = RULESET.table_rules, RULESET.tables
CARD = CombatTables.of(TABLES)


def advanced_battle(ruleset: Ruleset) -> AdvancedBattle:
    """The rulebook of an edition by its own class."""
    assert ruleset.battle is not None
    found: object = ruleset.battle(ruleset.tables)
    assert isinstance(found, AdvancedBattle)
    return found


BATTLE = advanced_battle(RULESET)
ROLLS: Schema[TypedRolls] = Schema(TypedRolls, "dice")
_CONTRACT: GuidedRulebook[AdvancedState] = BATTLE

Event = dict[str, Any]


def denmark_strait(**changes: object) -> dict[str, Any]:
    """The opening that the golden duel begins with, as a setup."""
    battle = battle_from_scene(opening())
    ships = [
        {
            "name": ship.name,
            "side": "german" if ship.side == "German" else "british",
            "pose": {
                "x": ship.pose.x_yards,
                "y": ship.pose.y_yards,
                "heading": ship.pose.heading_deg,
            },
        }
        for ship in battle.combatants
    ]
    return {"title": "Denmark Strait", "sides": ["british", "german"], "ships": ships, **changes}


def line_up(*ships: tuple[str, str, float, float, float], **changes: object) -> dict[str, Any]:
    """A setup of (type, side, x, y, heading), each ship called what she is."""
    return {
        "title": "Test",
        "sides": ["british", "german"],
        "ships": [
            {"name": name, "side": side, "pose": {"x": x, "y": y, "heading": heading}}
            for name, side, x, y, heading in ships
        ],
        **changes,
    }


def event(kind: str, side: str | None = None, /, **data: object) -> Event:
    return {"kind": kind, "side": side, "data": data}


def plot_draft(side: str | None, ship: str, data: Mapping[str, Any]) -> Draft:
    """A plot as it is being written."""
    return _draft(event("plot", side, **{"ship": ship, **data}))


def fire_draft(side: str | None, ship: str, data: Mapping[str, Any]) -> Draft:
    """Fire orders as they are being chosen."""
    return _draft(event("designate", side, **{"ship": ship, **data}))


def read_event(document: Event) -> tuple[BattleAction, tuple[Roll, ...]]:
    """An action and its rolls, as a request or an entry of version 0.1.0 has them."""
    return read_old_action(BATTLE, document["kind"], document["data"], document["side"])


def apply(state: AdvancedState, document: Event) -> AdvancedState:
    """The battle after an action, which is asked for as a page does."""
    return outcome(state, document).state


def outcome(state: AdvancedState, document: Event) -> Outcome[AdvancedState]:
    """The same with what it led to; every die has to be wanted."""
    kind, data, side = document["kind"], document["data"], document["side"]
    if kind != "dice":
        return BATTLE.play(state, BATTLE.read_version_1(kind, data, side), TypedDice(""))
    typed = ROLLS.read(data)
    dice = TypedDice(" ".join(typed.values))
    found = BATTLE.play(state, RollDice(side=side, first=typed.first), dice)
    with BATTLE.errors_for(state, side):
        dice.finish()
    return found


def roll(state: AdvancedState, *values: str) -> Outcome[AdvancedState]:
    """The battle after dice that were typed in."""
    return outcome(state, event("dice", values=list(values)))


def check_plot(state: AdvancedState, draft: Draft) -> PlotCheck:
    check = BATTLE.check(state, draft)
    assert isinstance(check, PlotCheck)
    return check


def check_fire(state: AdvancedState, draft: Draft) -> FireCheck:
    check = BATTLE.check(state, draft)
    assert isinstance(check, FireCheck)
    return check


def check_move(
    state: AdvancedState, side: str | None, poses: Mapping[str, Pose]
) -> tuple[PlacementView, ...]:
    check = BATTLE.check(state, Move(side=side, poses=poses))
    assert isinstance(check, MoveCheck)
    return check.standings


def _draft(document: Event) -> Draft:
    draft, _ = read_event(document)
    assert isinstance(draft, Draft)
    return draft


def poses_of(data: Mapping[str, Any]) -> Mapping[str, Pose]:
    """Where the models stand, as a page sends it."""
    move, _ = read_event(event("move", poses=data))
    assert isinstance(move, Move)
    return move.poses


@dataclass
class Game:
    """A battle being played, with every event that made it."""

    state: AdvancedState
    events: list[Event] = field(default_factory=list)
    """As they were asked for."""
    happened: list[TypedEvent] = field(default_factory=list)
    """What they led to."""

    @classmethod
    def begin(cls, setup: Mapping[str, Any]) -> "Game":
        state = BATTLE.begin(BATTLE.schemas.setup.read(setup))
        return cls(state, happened=[*BATTLE.opening(state)])

    def do(self, kind: str, side: str | None = None, /, **data: object) -> AdvancedState:
        asked = event(kind, side, **data)
        found = outcome(self.state, asked)
        self.state = found.state
        self.events.append(asked)
        self.happened += found.events
        return self.state

    def story(self, seat: Seat) -> tuple[Entry, ...]:
        """What has happened, as a seat may know it."""
        return BATTLE.story(self.state, self.happened, seat)

    def commit(self) -> None:
        """Every side commits; fire that then waits for its rates is fired as designated."""
        for side in self.state.sides:
            if side in self.state.waiting_for:
                self.do("commit", side)
        self.fire_as_designated()

    def fire_as_designated(self) -> None:
        """Every side commits its rates of fire without reducing any (67.41)."""
        if self.state.kind is StepKind.REDUCE:
            for side in self.state.waiting_for:
                self.do("commit", side)

    def enter(self, values: Sequence[str], side: str | None = None) -> None:
        """All dice of a phase in two events: those for jams, and those of the fire."""
        assert self.state.resolution is not None
        jams = len(self.state.resolution.jam_ships)
        for part in (values[:jams], values[jams:]):
            if part:
                self.do("dice", side, values=list(part))
            self.fire_as_designated()

    def plot_all(self, notation: str = "4", speed: int | None = 8) -> None:
        for ship in self.state.engagement.in_action:
            data = {"speed": speed} if self.state.segment == 1 else {}
            self.do("plot", ship.side, ship=ship.name, notation=notation, **data)

    def move_all(self, notation: str = "4", speed: int | None = 8) -> None:
        """Plot the same for everybody, and move as plotted."""
        self.plot_all(notation, speed)
        self.commit()
        self.do("move")

    def hold_fire(self) -> None:
        self.commit()

    def roll(self, source: random.Random) -> None:
        while (wanted := BATTLE.dice_wanted(self.state)) is not None:
            dice = RolledDice(source)
            pair = wanted.kind is DiceKind.PAIR
            value = str(dice.pair(verbatim("")) if pair else dice.die(verbatim("")))
            self.do("dice", None, values=[value])
            self.fire_as_designated()

    def mark(self) -> None:
        if self.state.kind is StepKind.MARK:
            self.do("mark")


def resolution_of(
    state: AdvancedState, side: str | None, *, sees_all: bool = False
) -> ResolutionView:
    """The fire that is being resolved, as a side sees it."""
    resolution = BATTLE.view(state, Seat(side, umpire=sees_all)).resolution
    assert resolution is not None
    return resolution


def fire_of(entry: Entry | None) -> FireDocument:
    """The figures of a fire that is told."""
    assert entry is not None
    assert isinstance(entry.document, FireDocument)
    return entry.document


def replayed(setup: Mapping[str, Any], events: Sequence[Event]) -> AdvancedState:
    """The state that the events give again, after a journey through JSON."""
    state = BATTLE.begin(BATTLE.schemas.setup.read(json.loads(json.dumps(setup))))
    for each in json.loads(json.dumps(events)):
        state = apply(state, each)
    return state


class RecordingDice(RolledDice):
    """Rolled dice that write down what fell."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self.fallen: list[str] = []

    def pair(self, purpose: Message) -> Pair:
        pair = super().pair(purpose)
        self.fallen.append(str(pair))
        return pair

    def die(self, purpose: Message) -> int:
        die = super().die(purpose)
        self.fallen.append(str(die))
        return die

    def taken(self) -> list[str]:
        fallen, self.fallen = self.fallen, []
        return fallen


def near(**changes: object) -> dict[str, Any]:
    """Two against two at medium range, broadside to broadside."""
    return line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, -1_500, 0),
        ("Bismarck", "german", 11_000, 0, 0),
        ("Prinz Eugen", "german", 11_000, -1_500, 0),
        **changes,
    )


def moved(**changes: object) -> Game:
    game = Game.begin(near(**changes))
    game.move_all()
    return game


def firing(**changes: object) -> Game:
    """Everything designated: Hood at Bismarck, Bismarck at Hood."""
    game = moved(**changes)
    game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
    game.do("designate", "german", ship="Bismarck", orders=[{"target": "Hood"}])
    game.commit()
    return game
