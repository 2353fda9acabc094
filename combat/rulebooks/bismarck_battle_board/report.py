"""What the events of an action on the battle board say to scripts and to players."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from combat.event_reports import events_of
from combat.events import Acted, Concluded, Departed, Event, Rolled, Sunk
from combat.previews import DocumentValue, Line
from combat.rulebooks.bismarck_battle_board.damage import NO_DAMAGE
from combat.rulebooks.bismarck_battle_board.events import (
    Aimed,
    AmmunitionSpent,
    AttackResolved,
    Entered,
    EvasionRepaired,
    FightersLost,
    FlotillaLeft,
    FuelLost,
    MerchantsSunk,
    Refuelled,
    SectionReduced,
    SectionRepaired,
    SheetLeft,
    Stands,
    SubmarinesLost,
    Surprised,
    TorpedoesFired,
    TurnBegan,
    WithdrawalBegan,
    WithdrawalEnded,
)
from combat.rulebooks.bismarck_data.events import PlanesStopped
from combat.rulebooks.bismarck_data.table_files import SECTIONS
from tabletop.messages import Message, ShipRef


def with_range(title: Line, events: Sequence[Event]) -> Line:
    """The title of a story with range, sector and aspect, where a ship fires her guns."""
    for aimed in events_of(Aimed, events):
        told = Message(
            "board.story.aimed",
            title=title.text,
            n=aimed.hexes,
            range=aimed.range,
            sector=Message(f"board.sector.{aimed.sector}"),
            aspect=Message(f"board.sector.{aimed.aspect}"),
        )
        title = replace(title, text=told)
    return title


def endings(events: Sequence[Event]) -> Iterator[Line]:
    """What an action came to, line by line."""
    for event in events:
        told = _ending(event, ShipRef(event.ship or ""), ShipRef(event.target or ""))
        if told is not None:
            yield Line(told, event.rule)


def _ending(event: Event, ship: ShipRef, target: ShipRef) -> Message | None:
    match event:
        case SectionReduced(section=section):
            return Message(
                "board.story.reduced", ship=ship, section=Message(f"board.mount.{section}")
            )
        case SheetLeft():
            parts = tuple(
                Message(f"board.left.{part}", count=count) for part, count in left_of(event).items()
            )
            words = "has_left_and_sinks" if event.sunk else "has_left"
            return Message(f"board.story.{words}", ship=target, parts=parts)
        case FlotillaLeft(destroyers=destroyers, salvos=salvos):
            who = target if event.target else ship
            return Message("board.story.flotilla", ship=who, n=destroyers, salvos=salvos)
        case AmmunitionSpent(spent=spent, left=left):
            return Message("board.story.ammunition", ship=ship, n=spent, left=left)
        case TorpedoesFired():
            return Message("board.story.torpedoes", ship=ship)
        case PlanesStopped(stopped=stopped, lost=lost, through=through):
            return Message("bismarck.story.planes", n=stopped, lost=lost, through=through)
        case FightersLost(patrol=patrol, escorts=escorts):
            return Message("board.story.fighters", patrol=patrol, escorts=escorts)
        case SubmarinesLost(lost=lost):
            return Message("board.story.submarines", n=lost)
        case MerchantsSunk(sunk=sunk, escort_hits=0):
            return Message("board.story.merchants", n=sunk)
        case MerchantsSunk(sunk=sunk, escort_hits=hits):
            return Message("board.story.merchants_and_escort", n=sunk, hits=hits)
        case Stands():
            return _stands(event, ship)
        case WithdrawalBegan():
            return Message("board.story.withdraws", ship=ship)
        case WithdrawalEnded():
            return Message("board.story.held", ship=ship)
        case Departed():
            return Message("board.story.escaped", ship=ship)
        case Entered():
            return Message("board.story.enters", ship=ship)
        case EvasionRepaired(regained=regained, left=left):
            return Message("board.story.repaired", ship=ship, n=regained, left=left)
        case SectionRepaired(section=section, repaired=repaired, marked=marked):
            part = Message(f"board.part.{section}")
            return Message(
                "board.story.section_repaired", ship=ship, section=part, n=repaired, left=marked
            )
        case Refuelled(ammunition=ammunition, torpedoes=torpedoes):
            words = "refuelled_with_torpedoes" if torpedoes else "refuelled"
            return Message(f"board.story.{words}", ship=ship, n=ammunition)
        case Surprised(succeeds=succeeds):
            words = "surprised" if succeeds else "not_surprised"
            return Message(f"board.story.{words}", ship=ship, target=target)
        case TurnBegan():
            return Message("board.story.new_turn")
        case FuelLost(lost=lost):
            return Message("board.story.fuel", ship=ship, n=lost)
        case Sunk() if event.ship == event.target:
            return Message("combat.story.sinks", ship=ship)
    return None


def _stands(event: Stands, ship: ShipRef) -> Message:
    if event.column is None:
        return Message("board.story.moves", ship=ship, n=event.hexes, turns=event.turns)
    return Message(
        "board.story.stands",
        ship=ship,
        column=event.column,
        row=event.row or 0,
        heading=event.heading or 0,
    )


def own_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` that depend on what was done."""
    (acted,) = events_of(Acted, events)
    found: dict[str, DocumentValue] = {}
    for aimed in events_of(Aimed, events):
        found |= {"hexes": aimed.hexes, "range": aimed.range, "shots": acted.factor}
        found |= {"sector": aimed.sector, "aspect": aimed.aspect}
    resolved = events_of(AttackResolved, events)
    if resolved:
        damage = sum((each.damage for each in resolved), NO_DAMAGE)
        found |= {"marks": asdict(damage), "effects": [each.damage.message for each in resolved]}
        found["hit_results"] = list(_hit_results(events))
    for left in events_of(SheetLeft, events):
        found |= {"target_left": left_of(left), "target_sunk": left.sunk}
    for flotilla in events_of(FlotillaLeft, events):
        found["flotilla_left"] = {"destroyers": flotilla.destroyers, "salvos": flotilla.salvos}
    for spent in events_of(AmmunitionSpent, events):
        found["ammunition_spent"] = spent.spent
    for planes in events_of(PlanesStopped, events):
        found["planes"] = {
            "stopped": planes.stopped, "lost": planes.lost, "through": planes.through
        }  # fmt: skip
    for fighters in events_of(FightersLost, events):
        found["fighters_lost"] = {"patrol": fighters.patrol, "escorts": fighters.escorts}
    for submarines in events_of(SubmarinesLost, events):
        found["submarines_lost"] = submarines.lost
    for merchants in events_of(MerchantsSunk, events):
        found |= {"merchants_sunk": merchants.sunk, "escort_hits": merchants.escort_hits}
    for stands in events_of(Stands, events):
        found |= {"column": stands.column, "row": stands.row, "heading": stands.heading}
    for repaired in events_of(EvasionRepaired, events):
        found |= {"regained": repaired.regained, "evasion": repaired.left}
    for section in events_of(SectionRepaired, events):
        found |= {"repaired": section.repaired, "boxes_marked": section.marked}
    for refuelled in events_of(Refuelled, events):
        found["ammunition_gained"] = refuelled.ammunition
    for surprise in events_of(Surprised, events):
        found["surprised"] = surprise.succeeds
    for fuel in events_of(FuelLost, events):
        found["fuel_lost"] = fuel.lost
    if acted.action == "withdrawal move":
        found["escaped"] = bool(events_of(Departed, events))
    for concluded in events_of(Concluded, events):
        if concluded.results:
            found["outcome"] = list(concluded.results)
    return found


def left_of(event: SheetLeft) -> dict[str, int]:
    """What a ship has left: midships boxes, salvos by section, evasion."""
    counts = {section: getattr(event, section) for section in SECTIONS}
    return {"midships": event.midships, **counts, "evasion": event.evasion}


def _hit_results(events: Sequence[Event]) -> Iterator[dict[str, DocumentValue]]:
    rolls: list[Rolled] = []
    for event in events:
        if isinstance(event, Rolled):
            rolls.append(event)
        elif isinstance(event, AttackResolved):
            if event.damage.hits:
                yield {
                    "dice": " ".join(roll.dice for roll in rolls),
                    "results": [roll.words for roll in rolls],
                    "effect": event.damage.message,
                }
            rolls.clear()
