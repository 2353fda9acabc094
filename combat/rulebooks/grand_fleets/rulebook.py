"""Grand Fleets in free play."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from combat.actions import Action, ActionInfo, ActionOffer
from combat.dice import Dice
from combat.events import Concluded, Event
from combat.forecast import Forecast
from combat.free_play import Attempt, FreeRulebook, MarkedShip, Result, with_vessels
from combat.participants import Ship, ShipStatus
from combat.previews import Document, Line, MountInfo, RangeBand
from combat.record_sheets import RecordSheet
from combat.rulebooks.grand_fleets import report
from combat.rulebooks.grand_fleets.actions import (
    INFOS,
    MOVE,
    OWN_ROLLS,
    Gunfire,
    TorpedoAttack,
)
from combat.rulebooks.grand_fleets.attack import AnyAttack, GunAttack, TorpedoLaunch
from combat.rulebooks.grand_fleets.card import GUNS, TORPEDOES, Card, Guns, Torpedoes
from combat.rulebooks.grand_fleets.events import OWN_EVENTS
from combat.rulebooks.grand_fleets.odds import forecast_attacks, forecast_roll
from combat.rulebooks.grand_fleets.rolls import play_roll, roll_strength
from combat.rulebooks.grand_fleets.sheet import record_sheet
from combat.rulebooks.grand_fleets.table_files import NAME, band_limits, figure
from combat.rulebooks.grand_fleets.vessel import Marks, Vessel
from combat.rulebooks.grand_fleets.volley import (
    play_attack,
    strength_of,
    torpedoes_title,
    weapon_of,
)
from combat.ships import ShipList
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.arcs import FiringArc, Quadrant
from tabletop.closecall import RangeLimit
from tabletop.errors import DreyerError
from tabletop.fields_of_fire import Reach, ReachBand
from tabletop.messages import Message, verbatim


class GrandFleetsRulebook(FreeRulebook[Marks]):
    """The rules of Grand Fleets with their tables and cards."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = INFOS
    state_type: ClassVar[type] = Marks
    own_events: ClassVar[tuple[type[Event], ...]] = OWN_EVENTS

    def __init__(self, tables: TableSet, cards: ShipList[Card]) -> None:
        super().__init__(tables, cards)
        self.cards = cards

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:
        """Her status by her card."""
        return self._vessel(ship, marks).status

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        """The actions of a ship with a card, heaviest first; for "" those of both players."""
        card = self.cards.find(ship_type)
        if card is None:
            return super().offers(ship_type)
        infos = self.info_by_kind
        found = [
            ActionOffer(
                infos[kind],
                verbatim(guns.name),
                guns.dice[0],
                Message("grand_fleets.unit.dice"),
                self._bands(guns),
            )
            for kind, guns in zip(GUNS, card.guns, strict=False)
        ]
        if card.torpedoes:
            count = sum(card.torpedoes.carried.values())
            title, bands = torpedoes_title(card.torpedoes.name), self._bands(card.torpedoes)
            unit = Message("grand_fleets.unit.torpedoes")
            found.append(ActionOffer(infos[TORPEDOES], title, count, unit, bands))
        own = (info for info in OWN_ROLLS if card.speed or info.kind != MOVE)
        return (*found, *(ActionOffer(info, info.title) for info in own))

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """The strength of an action."""
        attack = self.attack(attempt)
        if attack is not None:
            return strength_of(attack, self.tables)
        return roll_strength(self._roll(attempt), self.tables)

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Roll an action."""
        attack = self.attack(attempt)
        if attack is not None:
            return play_attack(attack, dice, self.tables)
        roll = self._roll(attempt)
        acted = self.acted(attempt, roll_strength(roll, self.tables))
        outcome = play_roll(roll, dice, self.tables)
        concluded = Concluded(ship=acted.ship, rule=acted.rule, results=(outcome.result,))
        return Result((acted, *outcome.events, concluded), spent=outcome.spent)

    def odds_of_dice(self, attempts: Sequence[Attempt[Action, MarkedShip[Marks]]]) -> Forecast:
        """The exact odds of these attacks on one target, or of one roll."""
        attacks = [attack for each in attempts if (attack := self.attack(each)) is not None]
        if not attacks and len(attempts) == 1:
            return forecast_roll(self._roll(attempts[0]), self.tables)
        if len(attacks) < len(attempts):
            raise DreyerError("combat.forecast.alone")
        return forecast_attacks(attacks, self.tables)

    def mounts(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> tuple[MountInfo, ...]:
        """The remaining torpedo boxes; a gun battery fires as a whole."""
        attack = self.attack(attempt)
        if not isinstance(attack, TorpedoLaunch):
            return ()
        return tuple(
            MountInfo(tube.value, count, attack.action.quadrant in tube.quadrants)
            for tube, count in attack.firer.torpedoes_left().items()
            if count
        )

    def reaches(self, ship: Ship, marks: Marks) -> tuple[Reach, ...]:
        """The arcs that guns and torpedoes bear into (Weapons), to the end of long range."""
        vessel = self._vessel(ship, marks)
        if vessel.out_of_the_game:
            return ()
        card, found = vessel.card, []
        for kind, guns in zip(GUNS, card.guns, strict=False):
            if vessel.dice_left(kind):
                arc = (each for each in Quadrant if guns.end_modifier(each) is not None)
                found.append(self._reach(kind, arc, guns))
        if card.torpedoes:
            arc = (each for each in Quadrant if any(vessel.torpedoes_bearing(each).values()))
            found.append(self._reach(TORPEDOES, arc, card.torpedoes))
        return tuple(found)

    def _reach(self, kind: str, arc: Iterable[Quadrant], weapon: Guns | Torpedoes) -> Reach:
        limits = band_limits(weapon.range, self.tables)
        inner = (0.0, *limits.values())
        return Reach(
            kind,
            FiringArc(frozenset(arc)),
            tuple(
                ReachBand(name, nearest, farthest)
                for (name, farthest), nearest in zip(limits.items(), inner, strict=False)
                if nearest < farthest
            ),
        )

    @property
    def formation_limits(self) -> tuple[RangeLimit, ...]:
        """How far the ships of a division may stand apart (The Command Phase)."""
        yards = figure(self.tables, "command distance, yards")
        return (RangeLimit(yards, Message("grand_fleets.limit.command")),)

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """Every row of boxes on her card, with its losses."""
        return record_sheet(self._vessel(ship, marks), ship.side)

    def document(self, events: Sequence[Event]) -> Document:
        """The document of `dreyer resolve --json`."""
        return report.document(events)

    def story(self, events: Sequence[Event]) -> tuple[Line, ...]:
        """An action, line by line."""
        return report.story(events)

    def _vessel(self, ship: Ship, marks: Marks) -> Vessel:
        return Vessel(ship.name, self.cards.named(ship.type, ship.name), marks, ship.id)

    def attack(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> AnyAttack | None:
        """The attack of an action. Raises if her card has no such battery."""
        action, by, at = attempt.action, attempt.by, attempt.at
        if by is None or at is None:
            return None
        firer, target = self._vessel(by.ship, by.marks), self._vessel(at.ship, at.marks)
        attack: AnyAttack
        match action:
            case Gunfire():
                turn = attempt.round_number if action.turn is None else action.turn
                attack = GunAttack(action, firer, target, turn)
            case TorpedoAttack():
                turn = attempt.round_number if action.turn is None else action.turn
                attack = TorpedoLaunch(action, firer, target, turn)
            case _:
                return None
        weapon_of(attack)
        return attack

    def _roll(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Attempt[Action, Vessel]:
        return with_vessels(attempt, self._vessel)

    def _bands(self, weapon: Guns | Torpedoes) -> tuple[RangeBand, ...]:
        """The range bands of a battery; extreme range is one and a half times long range."""
        extreme = isinstance(weapon, Guns) and weapon.extreme
        limits = band_limits(weapon.range, self.tables, extreme=extreme)
        return tuple(
            RangeBand(name, Message(f"grand_fleets.band_title.{name}"), limit)
            for name, limit in limits.items()
        )
