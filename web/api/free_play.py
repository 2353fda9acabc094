"""The API of battles in free play: act, undo, next round, end, and the battle itself."""

from collections.abc import Mapping
from dataclasses import field
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from combat.participants import UMPIRE, Ship
from combat.rulebooks import get_ruleset
from tabletop.messages import Message
from tabletop.schema import Expected, Flag, Line, document
from web.actions.free_play import (
    BeginRound,
    EndFree,
    JoinFight,
    TakeAction,
    UndoAction,
    steps_from,
)
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.games.free_game import FreeGame
from web.journal.fields import Name, unless
from web.strings import words

routes: Final = Routes()

_ShipName = Annotated[Line, Field(min_length=1, max_length=80)]
_Dice = Annotated[str, Field(pattern="^[0-9]{1,2}$"), Expected(Message("schema.dice"))]


@document
class RulesetBody:
    """The rulebook of the battle."""

    ruleset: Name


@document
class JoiningShip:
    """A ship that is added to the battle if it does not have her."""

    name: _ShipName
    type: _ShipName
    """A ship type of the rulebook."""
    side: Name


@document
class FreeActionRequest(RulesetBody):
    """An action, ships to add, and dice."""

    action: Mapping[str, object]
    """By its `kind`, with its ships by name (`by`, `at`) and the keys of a shot file: those of
    [fire], [conditions] and [options] as they are, `speed` of [firer] as `firer_speed`."""
    ships: Annotated[tuple[JoiningShip, ...], Field(max_length=4)] = ()
    marks: Annotated[Mapping[_ShipName, Mapping[str, object]], Field(max_length=4)] = field(
        default_factory=dict
    )
    """Marks to enter first, with the keys of a shot file's [firer.state].

    Omitted marks stay unchanged.
    """
    dice: Annotated[tuple[_Dice, ...], Field(max_length=1000)] = ()
    roll: Flag = False
    """Whether the server rolls missing dice."""


@document
class JoiningRequest(RulesetBody):
    """A ship that joins, undamaged."""

    type: _ShipName
    """A ship type of the rulebook."""
    name: _ShipName | None = None
    """Without it that of her type, with a number where it is taken."""
    side: Name | None = None
    """Without it that of her nation."""


@document
class RulesetQuery:
    """The rulebook of the battle; by default the one played last."""

    ruleset: Name | None = None


@routes.route(
    "POST",
    "/api/free",
    "Play an action in free play",
    needs=Needs.PLAY,
    faults=(404,),
    tag="free",
    operation="act_free",
)
def act(call: Call, body: FreeActionRequest) -> Done:
    """The result is in the log and on the sheets."""
    action = TakeAction(
        ruleset=body.ruleset,
        ships=[Ship(each.name, each.name, each.side, each.type) for each in body.ships],
        marks=body.marks,
        action=body.action,
        dice=body.dice,
        roll=body.roll,
        owner_values=call.server_context.owner_values,
        chance=call.server_context.chance,
    )
    return call.act(action)


@routes.route(
    "POST",
    "/api/free/ships",
    "Add a ship to a battle in free play",
    needs=Needs.PLAY,
    faults=(404,),
    tag="free",
)
def join_fight(call: Call, body: JoiningRequest) -> Done:
    """She may act from then on."""
    action = JoinFight(
        body.ruleset, body.type, body.name, body.side, call.server_context.owner_values
    )
    return call.act(action)


@routes.route(
    "POST", "/api/free/round", "Begin the next round", needs=Needs.PLAY, faults=(404,), tag="free"
)
def begin_round(call: Call, body: RulesetBody) -> Done:
    """All damage so far counts from then on."""
    return call.act(BeginRound(body.ruleset, call.server_context.owner_values))


routes.action(
    "POST",
    "/api/free/undo",
    "Take actions back; their dice are kept",
    UndoAction,
    tag="free",
    operation="undo_free",
)
routes.action(
    "POST",
    "/api/free/end",
    "Clean sheets: begin a new battle in free play",
    EndFree,
    tag="free",
)


@document
class FreeShip:
    """A ship of a battle in free play."""

    name: str
    type: str
    side: str
    status: str
    state: Mapping[str, object]
    """Her marks, with the keys of a shot file's [firer.state]."""


@document
class FreeRoll:
    """Rolled dice and their purpose."""

    value: str
    purpose: str
    side: str | None
    by_server: bool
    again: Annotated[bool, unless(False)] = False
    """Whether it was rolled before an undo and used again."""


@document
class FreeStepDocument:
    """An action with its result; action and events as the rulebook defines them."""

    n: int
    action: Mapping[str, object]
    rolls: tuple[FreeRoll, ...]
    events: tuple[Mapping[str, object], ...]
    marks: Mapping[str, Mapping[str, object]]
    """The changed marks of ships."""


@document
class FreePointsLine:
    """Victory points for one ship or event; negative ones are lost."""

    label: str
    points: float
    rule: str


@document
class FreePoints:
    """The victory points of one player."""

    player: str
    total: float
    lines: tuple[FreePointsLine, ...]
    notes: tuple[str, ...]


@document
class FreeBattleDocument:
    """A battle in free play, which has no secrets."""

    ruleset: str
    edition: int
    round: int
    ships: tuple[FreeShip, ...]
    played: tuple[FreeStepDocument, ...]
    victory_points: tuple[FreePoints, ...]
    """Those of each player, in rulebooks that count them for ships."""


@document
class FreeBattleAnswer(Done):
    """The battle in free play; null if there is none."""

    battle: FreeBattleDocument | None


@routes.route(
    "GET",
    "/api/free",
    "A battle in free play: its ships, its round, what was played",
    needs=Needs.LOOK,
    faults=(404,),
    tag="free",
    operation="view_free",
)
def view(call: Call, query: RulesetQuery) -> FreeBattleAnswer:
    """The whole battle, which has no secrets."""
    free = call.session.moment.free
    now = free.of(get_ruleset(query.ruleset).name) if query.ruleset else free.server_context
    return FreeBattleAnswer(seq=call.session.seq, battle=None if now is None else _battle(now))


def _battle(now: FreeGame) -> FreeBattleDocument:
    state, rulebook = now.state, now.rulebook
    named = partial(words, names=state.names)
    return FreeBattleDocument(
        ruleset=rulebook.name,
        edition=now.record.edition,
        round=state.round_number,
        ships=tuple(
            FreeShip(
                name=each.ship.name,
                type=each.ship.type,
                side=each.ship.side,
                status=each.status.free_play_key,
                state=rulebook.state_document(each.ship, state.marks[each.ship.id]),
            )
            for each in rulebook.view(state, UMPIRE).ships
        ),
        played=tuple(
            FreeStepDocument(
                n=played.n,
                action=rulebook.action_schema().dump(step.action),
                rolls=tuple(
                    FreeRoll(
                        value=roll.value,
                        purpose=named(roll.purpose),
                        side=roll.side,
                        by_server=roll.by_server,
                        again=roll.again,
                    )
                    for roll in step.rolls
                ),
                events=tuple(rulebook.event_schema().dump(event, named) for event in step.events),
                marks=step.marks,
            )
            for played, step in zip(now.game.played, steps_from(rulebook, now.game), strict=True)
        ),
        victory_points=tuple(
            FreePoints(
                player=named(each.player),
                total=float(each.total),
                lines=tuple(
                    FreePointsLine(
                        label=named(line.label), points=float(line.points), rule=line.rule
                    )
                    for line in each.lines
                ),
                notes=tuple(named(note.text) for note in each.notes),
            )
            for each in rulebook.victory_points(state)
        ),
    )
