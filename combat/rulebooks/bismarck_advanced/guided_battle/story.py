"""The story of a battle: one line for each thing that happened, and folded beneath it how."""

from collections.abc import Iterable, Iterator, Mapping

from combat.previews import Line
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import PhaseReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport
from combat.rulebooks.bismarck_advanced.fire.fire_report import as_story, describe_hit
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport
from combat.rulebooks.bismarck_advanced.fire.odds import hit_odds_of
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport, torpedo_odds
from combat.rulebooks.bismarck_advanced.guided_battle.state import OpenMove, Told
from combat.rulebooks.bismarck_advanced.movement.plot import Note
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.story_entries import (
    Entry,
    FireDocument,
    HitDocument,
    MoveDocument,
    Rounds,
    TorpedoDocument,
)
from tabletop.survey import Survey

_COUNTED = {0: "miss", 1: "1 hit"}


def tell_plots(before: Engagement, move: OpenMove) -> Iterator[Told]:
    """The plots as they lie open: speed and notation (56.1, 56.5), torpedoes to their own side."""
    for ship in before.in_action:
        order, moved = move.orders[ship.name], move.moved[ship.name]
        plot = move.report.plots[ship.name]
        words = str(plot) or "stays where she is"
        if plot.follows:
            words = f"{words} {order.follows}"
        line = Line(f"{ship.name}, speed {moved.speed}: {words}", "57.5")
        children = [Line(f"she is {moved.evolution.replace('_', ' ')}", "67.3", 1)]
        if Note.SMOKE_COVER in plot.notes:
            children.append(Line("she lays smoke cover", "67.64", 1))
        if Note.SMOKE_FRONT in plot.notes:
            children.append(Line(f"she lays a smoke front to {order.smoke_side}", "67.65", 1))
        yield Told(
            Entry("plot", line, tuple(children), ships=(ship.name,)),
            exposes=(ship.name,),
            veiled=Line(f"{ship.name} moves", "57.5"),
        )
    for salvo in move.report.launched:
        launcher = salvo.launcher
        line = Line(f"{launcher} launches torpedoes: her marker stays where she stood", "69.5")
        yield Told(Entry("torpedo", line, ships=(launcher,)))
        aim = Line(
            f"{launcher}'s torpedoes run at {salvo.target}, {salvo.range_yards:,.0f} yards: "
            f"due in {salvo.due}",
            "69.4",
        )
        told = Entry("torpedo", aim, ships=(launcher,))
        yield Told(told, only=before[launcher].side)


def tell_moved(
    moved: Engagement,
    seen: Survey,
    collided: Iterable[tuple[str, str]],
    accepted: Mapping[str, str],
) -> Iterator[Told]:
    """Where everybody stands after a move: ranges between enemies, collisions, differences."""
    for ship in moved.in_action:
        glances = sorted(
            (seen.glance(ship.name, enemy.name) for enemy in moved.enemies_of(ship)),
            key=lambda glance: glance.range_yards,
        )
        sights = ", ".join(
            f"{glance.target} {glance.range_yards:,.0f} yd {glance.quadrant}"
            f"{' (blocked)' * glance.blocked}"
            for glance in glances
        )
        line = Line(f"{ship.name}: {sights}", "56.2")
        # Where she stands is for everybody to see, and for the maps of the report.
        document = MoveDocument(ship.name, ship.side, ship.pose)
        yield Told(Entry("move", line, ships=(ship.name,), document=document))
    for name, why in accepted.items():
        line = Line(f"{name} stands as she stands, by agreement: {why}", "56.2")
        yield Told(Entry("move", line, ships=(name,)))
    for first, second in collided:
        line = Line(f"{first} and {second} collide: speed halved", "59.1")
        yield Told(Entry("collision", line, ships=(first, second)))


def tell_phase(report: PhaseReport, before: Engagement, card: Card) -> Iterator[Told]:
    """What came of a combat phase, in the order of resolution (62.3)."""
    if not (report.fires or report.torpedoes or report.jams):
        yield Told(Entry("fire", Line("Nobody fires", "56.3")))
    yield from map(tell_jam, report.jams)
    for fire in report.fires:
        odds = hit_odds_of(fire.gunnery_factor, fire.ledger.total, card, before.options)
        yield tell_fire(fire, odds=odds)
    for salvo in report.torpedoes:
        yield tell_torpedoes(salvo, odds=torpedo_odds(salvo, card.tables))
    for name, moving in report.slowed.items():
        was = before[name].speed
        line = Line(f"{name} slows from {was} to {moving.speed}", "58.8")
        veiled = Line(f"{name} slows", "58.8")
        yield Told(Entry("slowed", line, ships=(name,)), exposes=(name,), veiled=veiled)
    for name in report.sunk:
        yield Told(Entry("sunk", Line(f"{name} is sunk", "64.8"), ships=(name,)))


def tell_jam(jam: JamReport) -> Told:
    """A roll for jams (71.2)."""
    line = Line(f"{jam.ship} rolls {jam.dice} for jams: {jam.words}", jam.rule)
    return Told(Entry("jam", line, ships=(jam.ship,)))


