"""The content of the check page, prepared for the template."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from combat.modifiers import Modifier
from combat.participants import Ship
from combat.previews import Preview
from combat.provenance import Provenance
from tabletop.closecall import CloseCallKind
from tabletop.messages import Message
from tabletop.rulings import Source
from tabletop.schema import Takes
from tabletop.survey import Blocker
from web.checks.odds_panel import (
    Bars,
    PossibleResult,
    chance_figure,
    chance_text,
    headlines,
    hit_bars,
    other_outcomes,
)
from web.checks.pair_check import CallReading, Check, CheckContext, CloseCallChoice
from web.checks.rule_answers import Answer
from web.drawing.dials import Dial, Ruler, dial_of, ruler_of
from web.strings import figure, signed, text, words
from web.table.survey_text import (
    call_words,
    describe,
    segment_title,
    sigma_text,
    yards_text,
)

_WIDE_MOUNTS = 4
"""More mounts than this are shown on a separate line."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One reading of a close call as a button."""

    key: str
    title: str
    chance: str
    meaning: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class DoubtPanel:
    """A close call: undecided with its readings, or decided."""

    what: CloseCallKind
    question: str
    margin: str
    ruler: Ruler | None
    readings: tuple[ReadingRow, ...]
    agreed: str
    """The agreed reading; empty if the call is undecided."""
    who: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One modifier as the page shows it."""

    number: str
    """In the rulebook's list; empty where it has none."""
    value: int
    label: str
    reference: str
    provenance: Provenance
    mark: str


