"""What the survey found, in the words that the page and the pictures share."""

from dataclasses import dataclass

from combat.scene_file import Scene
from tabletop.closecall import CloseCall, Question
from tabletop.rules import OUT_OF_RANGE
from tabletop.survey import PairCheck

_QUESTIONS = {
    Question.RANGE: "Range segment",
    Question.QUADRANT: "Where the target lies",
    Question.ASPECT: "Which side she shows",
    Question.CONTACT: "Whether the bases touch",
    Question.SIGHT: "Line of sight",
    Question.SMOKE: "Smoke",
    Question.POSITION: "Both on one spot",
}
_IN_DEGREES = (Question.QUADRANT, Question.ASPECT)
_IN_YARDS = (Question.RANGE, Question.SIGHT)


@dataclass(frozen=True, slots=True)
class CallWords:
    """A close call as players read it: the question, both readings, and how near the limit is."""

    question: str
    readings: tuple[str, ...]
    margin: str

    @property
    def short(self) -> str:
        """Both readings in a few words."""
        return " or ".join(self.readings)


def yards_text(yards: float) -> str:
    """A distance in whole yards, without its unit."""
    return f"{yards:,.0f}"


def sigma_text(sigma_yards: float) -> str:
    """An uncertainty, in whole yards unless it is less than one."""
    return f"{sigma_yards:,.0f}" if sigma_yards >= 1 else f"{sigma_yards:.1f}"


def range_text(check: PairCheck) -> str:
    """The range with its uncertainty, if it has any."""
    doubt = f" ± {sigma_text(check.range_sigma_yards)}" if check.range_sigma_yards else ""
    return f"{yards_text(check.range_yards)}{doubt} yd"


def segment_title(scene: Scene, name: str | None) -> str | None:
    """The segment's title in its rulebook; None where the table has no segments."""
    if name is None:
        return None
    if name == OUT_OF_RANGE:
        return "Out of range"
    return next((info.title for info in scene.ruleset.segments if info.name == name), name)


def sight_text(check: PairCheck) -> str:
    """What stands or drifts in the line of sight."""
    found = [f"blocked by {b.name} at {yards_text(b.at_yards)} yd" for b in check.blockers]
    if check.smoke:
        found.append("through smoke")
    return ", ".join(found) or "clear"


def side_text(quadrant: str) -> str:
    """The part of a ship that a quadrant looks upon."""
    return f"{quadrant} side" if quadrant in ("port", "starboard") else quadrant


def call_words(scene: Scene, call: CloseCall) -> CallWords:
    """A close call in words."""
    if call.what is Question.POSITION:
        readings: tuple[str, ...] = ("no bearing", "no quadrant")
        return CallWords(_QUESTIONS[call.what], readings, "move one of them to measure")
    readings = tuple(_reading(scene, call, reading) for reading in call.readings)
    unit = "°" if call.what in _IN_DEGREES else " yd"
    margin = (
        f"{call.margin:,.1f}{unit}"
        if unit == "°" or call.margin < 10
        else (f"{call.margin:,.0f}{unit}")
    )
    if isinstance(call.limit, str):
        limit = f"the {call.limit}" if call.what is not Question.CONTACT else "contact"
    elif call.what in _IN_DEGREES:
        limit = "the quadrant line"
    else:
        limit = f"{call.limit:,g}{unit}"
    return CallWords(_QUESTIONS[call.what], readings, f"{margin} from {limit}")


def describe(scene: Scene, check: PairCheck) -> str:
    """One pair in a sentence, for those who hear the picture."""
    parts = [f"{check.firer} to {check.target}: {range_text(check)}"]
    segment = segment_title(scene, check.segment)
    if segment:
        parts.append(segment.lower())
    if check.quadrant and check.aspect:
        parts.append(f"{check.quadrant} quadrant, showing her {side_text(check.aspect)}")
    parts.append(f"sight {sight_text(check)}")
    if check.close_calls:
        parts.append("too close to call")
    return ", ".join(parts)


def _reading(scene: Scene, call: CloseCall, reading: str | float) -> str:
    if isinstance(reading, float):
        return f"{yards_text(reading)} yd"
    if call.what is Question.RANGE:
        return segment_title(scene, reading) or reading
    return str(reading).capitalize()
