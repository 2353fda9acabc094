"""What a television shows: the table, the tracks of its ships, and how the battle stands.

It is made for someone without a side, whoever looks: everybody in the room reads it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

from combat.battle_history import Point
from combat.guided_play import BattleView, OrderedView, PlottedView, StepKind
from combat.optional_rules import RuleValue
from combat.participants import SPECTATOR, UMPIRE, ShipStatus
from combat.story_entries import Entry, FireDocument
from combat.views import ScoreView, ShipView
from tabletop.messages import NO_WORDS, Message
from web.auth.seats import Caller, Role, Seat
from web.games.guided_game import GuidedGame
from web.session import Session
from web.table.log import LogLine, log_lines
from web.views.fog import is_foggy
from web.views.table import TableView, view_for
from web.views.turn import SidePlayers, parties_of

PUBLIC: Final = Caller("", seat=Seat("", "", Role.ONLOOKER, None))
"""Whose view a television shows: somebody who sees the table and no side's secrets."""
TOLD: Final = 12
"""How many things that happened are listed."""
_SEGMENTS_BACK: Final = 5
"""How far back tracks go, so that a long battle does not cover the chart with them."""
_ROUTINE: Final = frozenset(
    {
        "begin",
        "fire-held",
        "model-moved",
        "move",
        "move-agreed",
        "order-set",
        "phase-began",
        "plot",
        "rate",
        "segment",
        "ship-entered",
    }
)
"""What the chart and the step show better than a line."""


@dataclass(frozen=True, slots=True)
class TickerLine:
    """Something that happened, in a line."""

    kind: str
    words: Message


@dataclass(frozen=True, slots=True)
class TrackView:
    """The way of a ship in one segment."""

    side: str
    points: tuple[Point, ...]
    """In yards."""
    latest: bool
    """Whether it is her way in the latest segment."""


@dataclass(frozen=True, slots=True)
class TelevisionView(TableView):
    """The table as everybody in the room may see it, with the tracks of its ships."""

    tracks: tuple[TrackView, ...]
    """Oldest first; empty without a battle that keeps them."""
    replaying: bool
    """Whether the replay of the battle is shown in place of the chart."""


@dataclass(frozen=True, slots=True)
class SideStanding:
    """A side on the television: its players, its ships, and its points."""

    players: SidePlayers
    left: int
    """Its ships that take part."""
    ships: int
    sunk: tuple[str, ...]
    score: ScoreView | None
    """None in a battle without points."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a battle stands, for everybody to read."""

    place: Message
    step: Message
    reference: str
    kind: StepKind
    hint: Message
    waiting: bool
    """Whether the step waits for a side."""
    rolling: bool
    """Whether it waits for dice."""
    ending: Message
    sides: tuple[SideStanding, ...]
    conditions: tuple[RuleValue, ...]
    told: tuple[TickerLine, ...]
    """The latest first."""


def television_view(session: Session) -> TelevisionView:
    """The table for a television."""
    view = view_for(session, PUBLIC)
    battle = session.moment.battle
    tracks = () if battle is None else tuple(_tracks(battle))
    return TelevisionView(
        **{each.name: getattr(view, each.name) for each in fields(TableView)},
        tracks=tracks,
        replaying=is_replaying(session),
    )


def is_replaying(session: Session) -> bool:
    """Whether televisions show the replay: after the battle, or when the host asks for it."""
    battle = session.moment.battle
    if battle is None or not battle.history.segments:
        return False
    if not battle.is_over and is_foggy(session.moment):
        return False
    wanted = session.replay_shown
    return battle.is_over if wanted is None else wanted


@dataclass(frozen=True, slots=True)
class ReplaySwitch:
    """The host's switch between the chart and the replay."""

    shown: bool
    can_be_shown: bool
    """Whether there is anything to show, and to everybody."""


def replay_switch(session: Session) -> ReplaySwitch:
    """Whether televisions show the replay, and whether they could."""
    battle = session.moment.battle
    if battle is None or not battle.history.segments:
        return ReplaySwitch(shown=False, can_be_shown=False)
    is_open = battle.is_over or not is_foggy(session.moment)
    return ReplaySwitch(is_replaying(session), is_open)


def standing(
    battle: GuidedGame, seats: Iterable[Seat], is_present: Callable[[str], bool]
) -> Standing:
    """How a battle stands."""
    view = battle.view(SPECTATOR)
    step = view.step
    return Standing(
        place=step.place,
        step=step.title,
        reference=step.reference,
        kind=step.kind,
        hint=step.hint,
        waiting=bool(step.waiting_for),
        rolling=bool(view.all_wanted),
        ending=view.ending or NO_WORDS,
        sides=tuple(_sides(view, seats, is_present)),
        conditions=battle.rulebook.conditions_in_force(battle.state),
        told=tuple(_told(battle)),
    )


def what_was_done(session: Session) -> tuple[LogLine, ...]:
    """The latest lines of the log, for a table without a battle; the latest first."""
    lines = log_lines(session.log(most=TOLD), session.moment.ruleset)
    return tuple(reversed(lines))


def _sides(
    view: BattleView, seats: Iterable[Seat], is_present: Callable[[str], bool]
) -> Iterator[SideStanding]:
    scores: Mapping[str, ScoreView] = {}
    if isinstance(view, OrderedView):
        scores = {each.side: each for each in view.score}
    for players in parties_of(view, seats, is_present):
        ships = [ship for ship in view.ships if ship.side == players.side]
        yield SideStanding(
            players,
            sum(ship.in_action for ship in ships),
            len(ships),
            tuple(ship.id for ship in ships if ship.status is ShipStatus.SUNK),
            scores.get(players.side),
        )


def _told(battle: GuidedGame) -> Iterator[TickerLine]:
    notable = (entry for entry in reversed(battle.story(SPECTATOR)) if entry.kind not in _ROUTINE)
    for _, entry in zip(range(TOLD), notable, strict=False):
        yield TickerLine(entry.kind, _in_short(entry))


def _in_short(entry: Entry) -> Message:
    """An entry as a room reads it: of a fire who fired at whom and what hit, without the sum."""
    fire = entry.document
    if not isinstance(fire, FireDocument):
        return entry.line.text
    result = (
        Message("combat.salvo.hits", n=fire.hits) if fire.hits else Message("combat.salvo.miss")
    )
    at_target = Message("salvo.said", title=fire.title, target=fire.target, result=result)
    return Message("salvo.said_by", firer=fire.firer, told=at_target)


def _tracks(battle: GuidedGame) -> Iterator[TrackView]:
    """The ways of the models, which everybody has seen move; in fog of war nobody has."""
    view = battle.view(SPECTATOR)
    if isinstance(view, PlottedView) and view.fog:
        return
    sides = {ship.id: ship.side for ship in _all_ships(battle)}
    segments = battle.history.segments[-_SEGMENTS_BACK:]
    for segment in segments:
        for name, points in segment.paths.items():
            if len(points) > 1:
                yield TrackView(sides[name], points, segment is segments[-1])


def _all_ships(battle: GuidedGame) -> tuple[ShipView, ...]:
    """Every ship by her true name; only her side is taken from here."""
    return battle.view(UMPIRE).ships