def tell_fire(
    fire: FireReport, *, complete: bool = True, odds: Mapping[int, float] | None = None
) -> Told:
    """One fire: the line, its ledger and hits beneath it, and its figures.

    With the odds that it had, the document tells how lucky it was.

    To whoever may not know the target, the ledger stays folded away for good: her class and speed
    are in it. The hits are his: he has rolled them, and armour is stated aloud (63.4).
    """
    shot = fire.shot
    salvo = (
        f"{shot.firer.name} fires {fire.guns} {shot.battery} gun{'s' * (fire.guns != 1)} "
        f"at {shot.target.name}"
    )
    if fire.dice is None:
        outcome = "too little to hit" if complete else f"factor {fire.gunnery_factor}"
        line, veiled = Line(f"{salvo}: {outcome}", "62.43"), Line(salvo, "62.43")
    else:
        hits = _COUNTED.get(fire.hits, f"{fire.hits} hits")
        roll = f"{fire.dice} {fire.ledger.total:+d}, row {fire.row}: {hits}"
        line = Line(f"{salvo}, factor {fire.gunnery_factor}: {roll}", "62.44")
        veiled = Line(f"{salvo}: {fire.dice}, {hits}", "62.44")
    _, *children = as_story(fire)
    if not complete and fire.dice is None:
        # No dice have fallen yet, which is not the same as a factor of 0 that takes none.
        children = [child for child in children if not child.text.startswith("A factor of 0")]
    entry = Entry(
        "fire",
        line,
        tuple(children),
        ships=(shot.firer.name, shot.target.name),
        document=_fire_document(fire, odds),
        complete=complete,
    )
    told = tuple(
        Line(f"Hit {number}: {describe_hit(hit)}", hit.reference, 1)
        for number, hit in enumerate(fire.hit_reports, start=1)
    )
    return Told(entry, exposes=(shot.target.name,), veiled=veiled, veiled_children=told)


def _fire_document(fire: FireReport, odds: Mapping[int, float] | None) -> FireDocument:
    shot = fire.shot
    return FireDocument(
        firer=shot.firer.name,
        target=shot.target.name,
        battery=shot.battery.value,
        guns=fire.guns,
        turrets=tuple(turret.name for turret in shot.ready),
        range_yards=shot.sightline.range_yards,
        segment=shot.sightline.band,
        multiplier=None if shot.multiplier is None else float(shot.multiplier),
        gunnery_factor=fire.gunnery_factor,
        modifiers=fire.ledger.modifiers,
        modifier_total=fire.ledger.total,
        dice=None if fire.dice is None else str(fire.dice),
        row=fire.row,
        hits=fire.hits,
        hit_results=tuple(map(_hit_document, fire.hit_reports)),
        ammunition=Rounds(fire.ammunition_spent, fire.ammunition_left),
        provenance=fire.provenance,
        hit_odds=odds,
        expected_hits=None if odds is None else _mean(odds),
    )


def _hit_document(hit: HitReport) -> HitDocument:
    return HitDocument(
        dice=" ".join(hit.dice),
        location=hit.location,
        place=hit.place,
        armour=hit.armour,
        armour_inches=hit.armour_inches,
        penetration_inches=hit.penetration_inches,
        penetrated=hit.penetrated,
        effect=hit.effect,
        provenance=hit.provenance,
    )


def _mean(odds: Mapping[int, float]) -> float:
    return sum(hits * chance for hits, chance in odds.items())


def tell_torpedoes(report: TorpedoReport, *, odds: Mapping[int, float] | None = None) -> Told:
    """A salvo of torpedoes that has arrived (69); with its odds it tells how lucky it was."""
    receiver = report.receiver_after.name
    hits = _COUNTED.get(report.hits, f"{report.hits} hits")
    head = f"{report.salvo.launcher}'s torpedoes run at {receiver}"
    line = Line(f"{head}: {report.dice} {report.ledger.total:+d}, row {report.row}: {hits}", "69.2")
    ledger = (
        Line(f"{modifier.value:+3d}  {modifier.label}", modifier.reference, 1)
        for modifier in report.ledger
        if modifier.value
    )
    damage = tuple(Line(hit.words, hit.reference, 1) for hit in report.hit_reports)
    reception = Line(report.reception.why, report.reception.rule, 1)
    entry = Entry(
        "torpedo",
        line,
        (reception, *ledger, *damage),
        ships=(report.salvo.launcher, receiver),
        document=None
        if odds is None
        else TorpedoDocument(
            launcher=report.salvo.launcher,
            target=receiver,
            torpedoes=report.salvo.torpedoes,
            hits=report.hits,
            hit_odds=odds,
            expected_hits=_mean(odds),
        ),
    )
    veiled = Line(f"{head}: {report.dice}, {hits}", "69.2")
    return Told(entry, exposes=(receiver,), veiled=veiled, veiled_children=damage)


def tell(kind: str, text: str, reference: str = "", ships: tuple[str, ...] = ()) -> Told:
    """Anything that needs no more than a line."""
    return Told(Entry(kind, Line(text, reference), ships=ships))


def tell_segment(phase: CombatPhase) -> Told:
    """The heading of a segment."""
    return tell("segment", f"Round {phase.round_number}, {phase.segment} segment", "56")
