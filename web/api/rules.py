"""The API of the rules in force: what the battle on the table, or the calculator, is played by."""

from typing import Final

from combat.optional_rules import OptionalRule, RuleValue
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT
from combat.rules_in_force import RulesInForce, rules_in_force, usual_options
from tabletop.messages import Message
from tabletop.schema import document
from web.api.route import Call, Needs, Routes
from web.api.tables import RulebookQuery
from web.games.guided_game import GuidedGame, guided_rulebook
from web.http.context import ServerContext
from web.journal.events import Premeasure
from web.table.moment import Moment
from web.views.rules_text import rules_text

routes: Final = Routes()


@document
class RulesCard:
    """The rules in force: as data, and as the text that players copy."""

    rules: RulesInForce
    changes: int
    """How many things are not as they come: options, settings, table cells, cards."""
    checksum: str
    """Over rulebook, edition, options and tables."""
    text: str


@routes.route(
    "GET",
    "/api/rules",
    "The rules in force",
    operation="rules",
    needs=Needs.LOOK,
    faults=(404,),
    tag="tables",
)
def rules(call: Call, query: RulebookQuery) -> RulesCard:
    """Of the table's rulebook, or of another one on the calculator."""
    found = rules_now(call.server_context, query.ruleset)
    return RulesCard(
        rules=found, changes=found.changes, checksum=found.checksum, text=rules_text(found)
    )


def rules_now(server_context: ServerContext, ruleset: str = "") -> RulesInForce:
    """The rules of the battle on the table, if it is of this rulebook; else of the calculator."""
    moment = server_context.session.moment
    named = ruleset or (moment.state.ruleset if moment.state.is_open else DEFAULT)
    latest = moment.library.get(named)
    battle = battle_of(moment, latest.name)
    on_table = moment.state.is_open and moment.state.ruleset == latest.name
    scale = moment.state.yards_per_inch if on_table else None
    settings = _settings(moment) if on_table else ()
    if battle is not None:
        return rules_in_force(
            latest.of_edition(battle.record.edition),
            battle.tables,
            latest_edition=latest.edition,
            options=battle.rulebook.optional_rules(battle.rulebook.options(battle.state)),
            conditions=(*battle.rulebook.conditions_in_force(battle.state), *settings),
            yards_per_inch=scale,
        )
    edition, tables = latest, server_context.owner.now(latest.name).tables
    free = moment.free.of(latest.name)
    if free is not None and free.game.played:
        edition, tables = latest.of_edition(free.record.edition), free.rulebook.tables
    return rules_in_force(
        edition,
        tables,
        latest_edition=latest.edition,
        options=_options(moment, edition),
        conditions=settings,
        yards_per_inch=scale,
    )


def battle_of(moment: Moment, ruleset: str) -> GuidedGame | None:
    """The guided battle on the table, if it is of this rulebook."""
    battle = moment.battle
    return battle if battle is not None and moment.state.ruleset == ruleset else None


def _options(moment: Moment, ruleset: Ruleset) -> tuple[OptionalRule, ...]:
    """As the table was laid for them, or as they are where nobody has chosen."""
    plan = moment.state.plan if moment.state.is_open else None
    if plan is not None and plan.options is not None and moment.state.ruleset == ruleset.name:
        return guided_rulebook(ruleset.name).optional_rules(plan.options)
    return usual_options(ruleset)


def _settings(moment: Moment) -> tuple[RuleValue, ...]:
    """What the host has set for the table."""
    mode = moment.state.premeasure
    return (
        RuleValue(
            key="premeasure",
            label=Message("rules.premeasure"),
            value=Message(f"rules.premeasure_{mode}"),
            changed=mode is not Premeasure.OPEN,
        ),
    )
