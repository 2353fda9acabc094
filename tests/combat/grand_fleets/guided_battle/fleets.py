"""Battles of Grand Fleets for the tests: two small fleets, and a table to play them on."""

from dataclasses import replace

from combat.dice import TypedDice
from combat.game import Game
from combat.guided_actions import (
    BattleAction,
    EnteredDivision,
    Entrant,
    FleetLimits,
    Opening,
    RollDice,
    StartingConditions,
)
from combat.guided_play import OrderedRulebook, OrderedView
from combat.participants import UMPIRE
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.guided_battle import FleetBattle, FleetState
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    HoldFire,
    MoveShip,
    PlaceDivision,
)
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from combat.rulebooks.grand_fleets.owner_cards import cards_with
from combat.ships import ShipList
from tabletop.table import Base, Pose

RULESET = get_ruleset("grand-fleets")
BASE = Base(1000.0, 400.0)
CARDS: ShipList[Card] = cards_with(())
BATTLE = FleetBattle(RULESET.tables, CARDS, RULESET.table_rules, lambda _: BASE)
_CONTRACT: OrderedRulebook[FleetState] = BATTLE
WIDTH, HEIGHT = 30_000.0, 20_000.0
RED = ("Ares", "Argo", "Atlas")
BLUE = ("Boreas", "Bellona", "Briton")


def line_ahead(ships: tuple[str, ...], x: float, y: float, heading: float) -> dict[str, Pose]:
    """Ships one behind the other, 1 kyd apart, the first at this place."""
    first = Pose(x, y, heading)
    return {ship: first.moved(ahead_yards=-1000.0 * n) for n, ship in enumerate(ships)}


START = {
    **line_ahead(RED, 4000, 10_000, 90),
    **line_ahead(BLUE, 26_000, 10_000, 270),
}


def opening(
    *, quality: str | None = "average", type_: str = "Sample cruiser", checked: bool = True
) -> Opening:
    """Three cruisers a side, one division each."""
    return Opening(
        title="Off the cape",
        sides=("red", "blue"),
        ships=tuple(
            Entrant(name=name, type=type_, side="red" if name in RED else "blue", pose=START[name])
            for name in (*RED, *BLUE)
        ),
        conditions=StartingConditions(),
        divisions=(
            EnteredDivision(name="Van", side="red", flagship="Ares", ships=RED, quality=quality),
            EnteredDivision(
                name="Rear", side="blue", flagship="Boreas", ships=BLUE, quality=quality
            ),
        ),
        limits=FleetLimits(battle_size="very large", checked=checked),
        table_yards=(WIDTH, HEIGHT),
    )


class Table:
    """A battle that the tests play, action by action."""

    def __init__(self, start: Opening | None = None) -> None:
        self.game: Game[FleetState] = Game(BATTLE, BATTLE.begin(BATTLE.set_up(start or opening())))
        self.number = 0

    @property
    def state(self) -> FleetState:
        return self.game.state

    @property
    def view(self) -> OrderedView:
        return BATTLE.view(self.state, UMPIRE)

    def play(self, action: BattleAction, dice: str = "", side: str | None = None) -> "Table":
        self.number += 1
        typed = TypedDice(dice)
        self.game = self.game.play(self.number, replace(action, side=side), typed, anew=bool(dice))
        typed.finish()
        return self

    def dice(self, dice: str) -> "Table":
        return self.play(RollDice(), dice)

    def place_all(self, red: int = 45, blue: int = 22) -> "Table":
        """Through the first turn: initiative, placing, command; nobody fires."""
        self.dice(" ".join(map(str, (red, blue))))
        while self.state.phase is Phase.MOVEMENT:
            self.play(PlaceDivision(division=self.state.next_slots[0].name))
        return self.play(CommandDone())

    def hold_all(self) -> "Table":
        while self.state.phase is Phase.COMBAT:
            self.play(HoldFire(division=self.state.next_slots[0].name))
        return self

    def ahead(self, ship: str, yards: float) -> "Table":
        return self.play(MoveShip(ship=ship, pose=self.state.poses[ship].moved(ahead_yards=yards)))

    def with_state(self, state: FleetState) -> "Table":
        """The same battle from another state on."""
        self.game = Game(BATTLE, state)
        return self