@dataclass(frozen=True, slots=True)
class OddsPanel:
    """The odds of a fire."""

    bars: Bars
    this: str
    """The label of the filled bars; empty without a comparison."""
    other: str
    expected: str
    at_least_one: str
    headlines: tuple[PossibleResult, ...]
    rest: tuple[PossibleResult, ...]
    doubt: Provenance | None
    """The least certain that the odds rest on, where that is not the book's or an owner's."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The calculation behind the odds, or the reason why there are none."""

    factor: int | None
    factor_label: str
    factor_reference: str
    total: int
    total_label: str
    counting: tuple[LedgerRow, ...]
    idle: tuple[LedgerRow, ...]
    marks: tuple[Provenance, ...]
    """The marks that occur, for the legend."""
    summary: str
    """The calculation in one line."""

    @property
    def has_lines(self) -> bool:
        """Whether there are any modifiers."""
        return bool(self.counting or self.idle)


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The content of the page."""

    check: Check
    range: str
    sigma: str
    segment: str | None
    quadrant: Dial | None
    aspect: Dial | None
    blockers: tuple[Blocker, ...]
    doubts: tuple[DoubtPanel, ...]
    odds: OddsPanel | None
    why: Explanation | None
    usual: str
    """The conditions with default values, in words."""
    spoken: str

    @property
    def open(self) -> bool:
        """Whether a close call is undecided."""
        return self.check.open_doubt is not None

    @property
    def guns_apart(self) -> bool:
        """Whether the mounts are shown on a separate line."""
        answer = self.check.answer
        return answer is not None and len(answer.preview.mounts) > _WIDE_MOUNTS

    def by_hand(self, *what: str) -> bool:
        """Whether one of these values was entered by hand."""
        return any(
            self.check.settled.source(CloseCallKind(each)) is Source.BY_HAND for each in what
        )

    def agreed(self, what: str) -> bool:
        """Whether a value was agreed by the players."""
        return self.check.settled.source(CloseCallKind(what)) is Source.AGREED


def check_page(context: CheckContext, check: Check) -> CheckPage:
    """The content of one check."""
    settled, arcs = check.settled, context.survey.rules.arcs
    return CheckPage(
        check=check,
        range=yards_text(check.settled.shown_range_yards),
        sigma=sigma_text(settled.range_sigma_yards) if settled.range_sigma_yards else "",
        segment=segment_title(context.scene, settled.segment),
        quadrant=dial_of(arcs, settled.quadrant),
        aspect=dial_of(arcs, settled.aspect),
        blockers=check.measured.blockers if settled.blocked else (),
        doubts=tuple(_doubt(context, check, doubt) for doubt in check.doubts),
        odds=_odds(context, check),
        why=explanation_of(check.answer) if check.answer else None,
        usual=_usual(context, check),
        spoken=describe(context.scene, check.measured),
    )


def explanation_of(answer: Answer) -> Explanation:
    """The calculation behind an answer."""
    return explanation_of_preview(answer.preview)


def explanation_of_preview(preview: Preview) -> Explanation:
    """The calculation behind a fire, before or after its dice."""
    rows = [_row(modifier) for modifier in preview.ledger]
    return Explanation(
        factor=preview.factor,
        factor_label=words(preview.factor_label) or str(text("check.why_factor")),
        factor_reference=words(preview.factor_reference),
        total=preview.total,
        total_label=words(preview.total_label) or str(text("check.total")),
        counting=tuple(row for row in rows if row.value),
        idle=tuple(row for row in rows if not row.value),
        marks=tuple(mark for mark in Provenance if any(row.provenance is mark for row in rows)),
        summary=_summary(preview),
    )


def _summary(preview: Preview) -> str:
    total = signed(preview.total)
    if not preview.factor_label:
        return str(text("check.why_sum", factor=preview.factor, total=total))
    factor = {"label": preview.factor_label, "factor": preview.factor}
    if not preview.ledger:
        return str(text("check.factor_alone", **factor))
    label = preview.total_label or Message("check.to_the_dice")
    return str(text("check.factor_and_sum", **factor, total_label=label, total=total))


def odds_of(
    answer: Answer, other: Answer | None = None, titles: tuple[str, str] = ("", "")
) -> OddsPanel | None:
    """The odds of an answer, compared with another reading of it."""
    bars = hit_bars(answer, other)
    if bars is None:
        return None
    return OddsPanel(
        bars=bars,
        this=titles[0] if bars.compares else "",
        other=titles[1] if bars.compares else "",
        expected=hits_text(answer.expected_hits),
        at_least_one=chance_text(answer.at_least_one),
        headlines=headlines(answer),
        rest=other_outcomes(answer),
        doubt=Provenance.worst(each.provenance for each in (answer, other) if each).doubt,
    )


def outcome_title(outcome: Message) -> str:
    """The title of an outcome."""
    return str(text("check.outcome_said", outcome=outcome))


def hits_text(hits: float) -> str:
    """The mean number of hits as text; small numbers with two decimals."""
    return figure(hits, ".1f" if hits >= 1 or hits == 0 else ".2f")


FORMATTERS: Final[Mapping[str, Callable[..., str]]] = {
    "chance": chance_text,
    "chance_figure": chance_figure,
    "outcome": outcome_title,
    "hits_text": hits_text,
}
"""The functions with which templates format the figures of a forecast."""


def _doubt(context: CheckContext, check: Check, doubt: CloseCallChoice) -> DoubtPanel:
    words = call_words(context.scene, doubt.call)
    titles = words.readings if doubt.readings else ()
    agreed = [t for t, r in zip(titles, doubt.readings, strict=True) if r.chosen]
    return DoubtPanel(
        what=doubt.call.what,
        question=words.question,
        margin=words.margin,
        ruler=ruler_of(check.measured, doubt.call, doubt.sigma),
        readings=tuple(
            ReadingRow(
                key=reading.key,
                title=title,
                chance=chance_text(reading.chance) if reading.chance is not None else "",
                meaning=_meaning(reading),
                chosen=reading.chosen,
            )
            for title, reading in zip(titles, doubt.readings, strict=True)
        ),
        agreed=agreed[0] if doubt.decision and agreed else "",
        who=doubt.decision.who if doubt.decision else "",
    )


def _meaning(reading: CallReading) -> str:
    """What a reading would mean for the fire, in short."""
    answer = reading.answer
    if answer is None:
        return str(text("check.as_measured")) if reading.measured else str(text("check.or_else"))
    if answer.preview.forbidden:
        return str(text("check.cannot_fire_short"))
    return str(
        text(
            "check.meaning",
            factor=answer.preview.factor,
            hits=hits_text(answer.expected_hits),
        )
    )


def _usual(context: CheckContext, check: Check) -> str:
    """The default values that are numbers; absent conditions are not listed."""
    battle, firer, target = context.battle, check.firer, check.target
    if battle is None or check.answer is None or firer is None or target is None:
        return ""
    by, at = (Ship(card.name, card.name, "", card.name) for card in (firer, target))
    info = next(each.info for each in check.offers if each.kind == check.battery)
    listed = [
        Message("check.assumed", label=question.label, value=question.default_text)
        for question in battle.rulebook.questions_for(info, by, at)
        if question.by_page and question.takes is Takes.NUMBER and question.default is not None
    ]
    return str(text("common.list_comma")).join(map(words, listed))


def _odds(context: CheckContext, check: Check) -> OddsPanel | None:
    if check.answer is None:
        return None
    doubt = check.open_doubt
    rival = next((each for each in doubt.readings if not each.chosen), None) if doubt else None
    if doubt is None or rival is None or rival.answer is None:
        return odds_of(check.answer)
    titles = call_words(context.scene, doubt.call).readings
    return odds_of(check.answer, rival.answer, (titles[0], titles[1]))


def _row(modifier: Modifier) -> LedgerRow:
    return LedgerRow(
        number=str(modifier.number) if isinstance(modifier.number, int) else "",
        value=modifier.value,
        label=words(modifier.label),
        reference=modifier.reference,
        provenance=modifier.provenance,
        mark=modifier.provenance.mark,
    )
