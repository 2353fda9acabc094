"""Battle of the Bathtub, which nobody has heard of: a whole rulebook in one short module."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from combat.actions import Action, ActionInfo, ShipAtShip
from combat.dice import Dice
from combat.events import Concluded, Event, Rolled, Sunk
from combat.free_play import Attempt, FreeRulebook, MarkedShip, Result
from combat.free_rulebook_loader import load_free_ruleset
from combat.modifiers import Modifier
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.questions import QuestionInfo, between
from combat.record_sheets import RecordSheet, factor_part, sheet_of_parts
from combat.rulebook_info import Ruleset
from combat.strength import Strength, rule_reference
from combat.table_spec import TableSpec, every, whole
from combat.tables import TableSet, read_tables
from combat.ten_sided_dice import strength_of
from tabletop.messages import verbatim
from tabletop.schema import Flag

NAME: Final = "battle-of-the-bathtub"
HULL: Final = 6
_FOLDER = Path(__file__).parent
_SPLASH_TABLE = TableSpec(
    "splash", "Splash Table", tuple("123456"), ("hits",), every(whole(0, 9, "hits"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Splash(ShipAtShip):
    """One ship splashes another (1)."""

    kind: Literal["splash"] = "splash"
    bubbles: Annotated[Flag, QuestionInfo("bathtub", "4")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How wet a ship is (3)."""

    soaked: Annotated[int, between(0, HULL), QuestionInfo("bathtub", "3", "state")] = 0


def _among_bubbles(action: Action) -> bool:
    return isinstance(action, Splash) and action.bubbles


class BathtubRulebook(FreeRulebook[Marks]):
    """The rules of the Battle of the Bathtub."""

    name: ClassVar[str] = NAME
    infos: ClassVar[tuple[ActionInfo, ...]] = (
        ActionInfo("splash", verbatim("Splash"), "1", Splash),
    )
    state_type: ClassVar[type[Any]] = Marks

    def status_of(self, ship: Ship, marks: Marks) -> ShipStatus:
        """A ship that is soaked through is sunk (3)."""
        return ShipStatus.SUNK if marks.soaked >= HULL else ShipStatus.IN_ACTION

    def strength(self, attempt: Attempt[Action, MarkedShip[Marks]]) -> Strength:
        """One die, less one among bubbles (4)."""
        for each in (attempt.actor, attempt.victim):
            if self.status_of(each.ship, each.marks) is ShipStatus.SUNK:
                raise Forbidden(verbatim(f"{each.ship.name} is under water"), "3")
        bubbles = Modifier("bubbles", -1, verbatim("Bubbles"), "4", Provenance.PRINTED)
        return strength_of(
            1, rule_reference("1"), [bubbles] if _among_bubbles(attempt.action) else []
        )

    def resolve(self, attempt: Attempt[Action, MarkedShip[Marks]], dice: Dice) -> Result[Marks]:
        """Splash, and count the hits (2, 3)."""
        strength, target = self.strength(attempt), attempt.victim
        die, modifier = dice.die(verbatim("the splash")), strength.ledger.total
        hits = self.tables["splash"].integer(str(max(1, die + modifier)), "hits")

        def soak(marks: Marks) -> Marks:
            return replace(marks, soaked=min(HULL, marks.soaked + hits))

        events: list[Event] = [
            self.acted(attempt, strength),
            Rolled(
                rule="2",
                purpose=verbatim("the splash"),
                dice=str(die),
                modifier=modifier,
                total=die + modifier,
                result=f"{hits} hits",
            ),
            Concluded(rule="2", hits=hits),
        ]
        if self.status_of(target.ship, soak(target.marks)) is ShipStatus.SUNK:
            events.append(Sunk(target=target.id, rule="3"))
        return Result(tuple(events), suffered=soak)

    def record_sheet(self, ship: Ship, marks: Marks) -> RecordSheet:
        """Six boxes of hull."""
        card, status = self.ship_type(ship), self.status_of(ship, marks)
        hull = factor_part(
            "hull", "hull", verbatim("Hull"), (HULL, HULL - marks.soaked), unit="boxes"
        )
        return sheet_of_parts(
            ship.name, card.name, card.ship_class, ship.side, [hull], status=status
        )


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_free_ruleset(NAME, _FOLDER, lambda: BathtubRulebook, _load_tables)


@cache
def _load_tables() -> TableSet:
    return read_tables(NAME, _FOLDER, (_SPLASH_TABLE,))
