"""Record sheets as data: every row of boxes on the card, with its losses."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from combat.participants import ShipStatus
from combat.record_sheets import PartDetails, RecordSheet, SheetPart, factor_part, sheet_of_parts
from combat.rulebooks.grand_fleets.card import TORPEDOES, DiceRow, Torpedoes, Tube
from combat.rulebooks.grand_fleets.damage import battery_names
from combat.rulebooks.grand_fleets.terms import health_message
from combat.rulebooks.grand_fleets.vessel import Health, Vessel
from tabletop.messages import NO_WORDS, Message, verbatim

_OUT_OF_COMMAND: Final = Message("grand_fleets.part.out_of_command")
_MAIN, _SECONDARY, _AIR, _TUBES, _BRIDGE = 0.2, 0.5, 0.65, 0.8, 0.35
"""Default places of parts for which the card gives none, from the bow."""
_SIDES: Final = {Tube.PORT: "port", Tube.STARBOARD: "starboard"}
_STATIONS: Final = {Tube.FORWARD: 0.03, Tube.AFT: 0.97}


def record_sheet(ship: Vessel, side: str) -> RecordSheet:
    """A ship's sheet."""
    card, parts = ship.card, list(_parts(ship))
    drawn = sheet_of_parts(ship.name, card.name, card.ship_class, side, parts, status=ship.status)
    return replace(drawn, trouble=trouble_of(ship), glance=glance_at(ship))


def trouble_of(ship: Vessel) -> float:
    """The damage from 0 to 1: the worst of hull, engines and main guns."""
    if ship.health is Health.SUNK:
        return 1.0
    speed, main = len(ship.card.speed), next(iter(ship.card.dice_boxes.items()), None)
    worst = [
        ship.marks.hull_lost / ship.hull_boxes if ship.hull_boxes else 0.0,
        0.8 * ship.marks.speed_lost / speed if speed else 0.0,
        0.8 * (1 - len(ship.dice_left(main[0])) / len(main[1])) if main else 0.0,
    ]
    # A ship that floats is always below 1.
    return min(0.99, max(worst))


def glance_at(ship: Vessel) -> Message:
    """What she has left, in one line."""
    if ship.status is ShipStatus.SUNK:
        return ship.status.message
    if ship.status is ShipStatus.WITHDRAWN:
        return Message("grand_fleets.glance.left")
    return Message("grand_fleets.glance.all", items=tuple(_glances(ship)))


def _glances(ship: Vessel) -> Iterator[Message]:
    marks = ship.marks
    yield health_message(ship.health)
    if ship.hull_boxes:
        yield Message("grand_fleets.glance.hull", left=ship.hull_left, total=ship.hull_boxes)
    if ship.card.speed:
        yield Message("grand_fleets.glance.speed", speed=ship.speed_kyds)
    if marks.marker != "none":
        yield Message(f"grand_fleets.result.marker_{marks.marker}")
    if marks.initiative is not None:
        yield Message("grand_fleets.result.initiative", score=marks.initiative)
    if marks.command_quality is not None:
        yield Message("grand_fleets.glance.commander", quality=ship.quality)
    if marks.out_of_command:
        yield _OUT_OF_COMMAND
    if marks.checks_due:
        yield Message("grand_fleets.glance.checks_due")


def _parts(ship: Vessel) -> Iterator[SheetPart]:
    card, marks = ship.card, ship.marks
    yield _row(
        "hull",
        Message("grand_fleets.part.hull"),
        (ship.hull_boxes, ship.hull_left),
        words=NO_WORDS if ship.health is Health.SOUND else health_message(ship.health),
        details=PartDetails(groups=card.hull, gaps=card.gaps),
    )
    left = max(0, len(card.speed) - marks.speed_lost)
    yield _row(
        "speed",
        Message("grand_fleets.part.speed"),
        (len(card.speed), left),
        words=Message("grand_fleets.glance.speed", speed=ship.speed_kyds)
        if left < len(card.speed)
        else NO_WORDS,
        details=PartDetails(labels=tuple(map(str, card.speed))),
    )
    for number, (key, boxes) in enumerate(card.dice_boxes.items()):
        yield _battery(ship, key, boxes, _SECONDARY if number else _MAIN)
    if card.torpedoes:
        for tube in card.torpedoes.carried:
            yield _tubes(ship, card.torpedoes, tube)
    yield _row(
        "flag",
        Message("grand_fleets.part.command"),
        (1, int(not marks.out_of_command)),
        kind="conning_tower",
        station=_BRIDGE,
        words=_OUT_OF_COMMAND if marks.out_of_command else NO_WORDS,
    )


def _battery(ship: Vessel, key: DiceRow, boxes: tuple[int, ...], station: float) -> SheetPart:
    guns, left = ship.card.battery(key), ship.dice_left(key)
    words = (
        Message("grand_fleets.part.dice", dice=left[0])
        if left
        else Message("grand_fleets.part.out_of_action")
    )
    return _row(
        key,
        verbatim(battery_names(ship)[key]),
        (len(boxes), len(left)),
        kind="turret" if guns and guns.turrets else "secondary",
        station=station if guns else _AIR,
        words=words if len(left) < len(boxes) else NO_WORDS,
        details=PartDetails(labels=tuple(map(str, boxes))),
    )


def _tubes(ship: Vessel, torpedoes: Torpedoes, tube: Tube) -> SheetPart:
    part = _row(
        f"{TORPEDOES}_{tube}",
        Message("grand_fleets.part.torpedoes", tube=str(tube), weapon=torpedoes.name),
        (torpedoes.carried[tube], ship.torpedoes_left()[tube]),
        kind=TORPEDOES,
        station=_STATIONS.get(tube, _TUBES),
        details=PartDetails(labels=tuple(str(box) for box in torpedoes.tubes if box.tube is tube)),
    )
    return replace(part, side=_SIDES.get(tube, "both"))


def _row(
    key: str,
    title: Message,
    boxes: tuple[int, int],
    *,
    kind: str = "",
    station: float | None = None,
    words: Message | None = None,
    details: PartDetails | None = None,
) -> SheetPart:
    """A row of boxes: their number, and how many are left."""
    part = factor_part(
        key, kind or key, title, boxes, unit="boxes", station=station, details=details
    )
    return part if words is None else replace(part, words=words)
