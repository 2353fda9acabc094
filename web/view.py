"""What one caller may see of the table: the one document that every page is drawn from.

State, log, stream and export all come from here, so that what a seat must not see has only one
door to be kept shut.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from web.battle.view import battle_view
from web.charts.ships import side_of, silhouette_of
from web.seats import Caller, Right, Seat
from web.session import Session
from web.strings import text
from web.table.log_words import log_lines
from web.table.moment import Moment, ShipNow
from web.table.pieces import Premeasure

LOG_LINES: Final = 40
_SHAPES: Final = {"british": "round", "german": "angular", "neutral": "square"}
_LETTERS: Final = {"british": "B", "german": "G", "neutral": "–"}


@dataclass(frozen=True, slots=True)
class Joining:
    """How phones get here; the host alone is told."""

    shared: bool
    address: str
    """In figures, with the port; this machine's own while it is not shared."""
    link: str
    """What the QR code holds."""
    networks: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """The camera's newest picture: its number, and how old it is."""

    number: int = 0
    """0 while there is none."""
    age_seconds: float | None = None


def view_for(
    session: Session,
    caller: Caller,
    joining: Joining | None = None,
    tables: Mapping[str, Any] | None = None,
    picture: Picture | None = None,
) -> dict[str, Any]:
    """The table as this caller may see it, as plain JSON."""
    caller.must_be_known()
    moment = session.moment
    state = moment.state
    now = session.now()
    measure = may_measure(moment, caller)
    seats = list(session.seats)
    return {
        "seq": moment.seq,
        "you": _you(caller, measure),
        "table": {
            "title": state.title,
            "ruleset": state.ruleset,
            "ruleset_title": moment.ruleset.title if moment.ruleset else "",
            "width_yards": state.width_yards,
            "height_yards": state.height_yards,
            "yards_per_inch": state.yards_per_inch,
        },
        "sides": [
            {
                "key": key,
                "name": text(f"sides.{key}"),
                "letter": letter,
                "shape": _SHAPES[key],
            }
            for key, letter in _LETTERS.items()
        ],
        "ships": [_ship(ship, now) for ship in moment.ships.values()],
        "smoke": _smoke(moment),
        # Rings and a scale bar measure by themselves; where measuring is not free they are kept.
        "rings": list(moment.rings) if measure == "yes" else [],
        "scale_bar": measure == "yes",
        "rings_about": looks_first(moment, caller),
        "quadrant_lines_deg": list(moment.quadrant_lines_deg),
        "camera": {
            **asdict(moment.camera),
            "ships_seen": sum(
                ship.source == "camera" and ship.state in ("settled", "moving")
                for ship in moment.ships.values()
            ),
            "picture": picture.number if picture else 0,
            "picture_age_seconds": picture.age_seconds if picture else None,
        },
        "premeasure": state.premeasure,
        "declared": [
            {"firer": firer, "target": target, "by": declared.who}
            for (firer, target), declared in standing_declarations(moment).items()
        ],
        "battle": battle_view(moment.battle, caller) if moment.battle else None,
        "tables": tables,
        "seats": [_seat(seat, session) for seat in seats],
        "join": _joining(session, joining) if caller.host and joining else None,
        "log": log_lines(session.log(most=LOG_LINES)),
    }


def looks_first(moment: Moment, caller: Caller) -> str | None:
    """The ship from which the table is seen until one is chosen: the caller's own, if any."""
    own = caller.seat.side if caller.seat else None
    mine = (name for name in moment.poses if moment.ships[name].piece.side == own)
    return next(mine, None) or next(iter(moment.poses), None)


def may_measure(moment: Moment, caller: Caller) -> str:
    """Whether a caller may measure any pair: yes, only after declaring fire, or not at all."""
    rule = moment.state.premeasure
    if rule is Premeasure.OPEN or caller.is_umpire:
        return "yes"
    return "declare" if rule is Premeasure.DECLARE else "no"


def may_measure_pair(moment: Moment, caller: Caller, firer: str, target: str) -> str:
    """The same for one pair: a declared one is open to all until a ship of it moves."""
    rule = may_measure(moment, caller)
    declared = standing_declarations(moment)
    return "yes" if (firer, target) in declared or (target, firer) in declared else rule


def standing_declarations(moment: Moment) -> Mapping[tuple[str, str], Any]:
    """The declarations whose ships have not moved since."""
    return {
        pair: declared
        for pair, declared in moment.state.declared.items()
        if moment.stands(declared.standing, pair)
    }


def _you(caller: Caller, measure: str) -> dict[str, Any]:
    seat = caller.seat
    return {
        "host": caller.host,
        "seat": seat.id if seat else None,
        "name": caller.name,
        "role": seat.role if seat else None,
        "side": seat.side if seat else None,
        "may": {
            "place": caller.has(Right.PLAY),
            "decide": caller.has(Right.PLAY),
            "host": caller.host,
            "measure": measure,
        },
    }


def _ship(now: ShipNow, clock: float) -> dict[str, Any]:
    piece, pose = now.piece, now.pose
    placement = piece.placement if now.source != "camera" else None
    note = ""
    if placement is not None and placement.reason:
        note = str(text("events.moved_by_hand", who=placement.who, reason=placement.reason))
    return {
        "name": piece.name,
        "type": piece.type,
        "side": piece.side,
        "silhouette": silhouette_of(now.ship),
        "placed": pose is not None,
        "x": pose.x_yards if pose else None,
        "y": pose.y_yards if pose else None,
        "heading": pose.heading_deg if pose else None,
        "sigma_yards": pose.position_sigma_yards if pose else None,
        "heading_sigma_deg": pose.heading_sigma_deg if pose else None,
        "length_yards": piece.length_yards,
        "width_yards": piece.width_yards,
        "source": now.source,
        "state": now.state,
        "follows": piece.follows,
        "age_seconds": (
            max(0.0, clock - now.seen_at) if now.state == "stale" and now.seen_at else 0.0
        ),
        "note": note,
    }


def _smoke(moment: Moment) -> list[dict[str, Any]]:
    """Every front; those of a battle are the rulebook's and cannot be cleared by hand."""
    numbers = [None] * len(moment.smoke) if moment.battle else [f.id for f in moment.state.smoke]
    return [
        {
            "id": number,
            "x1": front.x1_yards,
            "y1": front.y1_yards,
            "x2": front.x2_yards,
            "y2": front.y2_yards,
        }
        for number, front in zip(numbers, moment.smoke, strict=True)
    ]


def _seat(seat: Seat, session: Session) -> dict[str, Any]:
    return {
        "id": seat.id,
        "name": seat.name,
        "role": seat.role,
        "side": seat.side,
        "here": session.is_here(seat.id),
    }


def _joining(session: Session, joining: Joining) -> dict[str, Any]:
    return {
        "code": session.seats.code,
        "locked": session.seats.locked,
        "shared": joining.shared,
        "address": joining.address,
        "link": joining.link,
        "networks": [dict(network) for network in joining.networks],
    }


def sides_on_table(ships: Sequence[ShipNow]) -> dict[str, list[str]]:
    """The ships of each side, for the cards of the join page; only sides that have ships."""
    sides: dict[str, list[str]] = {}
    for now in ships:
        sides.setdefault(now.piece.side or side_of(now.ship).key, []).append(now.piece.name)
    return sides
