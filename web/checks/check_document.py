"""A check of two ships as JSON, for scripts and for the live chart."""

from collections.abc import Mapping
from typing import Literal

from combat.modifiers import Modifier
from combat.previews import MountInfo
from combat.provenance import Provenance
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCallKind
from tabletop.messages import Message
from tabletop.rulings import Source, limits_of
from tabletop.schema import document
from tabletop.survey import Blocker
from web.checks.odds_panel import results_of
from web.checks.pair_check import Check, CheckContext, CloseCallChoice
from web.checks.rule_answers import Answer, NoOddsReason
from web.strings import text, words
from web.table.survey_text import describe, reading_message, sigma_text, yards_text
from web.views.table import Measure


@document
class SettledDocument:
    """The pair with all rulings, and the source of values that were not measured."""

    range_yards: float
    segment: str | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blocked: bool
    smoke: bool
    sources: Mapping[CloseCallKind, Source]


@document
class DrawnDocument:
    """What the live chart draws of a check."""

    range: str
    remark: str
    open: bool
    """Whether a close call is undecided."""
    limits: tuple[float | Message, ...]
    bearings: tuple[float | Message, ...]
    quadrant: Quadrant | None
    stops: tuple[Blocker, ...]
    smoke: tuple[float, ...]
    """The distances from the firer at which smoke crosses the line, in yards."""


@document
class ReadingDocument:
    """One reading of a close call with its probability."""

    reading: str
    probability: float | None


@document
class CallDocument:
    """A close call as it was measured."""

    what: CloseCallKind
    limit: float | Message
    readings: tuple[str | float, ...]
    margin: float


@document
class DoubtDocument:
    """A close call and its decision."""

    what: CloseCallKind
    limit: float | Message
    limits: tuple[float | Message, ...]
    margin: float
    readings: tuple[ReadingDocument, ...]
    decided: str | None
    by: str | None


@document
class RulingDocument:
    """The reason and the author of entered figures."""

    reason: str
    who: str


@document
class OfferDocument:
    """A battery that could fire."""

    name: str
    title: Message
    guns: int


@document
class FireDocument:
    """The rules' answer about one fire."""

    forbidden: Message | None
    rule: str | None
    factor: int | None
    guns: int
    guns_bearing: int
    mounts: tuple[MountInfo, ...]
    modifiers: tuple[Modifier, ...]
    modifier_total: int
    hits: Mapping[int, float]
    expected_hits: float
    at_least_one: float
    outcomes: Mapping[str, float]
    provenance: Provenance
    """The worst provenance of all numbers that the odds depend on."""


@document
class CheckDocument:
    """Two ships: as measured, as agreed, and the odds of a fire."""

    measure: Literal[Measure.YES] = Measure.YES
    firer: str
    target: str
    range_yards: float
    range_sigma_yards: float
    segment: str | None
    bearing_deg: float | None
    relative_bearing_deg: float | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blocked: bool
    smoke: bool
    blockers: tuple[Blocker, ...]
    close_calls: tuple[CallDocument, ...]
    spoken: str
    settled: SettledDocument
    drawn: DrawnDocument
    doubts: tuple[DoubtDocument, ...]
    ruling: RulingDocument | None
    no_odds: NoOddsReason | None
    battery: str
    batteries: tuple[OfferDocument, ...]
    fire: FireDocument | None


@document
class NotMeasured:
    """Two ships that the caller may not measure, or not yet."""

    measure: Measure
    firer: str
    target: str


