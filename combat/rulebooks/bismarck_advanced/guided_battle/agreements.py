"""What the players settle about a line of fire: a close call decided, a figure entered by hand."""

from dataclasses import replace

from combat.guided_actions import Settle
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.fire.sightlines import Agreed
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import Veil
from combat.rulebooks.bismarck_advanced.guided_battle.orders import Find
from combat.views import AgreedView
from tabletop.errors import DreyerError
from tabletop.rulings import Figures


def agreed_of(settled: Settle, find: Find) -> Agreed:
    """What counts for a line of fire from now on, the ships by their true names."""
    agreed = Agreed(
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
    if agreed.figures.says_anything and not agreed.reason:
        raise DreyerError("give a reason, so that the story says why the measured value is set")
    return agreed


def with_agreed(battle: Engagement, agreed: Agreed) -> Engagement:
    """The same battle with one line of fire settled."""
    firer, target = battle[agreed.firer], battle[agreed.target]
    for ship in (firer, target):
        if not ship.in_action:
            raise DreyerError(f"{ship.name} is no longer in action: nothing is to be settled")
    if battle.are_friends(firer.side, target.side):
        raise Forbidden(f"{firer.name} and {target.name} are on one side", "61.1")
    pair = agreed.firer, agreed.target
    others = tuple(each for each in battle.agreed if (each.firer, each.target) != pair)
    return replace(battle, agreed=(*others, agreed) if agreed.figures.says_anything else others)


def agreed_words(agreed: Agreed) -> str:
    """What is settled, by whom and why, in a line; empty where nothing is."""
    if not agreed.figures.says_anything:
        return ""
    by = f"; {agreed.who}" if agreed.who else ""
    return f"{_figures(agreed.figures)} ({agreed.reason}{by})"


def story_words(agreed: Agreed) -> str:
    """The same for the story, with the ships."""
    head = f"{agreed.firer} at {agreed.target}"
    if agreed.figures.says_anything:
        return f"{head}: settled as {agreed_words(agreed)}"
    by = f", says {agreed.who}" if agreed.who else ""
    return f"{head}: as measured again{by}"


def agreed_view(agreed: Agreed, veil: Veil) -> AgreedView:
    """What is settled, the ships by what their viewer may call them."""
    return AgreedView(
        firer=veil(agreed.firer),
        target=veil(agreed.target),
        range_yards=agreed.figures.range_yards,
        quadrant=agreed.figures.quadrant,
        aspect=agreed.figures.aspect,
        blocked=agreed.figures.blocked,
        smoke=agreed.figures.smoke,
        reason=veil.text(agreed.reason),
        who=veil.text(agreed.who),
    )


def _figures(figures: Figures) -> str:
    words = []
    if figures.range_yards is not None:
        words.append(f"{figures.range_yards:,.0f} yards")
    if figures.quadrant is not None:
        words.append(f"target to {figures.quadrant}")
    if figures.aspect is not None:
        words.append(f"her {figures.aspect} side towards the firer")
    if figures.blocked is not None:
        words.append("sight blocked" if figures.blocked else "sight not blocked")
    if figures.smoke is not None:
        words.append("through smoke" if figures.smoke else "clear of smoke")
    return ", ".join(words)
