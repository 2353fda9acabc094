"""The events of the journal: a dataclass for each kind.

In the journal and in exports an event is its kind and its fields as JSON;
`web.journal.event_documents` reads and writes them. A field that version 0.1.0 did not write has a
default.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field, PlainSerializer

from combat.actions import Action
from combat.events import Event as RulesEvent
from combat.guided_actions import BattleAction, BattleSetup
from combat.guided_play import EventKind
from tabletop.messages import Message
from tabletop.schema import Expected, Flag, Line, Number, Whole, document
from web.journal.battle_plan import StoredPlan
from web.journal.fields import (
    Edition,
    Length,
    Name,
    OfFreeRulebook,
    OfGuidedRulebook,
    OwnerValues,
    Serial,
    ShortMessage,
    SideKey,
    SideName,
    StoredFront,
    StoredPlace,
    StoredPlacedShip,
    StoredPose,
    StoredRoll,
    StoredSides,
    TableLength,
    Words,
    Yards,
    YardsPerInch,
    unless,
)


class JournalKind(StrEnum):
    """The kinds of events."""

    TABLE_OPENED = "table_opened"
    TABLE_SIZED = "table_sized"
    SIDES_SET = "sides_set"
    SHIP_ADDED = "ship_added"
    SHIP_REMOVED = "ship_removed"
    SHIP_SIDED = "ship_sided"
    SHIPS_PLACED = "ships_placed"
    SHIP_FOLLOWS = "ship_follows"
    SHIP_LIFTED = "ship_lifted"
    SMOKE_LAID = "smoke_laid"
    SMOKE_CLEARED = "smoke_cleared"
    DECIDED = "decided"
    REOPENED = "reopened"
    RULED = "ruled"
    UNRULED = "unruled"
    DECLARED = "declared"
    PREMEASURE = "premeasure"
    SET_UP = "set_up"
    BATTLE_BEGUN = "battle_begun"
    BATTLE = "battle"
    UNDO_ASKED = "undo_asked"
    UNDO_AGREED = "undo_agreed"
    UNDO_REFUSED = "undo_refused"
    UNDONE = "undone"
    CAPTAIN_SET = "captain_set"
    FREE_BEGUN = "free_begun"
    FREE_PLAYED = "free_played"
    FREE_UNDONE = "free_undone"
    FREE_ENDED = "free_ended"
    ATTACK_MADE = "attack_made"
    ATTACK_UNDONE = "attack_undone"
    ATTACK_ROUND = "attack_round"
    FIGHT_ENDED = "fight_ended"
    JOINED = "joined"
    LEFT = "left"


class Premeasure(StrEnum):
    """A house rule: who may measure before firing."""

    OPEN = "open"
    DECLARE = "declare"
    UMPIRE = "umpire"


class Origin(StrEnum):
    """The origin of a pose."""

    SETUP = "setup"
    HAND = "hand"
    PHOTO = "photo"
    PLOT = "plot"


@dataclass(frozen=True, slots=True)
class Event:
    """The base class of events."""

    kind: ClassVar[JournalKind]


# The table


@document
class ShipFacts:
    """A ship of the table with her first pose."""

    name: Name
    type: Name | None = None
    side: SideKey
    size: Name | None = None
    length_yards: Length
    width_yards: Length
    bridge_yards: Annotated[Number, PlainSerializer(float), Field(ge=-20_000, le=20_000)] = 0.0
    pose: StoredPose | None = None


@document
class TableOpened(Event):
    """A table was opened."""

    kind: ClassVar = JournalKind.TABLE_OPENED
    title: Annotated[Line, Field(max_length=40)]
    ruleset: Name
    yards_per_inch: YardsPerInch
    width_yards: TableLength
    height_yards: TableLength
    ships: Annotated[tuple[ShipFacts, ...], Field(max_length=200)]
    smoke: Annotated[tuple[StoredFront, ...], Field(max_length=200)]
    premeasure: Premeasure = Premeasure.OPEN
    plan: Annotated[StoredPlan | None, unless(None)] = None
    sides: Annotated[StoredSides | None, unless(None)] = None
    """None for the default sides."""
    demo: Annotated[Flag, unless(False)] = False
    """Whether it is the demo battle, which the rendered camera shows."""


@document
class TableSized(Event):
    """The size or scale of the table was changed."""

    kind: ClassVar = JournalKind.TABLE_SIZED
    yards_per_inch: YardsPerInch
    width_yards: TableLength
    height_yards: TableLength


@document
class SidesSet(Event):
    """The sides of the table were set."""

    kind: ClassVar = JournalKind.SIDES_SET
    sides: StoredSides


@document
class ShipAdded(ShipFacts, Event):
    """A ship was added."""

    kind: ClassVar = JournalKind.SHIP_ADDED


@document
class ShipRemoved(Event):
    """A ship was removed for good."""

    kind: ClassVar = JournalKind.SHIP_REMOVED
    name: Name


@document
class ShipSided(Event):
    """A ship changed sides."""

    kind: ClassVar = JournalKind.SHIP_SIDED
    name: Name
    side: SideKey
    side_name: Annotated[SideName | None, unless(None)] = None


@document
class ShipsPlaced(Event):
    """Ships were placed."""

    kind: ClassVar = JournalKind.SHIPS_PLACED
    ships: Annotated[tuple[StoredPlacedShip, ...], Field(min_length=1, max_length=200)]
    origin: Origin
    reason: Words = ""


@document
class ShipFollows(Event):
    """A ship follows the camera again."""

    kind: ClassVar = JournalKind.SHIP_FOLLOWS
    name: Name


@document
class ShipLifted(Event):
    """A ship was taken off the table."""

    kind: ClassVar = JournalKind.SHIP_LIFTED
    name: Name


@document
class SmokeLaid(Event):
    """A smoke front was laid."""

    kind: ClassVar = JournalKind.SMOKE_LAID
    id: Serial
    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards


@document
class SmokeCleared(Event):
    """A smoke front was removed."""

    kind: ClassVar = JournalKind.SMOKE_CLEARED
    id: Serial


# Two ships


@document
class _OfPair(Event):
    """An event about two ships."""

    firer: Name
    target: Name

    @property
    def pair(self) -> tuple[str, str]:
        """Firer and target."""
        return self.firer, self.target


@document
class _WherePairStood(_OfPair):
    """An event that is valid as long as two ships stay where they were."""

    firer_pose: StoredPose
    target_pose: StoredPose


@document
class Declared(_WherePairStood):
    """Fire was declared."""

    kind: ClassVar = JournalKind.DECLARED


@document
class Decided(_WherePairStood):
    """A close call was decided."""

    kind: ClassVar = JournalKind.DECIDED
    what: Words
    limit: Annotated[Number, PlainSerializer(float)] | ShortMessage
    reading: Words


@document
class Reopened(_OfPair):
    """The decision of a close call was withdrawn."""

    kind: ClassVar = JournalKind.REOPENED
    what: Words


@document
class Ruled(_WherePairStood):
    """Figures were entered by hand."""

    kind: ClassVar = JournalKind.RULED
    range_yards: Annotated[Number, PlainSerializer(float), Field(ge=0, le=1_000_000)] | None
    quadrant: Words | None
    aspect: Words | None
    blocked: Flag | None
    smoke: Flag | None
    reason: Words


@document
class Unruled(_OfPair):
    """Entered figures were withdrawn."""

    kind: ClassVar = JournalKind.UNRULED


@document
class PremeasureSet(Event):
    """The house rule about measuring before firing was set."""

    kind: ClassVar = JournalKind.PREMEASURE
    mode: Premeasure


@document
class SetUp(Event):
    """The dice of the set-up were entered."""

    kind: ClassVar = JournalKind.SET_UP
    words: Words


# Guided battles


@document
class BattleBegun(Event):
    """A battle began."""

    kind: ClassVar = JournalKind.BATTLE_BEGUN
    setup: Annotated[BattleSetup, OfGuidedRulebook("setup")]
    owner_values: OwnerValues = ""
    edition: Edition = 1


@document
class CaptainSet(Event):
    """A captain of the program plays a side of the battle from now on, or no longer does.

    What its decisions are drawn with is not here: whoever knew it could work out sealed plots.
    """

    kind: ClassVar = JournalKind.CAPTAIN_SET
    side: SideKey
    captain: Name | None
    """Its name, such as "steady"; None where people play the side again."""
    side_name: Annotated[SideName | None, unless(None)] = None


_Rolls = Annotated[tuple[StoredRoll, ...], Field(max_length=5_000)]
_BriefEvents = Annotated[tuple[Mapping[str, object], ...], Field(max_length=10_000)]
"""The rules' events in brief, for readers of the file: replaying the action gives them in full."""


