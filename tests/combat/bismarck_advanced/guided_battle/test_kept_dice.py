"""Dice stay with the very shot that they were rolled for, through whole battles with steps back."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import pytest

from combat.actions import Action
from combat.dice import Roll, RolledDice, SingleRollDice, TypedDice
from combat.game import Game
from combat.guided_actions import Commit, Mark, Move, RollDice
from combat.guided_play import StepKind
from combat.rulebook import Place
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Aim, Designate, Plot
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, near

NO_DICE = TypedDice("")
SEGMENTS = 4


@dataclass(slots=True)
class Evening:
    """A battle that is taken back and played again, with every die that ever fell in it."""

    chance: random.Random
    game: Game[AdvancedState]
    fallen: dict[tuple[Place, Message], list[tuple[int, ...]]] = field(default_factory=dict)
    """What was rolled by chance, by place and purpose; the purpose names the very shot."""
    fresh: int = 0
    again: int = 0

    def play(self, *actions: Action) -> None:
        for action in actions:
            number = self.game.played[-1].n + 1 if self.game.played else 1
            self.game = self.game.play(number, action, NO_DICE)

    def sides(self) -> tuple[str, ...]:
        return self.game.state.sides

    def plot_all(self) -> None:
        """Every ship ahead at half speed, or to the side to which her rudder has jammed."""
        for ship in self.game.state.engagement.in_action:
            drafts = (
                Plot(side=ship.side, ship=ship.name, speed=speed, notation=notation)
                for speed in range(min(4, ship.vessel.movement_factor), -1, -1)
                for notation in self.notations(speed)
            )
            self.play(next(draft for draft in drafts if self.accepts(draft)))

    def notations(self, speed: int) -> Iterator[str]:
        """What uses half of a speed: straight on, or with one turn anywhere."""
        half = speed // 2 + (speed % 2 if self.game.state.segment == 1 else 0)
        yield str(half) if half else ""
        for turn, ahead in product("RLrl", range(half)):
            rest = half - 1 - ahead
            yield f"{ahead or ''}{turn}{rest or ''}"
        yield from ("R" * half, "L" * half)

    def accepts(self, draft: Plot) -> bool:
        try:
            BATTLE.play(self.game.state, draft, NO_DICE)
        except DreyerError:
            return False
        return True

    def orders(self) -> dict[str, Designate]:
        """Every ship at the enemy that chance names, with all turrets."""
        battle = self.game.state.engagement
        found = {}
        for ship in battle.in_action:
            options = BATTLE.fire_options(self.game.state, ship.side, ship.name)
            able = [each.target for each in options if each.batteries and each.batteries[0].allowed]
            if able:
                aims = (Aim(target=self.chance.choice(able)),)
                found[ship.name] = Designate(side=ship.side, ship=ship.name, orders=aims)
        return found

    def roll(self) -> None:
        """Every side rolls its own, one die at a time, in an order that chance gives."""
        self.fire_as_designated()
        while wanted := BATTLE.all_wanted(self.game.state):
            next_ = self.chance.choice(wanted)
            place = BATTLE.place(self.game.state)
            number = self.game.played[-1].n + 1
            action = RollDice(side=next_.side, roll=next_.roll, only=True)
            dice = SingleRollDice(RolledDice(self.chance))
            self.game = self.game.play(number, action, dice)
            self._check(place, next_.side, self.game.played[-1].rolls)
            # The rates of fire are asked for after the jams.
            self.fire_as_designated()

    def _check(self, place: Place, side: str | None, rolls: tuple[Roll, ...]) -> None:
        for roll in rolls:
            assert roll.side == side, "the other side's dice are never rolled"
            known = self.fallen.setdefault((place, roll.purpose), [])
            if roll.again:
                assert roll.faces in known, "no die is ever used for another shot"
                self.again += 1
            else:
                known.append(roll.faces)
                self.fresh += 1

    def to_dice(self, orders: dict[str, Designate]) -> None:
        """Commit these orders, and fire as designated, with the jams rolled between."""
        self.play(*orders.values())
        self.play(*(Commit(side=side) for side in self.sides()))

    def fire_as_designated(self) -> None:
        if self.game.state.kind is StepKind.REDUCE:
            self.play(*(Commit(side=side) for side in self.sides()))


def to_hit(game: Game[AdvancedState], begun: int) -> Iterator[Roll]:
    """The rolls to hit since an action."""
    for played in game.played[begun:]:
        for roll in played.rolls:
            inner = dict(roll.purpose.params).get("purpose")
            if isinstance(inner, Message) and inner.code == "advanced.roll.to_hit":
                yield roll


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))]
)
def test_a_whole_battle_taken_back_and_played_again(seed: int) -> None:
    start = BATTLE.begin(BATTLE.schemas.setup.read(near()))
    evening = Evening(random.Random(seed), Game(BATTLE, start))
    for _ in range(SEGMENTS):
        if evening.game.state.kind is not StepKind.PLOT:
            break
        evening.plot_all()
        evening.play(*(Commit(side=side) for side in evening.sides()), Move())
        orders, begun = evening.orders(), len(evening.game.played)
        if not orders:
            break
        evening.to_dice(orders)
        evening.roll()
        first = {roll.purpose: roll.faces for roll in to_hit(evening.game, begun)}

        # The same orders have the same dice, whoever rolls first.
        evening.game = evening.game.undo(to=evening.game.played[begun].n)
        evening.to_dice(orders)
        evening.roll()
        second = list(to_hit(evening.game, begun))
        assert {roll.purpose: roll.faces for roll in second} == first
        assert all(roll.again for roll in second)

        # A changed order has fresh dice, and no other order has.
        evening.game = evening.game.undo(to=evening.game.played[begun].n)
        changed = evening.chance.choice(list(orders))
        (aim,) = orders[changed].orders
        side = orders[changed].side
        options = BATTLE.fire_options(evening.game.state, side, changed)
        target = next(each for each in options if each.target == aim.target)
        bearing = [mount.name for mount in target.batteries[0].mounts if mount.bears]
        fewer = replace(aim, turrets=(bearing[0],))
        evening.to_dice({**orders, changed: replace(orders[changed], orders=(fewer,))})
        evening.roll()
        for roll in to_hit(evening.game, begun):
            label = roll.purpose["label"]
            assert isinstance(label, Message)
            assert roll.again is (roll.purpose in first)
            if label["firer"] == ShipRef(changed) and len(bearing) > 1:
                assert not roll.again
        if evening.game.state.kind is StepKind.MARK:
            evening.play(*(Mark(side=side) for side in evening.sides()))
    assert evening.again > 0
    assert evening.fresh > 0
