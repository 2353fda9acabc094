"""The results of a survey in words, for pages and pictures."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from combat.rulebook_info import SegmentInfo
from combat.scene_file import Scene
from tabletop.closecall import CloseCall, CloseCallKind
from tabletop.messages import Message, ShipRef, verbatim
from tabletop.rules import OUT_OF_RANGE
from tabletop.survey import PairCheck
from tabletop.typed_numbers import typed_decimal
from web.strings import figure, text, words

_IN_DEGREES = (CloseCallKind.QUADRANT, CloseCallKind.ASPECT)
_FINE_YARDS = 10.0
"""Margins below this are shown with a decimal."""


@dataclass(frozen=True, slots=True)
class CallWords:
    """A close call in words: the question, both readings, and the margin."""

    question: str
    readings: tuple[str, ...]
    margin: str

    @property
    def short(self) -> str:
        """Both readings, short."""
        return str(text("survey.or")).join(self.readings)


def yards_text(yards: float) -> str:
    """A distance in whole yards, without its unit."""
    return figure(yards, ",.0f")


def sigma_text(sigma_yards: float) -> str:
    """An uncertainty, in whole yards unless it is less than one."""
    return figure(sigma_yards, ",.0f" if sigma_yards >= 1 else ".1f")


def range_text(check: PairCheck) -> str:
    """The range with its uncertainty, if it has any."""
    if not check.range_sigma_yards:
        return str(text("survey.range", yards=check.range_yards))
    sigma = sigma_text(check.range_sigma_yards)
    return str(text("survey.range_sigma", yards=check.range_yards, sigma=sigma))


def segment_message(segments: Iterable[SegmentInfo], name: str) -> Message:
    """The segment's title in its rulebook."""
    if name == OUT_OF_RANGE:
        return Message("survey.out_of_range")
    return next((info.title for info in segments if info.name == name), verbatim(name))


def segment_title(scene: Scene, name: str | None) -> str | None:
    """The segment's title in words; None if the table has no segments."""
    return None if name is None else words(segment_message(scene.ruleset.segments, name))


def sight_text(check: PairCheck) -> str:
    """What obstructs the line of sight, in words."""
    return words(sight_message(check))


MOST_BLOCKERS: Final = 8
"""How many ships in the way are named, the nearest first."""


def sight_message(check: PairCheck) -> Message:
    """What obstructs the line of sight, in words."""
    found = [
        Message("survey.sight.blocked", ship=ShipRef(blocker.name), yards=blocker.at_yards)
        for blocker in check.blockers[:MOST_BLOCKERS]
    ]
    more = len(check.blockers) - MOST_BLOCKERS
    if more > 0:
        found.append(Message("survey.sight.blocked_by_more", n=more))
    if check.smoke:
        found.append(Message("survey.sight.smoke"))
    if not found:
        return Message("survey.sight.clear")
    return Message("common.listed", items=tuple(found))


def side_text(quadrant: str) -> str:
    """The name of the side of a ship that a quadrant faces."""
    return str(text(f"survey.side.{quadrant}"))


def call_words(scene: Scene, call: CloseCall) -> CallWords:
    """A close call in words."""
    question = str(text("survey.question.limit" if call.ends else f"survey.question.{call.what}"))
    if call.what is CloseCallKind.POSITION:
        readings = ("no_bearing", "no_quadrant")
        titles = tuple(str(text(f"survey.reading.{reading}")) for reading in readings)
        return CallWords(question, titles, str(text("survey.margin.position")))
    titles = tuple(words(reading_message(scene, call, reading)) for reading in call.readings)
    margin = Message("survey.margin.from", margin=_margin(call), limit=_limit(call))
    return CallWords(question, titles, words(margin))


def _margin(call: CloseCall) -> Message:
    if call.what in _IN_DEGREES:
        return Message("survey.margin.degrees", margin=call.margin)
    if call.margin < _FINE_YARDS:
        return Message("survey.margin.yards_fine", margin=call.margin)
    return Message("survey.margin.yards", margin=call.margin)


def _limit(call: CloseCall) -> Message:
    if call.what is CloseCallKind.CONTACT:
        return Message("survey.limit.contact")
    if isinstance(call.limit, Message):
        return Message("survey.limit.edge", edge=call.limit)
    if call.what in _IN_DEGREES:
        return Message("survey.limit.line")
    return yards_limit(call, call.limit)


def yards_limit(call: CloseCall, limit: float) -> Message:
    """A limit in yards, and what ends there where that is not a segment of the table."""
    if not call.ends:
        return Message("survey.limit.yards", limit=limit)
    titles = tuple(dict.fromkeys(each.title for each in call.ends))
    ends = Message("common.listed", items=titles)
    return Message("survey.limit.ends", limit=limit, ends=ends)


def describe(scene: Scene, check: PairCheck) -> str:
    """One pair in a sentence, for screen readers."""
    parts: list[Message] = [
        Message(
            "survey.pair",
            firer=ShipRef(check.firer),
            target=ShipRef(check.target),
            range=range_text(check),
        )
    ]
    if check.segment is not None:
        parts.append(
            Message(
                "survey.segment", segment=segment_message(scene.ruleset.segments, check.segment)
            )
        )
    if check.quadrant and check.aspect:
        parts.append(
            Message(
                "survey.lies",
                quadrant=Message(f"survey.quadrant.{check.quadrant}"),
                side=Message(f"survey.side.{check.aspect}"),
            )
        )
    parts.append(Message("survey.sight_is", sight=sight_message(check)))
    if check.close_calls:
        parts.append(Message("survey.too_close"))
    return words(Message("common.listed", items=tuple(parts)))


def reading_message(scene: Scene, call: CloseCall, reading: str | float) -> Message:
    """A reading of a close call."""
    if isinstance(reading, float):
        return _yards_reading(call.what, reading)
    return reading_of_segments(scene.ruleset.segments, call.what, reading)


def reading_of_segments(segments: Iterable[SegmentInfo], what: str, reading: str) -> Message:
    """A reading by its name, as the journal has it, with the range segments of a rulebook."""
    yards = typed_decimal(reading)
    if yards is not None:
        return _yards_reading(what, yards)
    if what == CloseCallKind.RANGE:
        return segment_message(segments, reading)
    return Message(f"survey.reading.{reading.replace(' ', '_')}")


def _yards_reading(what: str, yards: float) -> Message:
    """A reading that is a range; one beside a limit stands for all on its side of it."""
    name = "survey.reading.as_range" if what == CloseCallKind.RANGE else "survey.range"
    return Message(name, yards=yards)


def marker_words(scene: Scene, name: str, *, short: bool = False) -> tuple[Message, ...]:
    """The markers beside a model, in words; in short ones where there is little room."""
    rules, markers = scene.ruleset.markers, scene.markers.get(name)
    if rules is None or markers is None:
        return ()
    found = [rules.title(markers.speed)] if markers.speed else []
    if markers.out_of_command:
        found.append(Message("survey.out_of_command_short" if short else "survey.out_of_command"))
    return tuple(found)
