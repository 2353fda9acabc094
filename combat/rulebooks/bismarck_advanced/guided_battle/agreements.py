"""What the players settle about a line of fire: a close call decided, a figure entered by hand."""

from collections.abc import Iterator
from dataclasses import replace

from combat.guided_actions import Settle
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.fire.sightlines import AgreedLine
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.rulebooks.bismarck_advanced.guided_battle.orders import Find
from combat.views import AgreedView
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message, ShipRef
from tabletop.rulings import Figures


def agreed_of(settled: Settle, find: Find) -> AgreedLine:
    """What counts for a line of fire from now on, the ships by their true names."""
    agreed = AgreedLine(
        firer=find(settled.firer),
        target=find(settled.target),
        figures=Figures(
            range_yards=settled.range_yards,
            quadrant=settled.quadrant,
            aspect=settled.aspect,
            blocked=settled.blocked,
            smoke=settled.smoke,
        ),
        reason=settled.reason,
        who=settled.who,
    )
    if agreed.figures.has_any and not agreed.reason:
        raise DreyerError("advanced.settled.no_reason")
    return agreed


def with_agreed(battle: Engagement, agreed: AgreedLine) -> Engagement:
    """The same battle with one line of fire settled."""
    firer, target = battle[agreed.firer], battle[agreed.target]
    for ship in (firer, target):
        if not ship.in_action:
            raise DreyerError("advanced.settled.gone", ship=ShipRef(ship.name))
    if battle.are_friends(firer.side, target.side):
        friends = Message(
            "advanced.order.friends", ship=ShipRef(firer.name), target=ShipRef(target.name)
        )
        raise Forbidden(friends, "61.1")
    pair = agreed.firer, agreed.target
    others = tuple(each for each in battle.agreed if (each.firer, each.target) != pair)
    return replace(battle, agreed=(*others, agreed) if agreed.figures.has_any else others)


def agreed_message(agreed: AgreedLine) -> Message:
    """What is settled, by whom and why; no words where nothing is."""
    if not agreed.figures.has_any:
        return NO_WORDS
    figures, reason = tuple(_figures(agreed.figures)), agreed.reason
    if not agreed.who:
        return Message("advanced.settled.figures", figures=figures, reason=reason)
    return Message("advanced.settled.figures_by", figures=figures, reason=reason, who=agreed.who)


def story_message(agreed: AgreedLine) -> Message:
    """The same for the story, with the ships."""
    firer, target = ShipRef(agreed.firer), ShipRef(agreed.target)
    if agreed.figures.has_any:
        what = agreed_message(agreed)
        return Message("advanced.settled.line", firer=firer, target=target, what=what)
    if not agreed.who:
        return Message("advanced.settled.measured", firer=firer, target=target)
    return Message("advanced.settled.measured_by", firer=firer, target=target, who=agreed.who)


def agreed_view(agreed: AgreedLine, names: KnownNames) -> AgreedView:
    """What is settled, the ships by what their viewer may call them."""
    return AgreedView(
        firer=names(agreed.firer),
        target=names(agreed.target),
        range_yards=agreed.figures.range_yards,
        quadrant=agreed.figures.quadrant,
        aspect=agreed.figures.aspect,
        blocked=agreed.figures.blocked,
        smoke=agreed.figures.smoke,
        reason=agreed.reason,
        who=agreed.who,
    )


def _figures(figures: Figures) -> Iterator[Message]:
    if figures.range_yards is not None:
        yield Message("advanced.settled.range", yards=figures.range_yards)
    if figures.quadrant is not None:
        quadrant = Message(f"advanced.quadrant.{figures.quadrant}")
        yield Message("advanced.settled.quadrant", quadrant=quadrant)
    if figures.aspect is not None:
        yield Message(
            "advanced.settled.aspect", aspect=Message(f"advanced.quadrant.{figures.aspect}")
        )
    if figures.blocked is not None:
        yield (
            Message("advanced.settled.blocked")
            if figures.blocked
            else Message("advanced.settled.not_blocked")
        )
    if figures.smoke is not None:
        yield (
            Message("advanced.settled.smoke")
            if figures.smoke
            else Message("advanced.settled.no_smoke")
        )