@document
class BattlePlayed(Event):
    """An action of a battle with its rolls, its events and its place in the sequence of play."""

    kind: ClassVar = JournalKind.BATTLE
    action: Annotated[BattleAction, OfGuidedRulebook("action")]
    rolls: _Rolls
    place: StoredPlace
    events: _BriefEvents = ()


@document
class OldBattlePlayed(Event):
    """One action of a battle as version 0.1.0 kept it; `battle_record` makes a new one of it."""

    kind: ClassVar = JournalKind.BATTLE
    action_kind: Annotated[EventKind, Field(alias="kind")]
    side: Name | None
    data: Mapping[str, object]
    phase: Annotated[
        str, Field(pattern=r"^(?:\d{1,6}\.\d{1,6})?$"), Expected(Message("schema.place"))
    ] = ""
    events: _BriefEvents = ()


@document
class UndoAsked(Event):
    """A side requested an undo."""

    kind: ClassVar = JournalKind.UNDO_ASKED
    after: Serial
    side: Name | None
    words: Words
    retype: Flag = False
    """Whether typed dice are to be typed anew."""


@document
class UndoAgreed(Event):
    """A side agreed to an undo."""

    kind: ClassVar = JournalKind.UNDO_AGREED
    side: SideKey


@document
class UndoRefused(Event):
    """A request to undo was refused, or withdrawn by who had made it."""

    kind: ClassVar = JournalKind.UNDO_REFUSED
    withdrawn: Flag = False