def check_document(context: CheckContext, check: Check) -> CheckDocument:
    """A check for scripts and for the chart: measured, agreed, and the odds of a fire."""
    measured, settled, ruling = check.measured, check.settled, check.ruling
    return CheckDocument(
        firer=measured.firer,
        target=measured.target,
        range_yards=measured.range_yards,
        range_sigma_yards=measured.range_sigma_yards,
        segment=measured.segment,
        bearing_deg=measured.bearing_deg,
        relative_bearing_deg=measured.relative_bearing_deg,
        quadrant=measured.quadrant,
        aspect=measured.aspect,
        blocked=measured.blocked,
        smoke=measured.smoke,
        blockers=measured.blockers,
        close_calls=tuple(
            CallDocument(
                what=call.what, limit=call.limit, readings=call.readings, margin=call.margin
            )
            for call in measured.close_calls
        ),
        spoken=describe(context.scene, measured),
        settled=SettledDocument(
            range_yards=settled.range_yards,
            segment=settled.segment,
            quadrant=settled.quadrant,
            aspect=settled.aspect,
            blocked=settled.blocked,
            smoke=settled.smoke,
            sources=settled.sources,
        ),
        drawn=_drawn(context, check),
        doubts=tuple(_doubt(check, doubt) for doubt in check.doubts),
        ruling=RulingDocument(reason=ruling.reason, who=ruling.who) if ruling else None,
        no_odds=check.silence,
        battery=check.battery,
        batteries=tuple(
            OfferDocument(name=each.kind, title=each.title, guns=each.strength)
            for each in check.offers
        ),
        fire=_fire(check.answer) if check.answer else None,
    )


def _drawn(context: CheckContext, check: Check) -> DrawnDocument:
    measured, settled = check.measured, check.settled
    waiting = [doubt for doubt in check.doubts if doubt.decision is None]
    decided = [doubt for doubt in check.doubts if doubt.decision is not None]
    yards, sigma = check.settled.shown_range_yards, settled.range_sigma_yards
    words = "range" if sigma and yards == measured.range_yards else "range_exact"
    remark = "too_close" if waiting else "decided" if decided else ""
    agreed = _agreed(context, decided[0]) if decided else None
    limits = {
        what: tuple(
            limit
            for doubt in waiting
            if doubt.call.what is what
            for limit in limits_of(measured.close_calls, what)
        )
        for what in (CloseCallKind.RANGE, CloseCallKind.QUADRANT)
    }
    shown = text(f"chart.{words}", range=yards_text(yards), error=sigma_text(sigma))
    return DrawnDocument(
        range=str(shown) if yards > 0 else "",
        remark=str(text(f"chart.{remark}", decided=agreed)) if remark else "",
        open=bool(waiting),
        limits=limits[CloseCallKind.RANGE],
        bearings=limits[CloseCallKind.QUADRANT],
        quadrant=settled.quadrant,
        stops=measured.blockers if settled.blocked else (),
        smoke=tuple(context.survey.smoke_at_yards(measured.firer, measured.target)),
    )


def _agreed(context: CheckContext, doubt: CloseCallChoice) -> Message | None:
    """The reading that the players agreed on."""
    readings = (each.value for each in doubt.readings if each.chosen)
    reading = next(readings, None)
    return None if reading is None else reading_message(context.scene, doubt.call, reading)


def _fire(answer: Answer) -> FireDocument:
    preview, forecast = answer.preview, answer.forecast
    return FireDocument(
        forbidden=preview.forbidden,
        rule=preview.rule or None,
        factor=preview.factor,
        guns=preview.guns,
        guns_bearing=preview.guns_bearing,
        mounts=preview.mounts,
        modifiers=tuple(preview.ledger),
        modifier_total=preview.total,
        hits=forecast.hits if forecast else {},
        expected_hits=answer.expected_hits,
        at_least_one=answer.at_least_one,
        outcomes={each.name or words(each.title): each.chance for each in results_of(answer)},
        provenance=answer.provenance,
    )


def _doubt(check: Check, doubt: CloseCallChoice) -> DoubtDocument:
    return DoubtDocument(
        what=doubt.call.what,
        limit=doubt.call.limit,
        limits=tuple(limits_of(check.measured.close_calls, doubt.call.what)),
        margin=doubt.call.margin,
        readings=tuple(
            ReadingDocument(reading=reading.key, probability=reading.chance)
            for reading in doubt.readings
        ),
        decided=doubt.decision.reading if doubt.decision else None,
        by=doubt.decision.who if doubt.decision else None,
    )
