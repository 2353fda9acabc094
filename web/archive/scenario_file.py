"""The present table as a scenario file of one's own, which any server of this program reads.

It has what everybody at the table sees: places, sides, types that are known, smoke and weather.
What is hidden, written or damaged is not in it.
"""

import re
from collections.abc import Container, Iterator, Mapping
from typing import Final

import tomli_w

from combat.guided_play import PlottedView
from combat.participants import SPECTATOR, UMPIRE, ShipStatus, Side
from combat.sides import usual
from tabletop.errors import DreyerError
from web.strings import text
from web.table.moment import Moment, ShipNow

LARGEST_BYTES: Final = 400_000
_TITLE_LETTERS: Final = 40
_YARDS: Final = 1
"""Places are written to a tenth of a yard."""


def scenario_file(moment: Moment) -> tuple[str, bytes]:
    """The file's name and content. DreyerError where no ship is placed."""
    state = moment.state
    placed = [
        now for now in moment.ships.values() if now.pose is not None and not _gone(moment, now)
    ]
    if not placed:
        raise DreyerError("battles.fault.no_ship_placed")
    title = (state.title or str(text("battles.own_title")))[:_TITLE_LETTERS].strip()
    document: dict[str, object] = {
        "title": title,
        "ruleset": state.ruleset,
        "yards_per_inch": state.yards_per_inch,
    }
    hidden, sides, undeclared = _hidden(moment), tuple(state.sides), usual().sides
    fighting = tuple(side for side in sides if any(now.piece.side == side.key for now in placed))
    if len(fighting) > 1 and not hidden and all(now.ship is not None for now in placed):
        document["scenario"] = _about(moment)
        # Every side of a scenario has a ship.
        sides, undeclared = fighting, undeclared.fighting
    if sides != tuple(undeclared):
        keys = {side.key for side in sides}
        document["side"] = [_side(side, keys) for side in sides]
    document["ship"] = [_ship(now, hidden) for now in placed]
    smoke = [
        {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for (x1, y1), (x2, y2) in (front.ends for front in moment.smoke)
    ]
    if smoke:
        document["smoke"] = smoke
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "scenario"
    return f"{name}.toml", tomli_w.dumps(document).encode()


def _hidden(moment: Moment) -> dict[str, str]:
    """The labels of ships that somebody does not know yet, by their names and by their labels."""
    if moment.battle is None:
        return {}
    labels = {ship.id for ship in moment.battle.view(SPECTATOR).ships if ship.hidden}
    true = moment.battle.view(UMPIRE).ships
    by_name = {ship.id: ship.label for ship in true if ship.label and ship.label in labels}
    return {**by_name, **{label: label for label in labels}}


def _gone(moment: Moment, now: ShipNow) -> bool:
    fate = moment.fates.get(now.piece.name)
    return fate is not None and fate.status is not ShipStatus.IN_ACTION


def _about(moment: Moment) -> dict[str, object]:
    state = moment.state
    about: dict[str, object] = {
        "date": str(text("battles.own_date")),
        "story": str(text("battles.own_story")),
        "victory": str(text("battles.own_victory")),
        "audience": str(text("battles.own_audience")),
        "width_inches": round(state.width_yards / state.yards_per_inch, 3),
        "height_inches": round(state.height_yards / state.yards_per_inch, 3),
    }
    view = moment.battle.view(SPECTATOR) if moment.battle is not None else None
    if isinstance(view, PlottedView) and isinstance(view.conditions.visibility, int):
        about |= {"visibility": view.conditions.visibility, "night": view.conditions.night}
    elif view is None and state.plan is not None:
        conditions = state.plan.conditions
        about |= {"visibility": conditions.visibility, "night": conditions.night}
    return about


def _side(side: Side, declared: Container[str]) -> dict[str, object]:
    if side.key in usual().sides.keys:
        return {"key": side.key}
    return dict(_of_own_side(side, declared))


def _of_own_side(side: Side, declared: Container[str]) -> Iterator[tuple[str, object]]:
    yield "name", side.name
    yield "letter", side.letter
    yield "shape", str(side.shape)
    yield "colour", str(side.colour)
    if allies := [ally for ally in side.allies if ally in declared]:
        yield "allies", allies


def _ship(now: ShipNow, hidden: Mapping[str, str]) -> dict[str, object]:
    piece, pose = now.piece, now.pose
    if pose is None:
        raise ValueError(piece.name)
    found: dict[str, object] = {"name": hidden.get(piece.name, piece.name)}
    if piece.type is not None and piece.name not in hidden:
        found["type"] = piece.type
    return {
        **found,
        "x": round(pose.x_yards, _YARDS),
        "y": round(pose.y_yards, _YARDS),
        "heading": round(pose.heading_deg, 1),
        "side": piece.side,
    }
