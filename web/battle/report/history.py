"""What a battle was, segment by segment: where everybody stood, and how they came there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from combat.game import Game
from combat.guided_actions import Move
from combat.guided_play import GuidedRulebook, StepKind
from combat.participants import UMPIRE, ShipStatus
from web.games.guided_game import BattleNow

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a ship was after a move, and what had become of her by the segment's end."""

    x: float
    y: float
    heading: float
    status: ShipStatus


@dataclass(frozen=True, slots=True)
class SegmentPast:
    """A segment by the ships' true names."""

    round_number: int
    segment: int
    ships: Mapping[str, Standing]
    paths: Mapping[str, tuple[Point, ...]]
    """The way that each ship came in this segment."""
    smoke: tuple[tuple[Point, Point], ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """Round and segment."""
        return self.round_number, self.segment


@dataclass(frozen=True, slots=True)
class History:
    """A battle's past, by true names: what a caller may know of it is for others to say."""

    start: Mapping[str, Standing]
    segments: tuple[SegmentPast, ...]


def history_of(battle: BattleNow) -> History:
    """The past of a battle."""
    return battle.answers.find("history", lambda: _history(battle.rulebook, battle.game))


def _history(rulebook: GuidedRulebook[Any], game: Game[Any]) -> History:
    segments: list[SegmentPast] = []
    for count, played in enumerate(game.played):
        if not isinstance(played.action, Move):
            continue
        before = game.state_after(count)
        if rulebook.step(before).kind is not StepKind.MOVE:
            continue
        if segments:
            # Who was sunk or corrected since the last move is known now.
            segments[-1] = replace(segments[-1], ships=_standings(rulebook, before))
        segments.append(_moved(rulebook, before, game.state_after(count + 1)))
    if segments:
        segments[-1] = replace(segments[-1], ships=_standings(rulebook, game.state))
    return History(_standings(rulebook, game.start), tuple(segments))


def _moved(rulebook: GuidedRulebook[Any], before: Any, after: Any) -> SegmentPast:
    place, moves = rulebook.place(before), rulebook.view(before, UMPIRE).move
    return SegmentPast(
        place.round_number,
        place.segment,
        _standings(rulebook, after),
        {name: move.points for name, move in moves.items()},
        tuple(front.ends for front in rulebook.view(after, UMPIRE).smoke),
    )


def _standings(rulebook: GuidedRulebook[Any], state: Any) -> Mapping[str, Standing]:
    view = rulebook.view(state, UMPIRE)
    return {
        ship.id: Standing(ship.pose.x_yards, ship.pose.y_yards, ship.pose.heading_deg, ship.status)
        for ship in view.ships
    }
