"""What Grand Fleets can do with a shot file."""

import math
from collections.abc import Iterable, Mapping, Sequence

from combat.attack_rules import AttackRules, Strength
from combat.dice import Dice
from combat.forecast import Forecast
from combat.report import BatteryInfo, Facts, MountInfo, Report
from combat.rulesets.grand_fleets.action import (
    ATTACKS,
    LAYOUT,
    Action,
    Attack,
    Roll,
    batteries_of,
    read_action,
)
from combat.rulesets.grand_fleets.card import TORPEDOES, Card
from combat.rulesets.grand_fleets.card_file import load_cards
from combat.rulesets.grand_fleets.odds import forecast_attacks, forecast_roll
from combat.rulesets.grand_fleets.rolls import play_roll, roll_strength, tell_roll
from combat.rulesets.grand_fleets.volley import play_attack, strength_of, tell
from combat.ships import ShipList
from combat.shot_layout import Said
from combat.tables import TableSet
from tabletop.errors import DreyerError


class GrandFleetsFire(AttackRules[Action]):
    """The attacks and the other rolls of Grand Fleets, with the cards of the ships it knows."""

    layout = LAYOUT

    def __init__(self, cards: ShipList[Card] | None = None) -> None:
        self.cards = load_cards() if cards is None else cards

    def with_cards(self, owned: Iterable[Card]) -> "GrandFleetsFire":
        """The same rules with an owner's cards over those that come with them."""
        mine = ShipList(owned)
        others = [card for card in self.cards if mine.find(card.name) is None]
        return GrandFleetsFire(ShipList([*mine, *others]))

    def read(self, said: Said, tables: TableSet) -> Action:  # noqa: ARG002 - the cards suffice
        """The action that a shot file describes."""
        return read_action(said, self.cards)

    def strength(self, attack: Action, tables: TableSet) -> Strength:
        """What it is rolled with; Forbidden, with the rule, where it is not allowed."""
        if isinstance(attack, Attack):
            return strength_of(attack, tables)
        return roll_strength(attack, tables)

    def play(self, attack: Action, dice: Dice, tables: TableSet) -> Report:
        """Roll it."""
        if isinstance(attack, Attack):
            return tell(play_attack(attack, dice, tables))
        strength = roll_strength(attack, tables)
        return tell_roll(attack, play_roll(attack, dice, tables), strength)

    def odds(self, attacks: Sequence[Action], tables: TableSet) -> Forecast:
        """The exact odds of all these attacks on one target, or of one roll."""
        fires = [attack for attack in attacks if isinstance(attack, Attack)]
        rolls = [attack for attack in attacks if isinstance(attack, Roll)]
        if rolls and len(attacks) > 1:
            raise DreyerError("forecast: attacks are foretold together, any other roll alone")
        return forecast_roll(rolls[0], tables) if rolls else forecast_attacks(fires, tables)

    def target_of(self, attack: Action) -> object:
        """The target and her marks; of another roll, the ship herself."""
        return attack.target if isinstance(attack, Attack) else attack.ship

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """What a ship with a card can do, heaviest first; for "" what both players roll for."""
        if not ship_type:
            return batteries_of(None)
        card = self.cards.find(ship_type)
        return batteries_of(card) if card else ()

    def battery_of(self, attack: Action) -> str:
        """The name of the battery."""
        return attack.battery

    def mounts(self, attack: Action, tables: TableSet) -> tuple[MountInfo, ...]:  # noqa: ARG002 - from the card
        """The torpedo boxes that are left; a gun battery fires as one."""
        if not isinstance(attack, Attack) or attack.battery != TORPEDOES:
            return ()
        return tuple(
            MountInfo(tube.value, count, attack.lie.quadrant in tube.quadrants)
            for tube, count in attack.firer.torpedoes_left().items()
            if count
        )

    def facts_as_keys(self, facts: Facts) -> Mapping[str, object]:
        """What the table says: the range, both arcs and the line of fire."""
        battery = AttackRules.facts_as_keys(self, facts)
        if battery["fire.battery"] not in ATTACKS:
            return battery
        return {
            **battery,
            # A range is never rounded down: a yard beyond a band is beyond it.
            "fire.range_yards": math.ceil(round(facts.range_yards, 3)),
            "fire.quadrant": facts.quadrant.value,
            "fire.aspect": facts.aspect.value,
            "fire.blocked": facts.blocked,
            # A battery fires once a turn, and all torpedoes of a turn run at one ship.
            "conditions.turn": facts.round_number,
        }
