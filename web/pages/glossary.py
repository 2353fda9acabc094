"""The glossary, the terms for the script that explains them, and how a round goes."""

from typing import Final

from flask import Response, jsonify, render_template, request

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from web.http import guard
from web.http.addresses import Pages
from web.views.glossary import chapters_of, table_chapter, terms_of

routes: Final = Pages(__name__)


@routes.get("/glossary")
def glossary() -> str:
    """All terms, those of the table's rulebook first."""
    ruleset = _ruleset()
    others = (get_ruleset(name) for name in NAMES if ruleset is None or name != ruleset.name)
    ordered = [*([ruleset] if ruleset is not None else []), *others]
    return render_template(
        "rules/glossary.html",
        chapters=[table_chapter(), *(each for one in ordered for each in chapters_of(one))],
        has_round=ruleset is not None and bool(ruleset.glossary.round),
    )


@routes.get("/glossary/terms.json")
def terms() -> Response:
    """What the pages of a rulebook explain: terms, their forms in a text, and rules."""
    ruleset = _ruleset()
    found = tuple(terms_of(ruleset))
    return jsonify(
        {
            "terms": {
                each.key: {"name": each.name, "text": each.meaning, "forms": each.forms}
                for each in found
            },
            "rules": {rule: each.key for each in found for rule in each.rules},
        }
    )


@routes.get("/round")
def how_a_round_goes() -> str:
    """The steps of a round in pictures, for the table's rulebook or another that has them."""
    asked = _ruleset()
    with_pictures = [each for each in map(get_ruleset, NAMES) if each.glossary.round]
    shown = asked if asked is not None and asked.glossary.round else with_pictures[0]
    return render_template(
        "rules/round.html",
        shown=shown,
        others=[each for each in with_pictures if each.name != shown.name],
    )


def _ruleset() -> Ruleset | None:
    """The rulebook that the address names, or that of the table."""
    ruleset = guard.server_context().session.moment.ruleset
    guard.must_look()
    asked = request.args.get("ruleset", "")
    return get_ruleset(asked) if asked in NAMES else ruleset
