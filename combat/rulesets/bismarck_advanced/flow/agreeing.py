"""What the players settle about a line of fire: a close call decided, a figure entered by hand."""

from dataclasses import replace
from typing import Final

from combat.report import Forbidden
from combat.rulesets.bismarck_advanced.engagement import Engagement
from combat.rulesets.bismarck_advanced.firing.sighting import Agreed
from combat.rulesets.bismarck_advanced.flow.reading import Find, opened
from combat.rulesets.bismarck_advanced.flow.veil import Veil
from combat.showing import Json
from combat.views import AgreedView
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, DreyerError, shorten
from tabletop.fields import Fields

KEYS: Final = (
    "firer", "target", "range_yards", "quadrant", "aspect", "blocked", "smoke", "reason", "who",
    "side",
)  # fmt: skip
_FARTHEST_YARDS: Final = 1_000_000
_LONGEST: Final = {"reason": 120, "who": 60}


def read_agreed(data: Json, find: Find) -> Agreed:
    """What somebody enters for a line of fire; without any figure it counts as measured again."""
    fields = opened(data, "rule", KEYS)
    agreed = Agreed(
        firer=find(data.get("firer")),
        target=find(data.get("target")),
        range_yards=fields.number("range_yards", least=0, most=_FARTHEST_YARDS, unit="yards")
        if "range_yards" in fields
        else None,
        quadrant=_quadrant(fields, "quadrant"),
        aspect=_quadrant(fields, "aspect"),
        blocked=fields.flag("blocked", False) if "blocked" in fields else None,
        smoke=fields.flag("smoke", False) if "smoke" in fields else None,
        reason=_one_line(data, "reason"),
        who=_one_line(data, "who"),
    )
    if agreed.says_anything and not agreed.reason:
        raise DreyerError("give a reason, so that the story says why the measured value is set")
    return agreed


def with_agreed(battle: Engagement, agreed: Agreed) -> Engagement:
    """The same battle with one line of fire settled."""
    firer, target = battle[agreed.firer], battle[agreed.target]
    for ship in (firer, target):
        if not ship.in_action:
            raise DreyerError(f"{ship.name} is no longer in action: nothing is to be settled")
    if firer.side == target.side:
        raise Forbidden(f"{firer.name} and {target.name} are on one side", "61.1")
    pair = agreed.firer, agreed.target
    others = tuple(each for each in battle.agreed if (each.firer, each.target) != pair)
    return replace(battle, agreed=(*others, agreed) if agreed.says_anything else others)


def agreed_words(agreed: Agreed) -> str:
    """What is settled, by whom and why, in a line; empty where nothing is."""
    if not agreed.says_anything:
        return ""
    by = f"; {agreed.who}" if agreed.who else ""
    return f"{_figures(agreed)} ({agreed.reason}{by})"


def story_words(agreed: Agreed) -> str:
    """The same for the story, with the ships."""
    head = f"{agreed.firer} at {agreed.target}"
    if agreed.says_anything:
        return f"{head}: settled as {agreed_words(agreed)}"
    by = f", says {agreed.who}" if agreed.who else ""
    return f"{head}: as measured again{by}"


def agreed_view(agreed: Agreed, veil: Veil) -> AgreedView:
    """What is settled, the ships by what their viewer may call them."""
    return AgreedView(
        firer=veil(agreed.firer),
        target=veil(agreed.target),
        range_yards=agreed.range_yards,
        quadrant=agreed.quadrant,
        aspect=agreed.aspect,
        blocked=agreed.blocked,
        smoke=agreed.smoke,
        reason=veil.text(agreed.reason),
        who=veil.text(agreed.who),
    )


def _figures(agreed: Agreed) -> str:
    words = []
    if agreed.range_yards is not None:
        words.append(f"{agreed.range_yards:,.0f} yards")
    if agreed.quadrant is not None:
        words.append(f"target to {agreed.quadrant}")
    if agreed.aspect is not None:
        words.append(f"her {agreed.aspect} side towards the firer")
    if agreed.blocked is not None:
        words.append("sight blocked" if agreed.blocked else "sight not blocked")
    if agreed.smoke is not None:
        words.append("through smoke" if agreed.smoke else "clear of smoke")
    return ", ".join(words)


def _quadrant(fields: Fields, key: str) -> Quadrant | None:
    return Quadrant(fields.choice(key, list(Quadrant))) if key in fields else None


def _one_line(data: Json, key: str) -> str:
    value = data.get(key) or ""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not isinstance(value, str) or len(text) > _LONGEST[key] or not text.isprintable():
        limits = f"a line of text of up to {_LONGEST[key]} printable characters"
        raise BadField("rule", key, limits, shorten(value))
    return text