@document
class RollsTakenBack:
    """The rolls of an undone action."""

    place: StoredPlace
    rolls: _Rolls


_Numbers = Annotated[tuple[Serial, ...], Field(max_length=100_000)]


@document
class BattleUndone(Event):
    """Actions were undone."""

    kind: ClassVar = JournalKind.UNDONE
    events: _Numbers
    taken_back: Annotated[tuple[RollsTakenBack, ...], Field(max_length=10_000)]


@document
class OldBattleUndone(Event):
    """Actions that version 0.1.0 undid, with the digits of their dice by segment."""

    kind: ClassVar = JournalKind.UNDONE
    events: _Numbers
    tape: Mapping[
        Annotated[Line, Field(max_length=20)],
        Annotated[str, Field(max_length=20_000, pattern=r"^[1-6]*$")],
    ]


# Battles in free play


@document
class FreeBegun(Event):
    """A battle in free play began."""

    kind: ClassVar = JournalKind.FREE_BEGUN
    ruleset: Name
    edition: Edition
    owner_values: OwnerValues


@document
class FreeStep:
    """One action with its rolls and events, and the changed marks of ships."""

    action: Annotated[Action, OfFreeRulebook("action")]
    rolls: Annotated[tuple[StoredRoll, ...], Field(max_length=2_000)]
    events: Annotated[
        tuple[Annotated[RulesEvent, OfFreeRulebook("event")], ...], Field(max_length=5_000)
    ]
    marks: Mapping[Words, Mapping[str, object]] = field(default_factory=dict)
    """By ship, with the keys of a shot file's [firer.state]."""


@document
class FreePlayed(Event):
    """Actions were played together."""

    kind: ClassVar = JournalKind.FREE_PLAYED
    ruleset: Name
    edition: Edition = 1
    steps: Annotated[tuple[FreeStep, ...], Field(min_length=1, max_length=20)]


@document
class FreeUndone(Event):
    """Actions were undone."""

    kind: ClassVar = JournalKind.FREE_UNDONE
    ruleset: Name
    to: Serial


@document
class FreeEnded(Event):
    """A battle in free play ended."""

    kind: ClassVar = JournalKind.FREE_ENDED
    ruleset: Name
    title: Words


# The calculator of version 0.1.0


@document
class AttackMade(Event):
    """An attack on the calculator of version 0.1.0; its shot file is read when it is replayed."""

    kind: ClassVar = JournalKind.ATTACK_MADE
    ruleset: Name
    round: Serial
    simultaneous: Flag
    when_marked: Flag
    tables: Words
    dice: Annotated[
        tuple[
            Annotated[str, Field(pattern=r"^[0-9]{1,2}$"), Expected(Message("schema.dice"))], ...
        ],
        Field(max_length=2_000),
    ]
    how: Words
    firer: Words
    firer_type: Words
    target: Words
    target_type: Words
    battery: Words
    said: Mapping[Words, Words]
    file: Annotated[str, Field(max_length=20_000)]
    document: Mapping[str, object]
    story: Annotated[tuple[tuple[str, str, Whole], ...], Field(max_length=10_000)]
    after: Mapping[Literal["firer", "target"], Mapping[str, object]]
    words: Annotated[Line, Field(max_length=1_000)]
    outcome: Annotated[Line, Field(max_length=1_000)]

    def ship(self, role: Literal["firer", "target"]) -> str:
        """The ship in a role."""
        return self.firer if role == "firer" else self.target


@document
class AttackUndone(Event):
    """An attack of version 0.1.0 was undone."""

    kind: ClassVar = JournalKind.ATTACK_UNDONE
    n: Serial
    words: Annotated[Line, Field(max_length=1_000)]


@document
class AttackRound(Event):
    """A round of version 0.1.0's calculator began."""

    kind: ClassVar = JournalKind.ATTACK_ROUND
    ruleset: Name
    round: Serial


@document
class FightEnded(Event):
    """A fight on version 0.1.0's calculator ended."""

    kind: ClassVar = JournalKind.FIGHT_ENDED
    ruleset: Name
    title: Words


# People


@document
class Joined(Event):
    """Somebody took a seat."""

    kind: ClassVar = JournalKind.JOINED
    role: Words
    side: SideKey | None = None
    side_name: Annotated[SideName | None, unless(None)] = None


@document
class Left(Event):
    """Somebody gave a seat up."""

    kind: ClassVar = JournalKind.LEFT


PEOPLE = (Joined, Left)
"""Events about people, which are not exported."""
FREE = (
    *(FreeBegun, FreePlayed, FreeUndone, FreeEnded),
    *(AttackMade, AttackUndone, AttackRound, FightEnded),
)
"""The events of battles in free play, of this version and of 0.1.0."""


FORMAT: Final = 2
"""The current format of the data of entries; version 0.1.0 wrote format 1."""
NEWER: Final = Message("journal.newer")


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the journal, with its time and author."""

    n: int
    seconds: float
    """Since 1970."""
    seat: str | None
    who: str
    event: Event
    format: int = FORMAT
