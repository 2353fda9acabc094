"""Torpedoes that have run, as events, and what those say to scripts and to players."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from combat.event_reports import events_of, modifier_lines
from combat.events import Acted, Event
from combat.previews import Document, Line
from combat.rulebooks.bismarck_advanced.conversion import Hexes
from combat.rulebooks.bismarck_advanced.fire.effect_messages import joined
from combat.rulebooks.bismarck_advanced.fire.events import (
    TorpedoesRan,
    TorpedoesSpent,
    TorpedoStruck,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import hits_message
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from tabletop.messages import Message, ShipRef

# A code that ends in "one" is a plural's.
_HEXES: Final = {Hexes.ONE: "one_hex", Hexes.TWO: "two_hexes"}


def torpedo_events(report: TorpedoReport) -> Iterator[Event]:
    """A salvo that has reached its receiver, and each torpedo that struck."""
    launcher, receiver = report.salvo.launcher, report.receiver_after.name
    yield TorpedoesRan(
        ship=launcher,
        target=receiver,
        torpedoes=report.salvo.torpedoes,
        reception=report.reception.why,
        reception_rule=report.reception.rule,
        modifiers=report.ledger.modifiers,
        dice=None if report.dice is None else str(report.dice),
        row=report.row,
        column=report.column,
        hits=report.hits,
        hull_boxes=sum(hit.hull_boxes for hit in report.hit_reports),
        movement_factors=sum(hit.movement_factors for hit in report.hit_reports),
        provenance=report.provenance,
        sunk_before=report.sunk_before,
    )
    for number, hit in enumerate(report.hit_reports, start=1):
        yield TorpedoStruck(
            ship=launcher,
            target=receiver,
            rule=hit.reference,
            number=number,
            die=hit.die,
            hull_boxes=hit.hull_boxes,
            movement_factors=hit.movement_factors,
            sunk=hit.sunk,
            effect=hit.words,
            provenance=hit.provenance,
        )


def document(events: Sequence[Event]) -> Document:
    """Torpedoes with keys like those of a fire."""
    (acted,), (spent,) = events_of(Acted, events), events_of(TorpedoesSpent, events)
    (ran,), struck = events_of(TorpedoesRan, events), events_of(TorpedoStruck, events)
    return {
        "battery": acted.action,
        "gunnery_factor": acted.factor,
        "torpedoes": spent.torpedoes,
        "hexes": spent.hexes,
        "column": ran.column,
        "modifiers": [asdict(modifier) for modifier in ran.modifiers],
        "modifier_total": sum(modifier.value for modifier in ran.modifiers),
        "dice": ran.dice,
        "row": ran.row,
        "hits": ran.hits,
        "hit_results": [
            {
                # A destroyer takes no die (70.2).
                "dice": "" if hit.die is None else str(hit.die),
                "hull_boxes": hit.hull_boxes,
                "movement_factors": hit.movement_factors,
                "sunk": hit.sunk,
                "effect": hit.effect,
                "provenance": hit.provenance,
            }
            for hit in struck
        ],
        "target_sunk": any(hit.sunk for hit in struck),
        "provenance": ran.provenance,
    }


def story(events: Sequence[Event]) -> Iterator[Line]:
    """Torpedoes line by line: who, when they are due, the ledger, the roll, and each hit."""
    (acted,), (spent,) = events_of(Acted, events), events_of(TorpedoesSpent, events)
    (ran,) = events_of(TorpedoesRan, events)
    fires = Message(
        "advanced.torpedo.fires",
        ship=ShipRef(acted.ship or ""),
        target=ShipRef(acted.target or ""),
        n=spent.torpedoes,
        range_yards=spent.range_yards,
        hexes=Message(f"advanced.hexes.{_HEXES[spent.hexes]}"),
    )
    yield Line(fires, acted.rule)
    yield Line(Message(f"advanced.torpedo.due_{_HEXES[spent.hexes]}"), "69.4", 1)
    yield Line(Message("advanced.torpedo.spent"), spent.rule, 1)
    yield from modifier_lines(ran.modifiers)
    roll = Message(
        "advanced.fire.roll",
        dice=ran.dice,
        total=sum(modifier.value for modifier in ran.modifiers),
        row=ran.row,
        hits=hits_message(ran.hits),
    )
    yield Line(roll if ran.dice is not None else roll_of_torpedoes(ran), ran.rule, 1)
    for hit in events_of(TorpedoStruck, events):
        told = Message("advanced.torpedo.hit", number=hit.number, effect=hit.effect)
        yield Line(told, hit.rule, 1)


def roll_of_torpedoes(ran: TorpedoesRan) -> Message:
    """The roll of a salvo and its hits, or why nothing was rolled."""
    hits = hits_message(ran.hits)
    if ran.sunk_before:
        return Message("advanced.torpedo.sunk_before")
    if ran.dice is None:
        return Message("advanced.torpedo.every_roll", hits=hits)
    total = sum(modifier.value for modifier in ran.modifiers)
    return Message("advanced.story.roll", dice=ran.dice, total=total, row=ran.row, hits=hits)


def outcome(events: Sequence[Event]) -> Message:
    """The hits of a salvo and all that they did, in one message."""
    (ran,), struck = events_of(TorpedoesRan, events), events_of(TorpedoStruck, events)
    done = [hits_message(ran.hits)]
    if ran.hull_boxes:
        done.append(Message("advanced.torpedo.hull", n=ran.hull_boxes))
    if ran.movement_factors:
        done.append(Message("advanced.effect.speed_lost", n=ran.movement_factors))
    if any(hit.sunk for hit in struck):
        done.append(Message("advanced.torpedo.sunk_outright"))
    return joined(done)
