"""The story of a battle: one line for each thing that happened, and folded beneath it how."""

from collections.abc import Iterable, Iterator, Mapping

from combat.event_reports import modifier_lines
from combat.events import Event, Sunk
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import PhaseReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.phase_text import (
    collision_message,
    sight_message,
)
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport
from combat.rulebooks.bismarck_advanced.fire.effect_messages import (
    begun,
    effect_message,
    in_boxes,
)
from combat.rulebooks.bismarck_advanced.fire.events import (
    DirectorOut,
    HullHit,
    HullMark,
    NoEffect,
    PlotOut,
    RadarOut,
    SecondaryOut,
    TurretDestroyed,
    TurretHit,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import as_story, hit_lines, hits_message
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
from tabletop.messages import Message, ShipRef
from tabletop.survey import Survey


def tell_plots(before: Engagement, move: OpenMove) -> Iterator[Told]:
    """The plots as they lie open: speed and notation (56.1, 56.5), torpedoes to their own side."""
    for ship in before.in_action:
        order, moved = move.orders[ship.name], move.moved[ship.name]
        plot, known = move.report.plots[ship.name], ShipRef(ship.name)
        if plot.follows:
            message = Message(
                "advanced.story.follows",
                ship=known,
                speed=moved.speed,
                plot=str(plot),
                ahead=ShipRef(order.follows or ""),
            )
        elif str(plot):
            message = Message("advanced.story.plot", ship=known, speed=moved.speed, plot=str(plot))
        else:
            message = Message("advanced.story.stays", ship=known, speed=moved.speed)
        children = [Line(Message(f"advanced.story.evolution.{moved.evolution}"), "67.3", 1)]
        if Note.SMOKE_COVER in plot.notes:
            children.append(Line(Message("advanced.story.smoke_cover"), "67.64", 1))
        if Note.SMOKE_FRONT in plot.notes:
            front = Message(f"advanced.story.smoke_front.{order.smoke_side}")
            children.append(Line(front, "67.65", 1))
        yield Told(
            Entry("plot", Line(message, "57.5"), tuple(children), ships=(ship.name,)),
            exposes=(ship.name,),
            veiled=Line(Message("advanced.story.moves", ship=known), "57.5"),
        )
    for salvo in move.report.launched:
        launcher = salvo.launcher
        line = Line(Message("advanced.story.launches", ship=ShipRef(launcher)), "69.5")
        yield Told(Entry("torpedo", line, ships=(launcher,)))
        aim = Message(
            "advanced.story.torpedoes_aimed",
            ship=ShipRef(launcher),
            target=ShipRef(salvo.target),
            range_yards=salvo.range_yards,
            due=phase_message(salvo.due),
        )
        told = Entry("torpedo", Line(aim, "69.4"), ships=(launcher,))
        yield Told(told, only=before[launcher].side)


def phase_message(phase: CombatPhase) -> Message:
    """A combat phase by its round and segment."""
    return Message(f"advanced.phase.{phase.segment}", round_number=phase.round_number)


def tell_moved(
    moved: Engagement,
    seen: Survey,
    collided: Iterable[tuple[str, str]],
    accepted: Mapping[str, Message],
) -> Iterator[Told]:
    """Where everybody stands after a move: ranges between enemies, collisions, differences."""
    for ship in moved.in_action:
        glances = sorted(
            (seen.glance(ship.name, enemy.name) for enemy in moved.enemies_of(ship)),
            key=lambda glance: glance.range_yards,
        )
        stands = Message(
            "advanced.story.stands",
            ship=ShipRef(ship.name),
            sights=tuple(map(sight_message, glances)),
        )
        # Where she stands is for everybody to see, and for the maps of the report.
        document = MoveDocument(ship.name, ship.side, ship.pose)
        yield Told(Entry("move", Line(stands, "56.2"), ships=(ship.name,), document=document))
    for name, why in accepted.items():
        agreed = Message("advanced.story.stands_by_agreement", ship=ShipRef(name), why=why)
        yield tell("move", agreed, "56.2", (name,))
    for first, second in collided:
        yield tell("collision", collision_message(first, second), "59.1", (first, second))


def tell_phase(report: PhaseReport, before: Engagement, card: Card) -> Iterator[Told]:
    """What came of a combat phase, in the order of resolution (62.3)."""
    if not (report.fires or report.torpedoes or report.jams):
        yield tell("fire", Message("advanced.story.nobody_fires"), "56.3")
    yield from map(tell_jam, report.jams)
    for fire in report.fires:
        odds = hit_odds_of(fire.gunnery_factor, fire.ledger.total, card, before.options)
        yield tell_fire(fire, odds=odds)
    for salvo in report.torpedoes:
        yield tell_torpedoes(salvo, odds=torpedo_odds(salvo, card.tables))
    for name, moving in report.slowed.items():
        was, ship = before[name].speed, ShipRef(name)
        slows = Message("advanced.story.slows_to", ship=ship, was=was, speed=moving.speed)
        yield Told(
            Entry("slowed", Line(slows, "58.8"), ships=(name,)),
            exposes=(name,),
            veiled=Line(Message("advanced.story.slows", ship=ship), "58.8"),
        )
    for name in report.sunk:
        yield tell("sunk", Message("advanced.story.sunk", ship=ShipRef(name)), "64.8", (name,))


def tell_jam(jam: JamReport) -> Told:
    """A roll for jams (71.2)."""
    rolled = Message(
        "advanced.story.jam", ship=ShipRef(jam.ship), dice=str(jam.dice), result=jam.words
    )
    return tell("jam", rolled, jam.rule, (jam.ship,))


def tell_fire(
    fire: FireReport, *, complete: bool = True, odds: Mapping[int, float] | None = None
) -> Told:
    """One fire: the line, its ledger and hits beneath it, and its figures.

    With the odds that it had, the document tells how lucky it was.

    To whoever may not know the target, the ledger stays folded away for good: her class and speed
    are in it. The hits are his: he has rolled them, and armour is stated aloud (63.4).
    """
    shot = fire.shot
    salvo = Message(
        "advanced.story.salvo",
        firer=ShipRef(shot.firer.name),
        target=ShipRef(shot.target.name),
        n=fire.guns,
        battery=Message(f"advanced.battery.{shot.battery}"),
    )
    factor = fire.gunnery_factor
    if fire.dice is None:
        message = Message("advanced.story.factor", salvo=salvo, factor=factor)
        if complete:
            message = Message("advanced.story.too_little", salvo=salvo)
        line, veiled = Line(message, "62.43"), Line(salvo, "62.43")
    else:
        dice, hits = str(fire.dice), hits_message(fire.hits)
        message = Message(
            "advanced.story.fire",
            salvo=salvo,
            factor=factor,
            dice=dice,
            total=fire.ledger.total,
            row=fire.row,
            hits=hits,
        )
        line = Line(message, "62.44")
        veiled = Line(
            Message("advanced.story.fire_seen", salvo=salvo, dice=dice, hits=hits), "62.44"
        )
    _, *children = as_story(fire)
    if not complete and fire.dice is None:
        # No dice have fallen yet, which is not the same as a factor of 0 that takes none.
        children = [child for child in children if child.text.code != "advanced.fire.no_dice"]
    entry = Entry(
        "fire",
        line,
        tuple(children),
        ships=(shot.firer.name, shot.target.name),
        document=_fire_document(fire, odds),
        complete=complete,
    )
    told = tuple(hit_lines(fire.hit_reports))
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
    # The turret that was struck is a part of the sheet by its name, all else by its kind.
    turret = dict(hit.place.params).get("turret")
    return HitDocument(
        dice=hit.dice,
        location=hit.location,
        part=str(turret or hit.location or "hull"),
        place=hit.place,
        armour=hit.armour,
        armour_inches=hit.armour_inches,
        penetration_inches=hit.penetration_inches,
        penetrated=hit.penetrated,
        effect=hit.effect,
        outcome=_outcome(hit.results[-1]) if hit.results else hit.effect,
        provenance=hit.provenance,
    )


def _outcome(event: Event) -> Message:
    """What the last die of a hit decided, without the rule numbers that the effect cites."""
    match event:
        case HullHit(why=HullMark.OVERFLOW):
            return effect_message(HullHit(quarters=event.quarters))
        case SecondaryOut(turret=turret):
            return Message("advanced.outcome.secondary_out", turret=turret)
        case TurretHit(turret=turret, quarters=quarters):
            return Message(
                "advanced.outcome.turret_holds",
                turret=turret,
                n=begun(quarters),
                boxes=in_boxes(quarters),
            )
        case TurretDestroyed(turret=turret):
            return Message("advanced.effect.turret_destroyed", turret=turret)
        case Sunk():
            return Message("advanced.outcome.sunk")
        case RadarOut() | DirectorOut() | PlotOut():
            return Message(f"advanced.outcome.{event.kind}")
        case NoEffect(why=why, turret=turret):
            return Message(f"advanced.outcome.{why}", turret=turret)
    return effect_message(event)


def _mean(odds: Mapping[int, float]) -> float:
    return sum(hits * chance for hits, chance in odds.items())


def tell_torpedoes(report: TorpedoReport, *, odds: Mapping[int, float] | None = None) -> Told:
    """A salvo of torpedoes that has arrived (69); with its odds it tells how lucky it was."""
    launcher, receiver = report.salvo.launcher, report.receiver_after.name
    dice, hits = str(report.dice), hits_message(report.hits)
    roll = Message(
        "advanced.story.roll", dice=dice, total=report.ledger.total, row=report.row, hits=hits
    )
    damage = tuple(Line(hit.words, hit.reference, 1) for hit in report.hit_reports)
    reception = Line(report.reception.why, report.reception.rule, 1)
    entry = Entry(
        "torpedo",
        Line(_torpedoes(launcher, receiver, roll), "69.2"),
        (reception, *modifier_lines(report.ledger), *damage),
        ships=(launcher, receiver),
        document=None
        if odds is None
        else TorpedoDocument(
            launcher=launcher,
            target=receiver,
            torpedoes=report.salvo.torpedoes,
            hits=report.hits,
            hit_odds=odds,
            expected_hits=_mean(odds),
        ),
    )
    seen = Message("advanced.story.roll_seen", dice=dice, hits=hits)
    veiled = Line(_torpedoes(launcher, receiver, seen), "69.2")
    return Told(entry, exposes=(receiver,), veiled=veiled, veiled_children=damage)


def _torpedoes(launcher: str, receiver: str, result: Message) -> Message:
    return Message(
        "advanced.story.torpedoes",
        ship=ShipRef(launcher),
        target=ShipRef(receiver),
        result=result,
    )


def tell(kind: str, message: Message, reference: str = "", ships: tuple[str, ...] = ()) -> Told:
    """Anything that needs no more than a line."""
    return Told(Entry(kind, Line(message, reference), ships=ships))


def tell_segment(phase: CombatPhase) -> Told:
    """The heading of a segment."""
    heading = Message(f"advanced.story.segment.{phase.segment}", round_number=phase.round_number)
    return tell("segment", heading, "56")
