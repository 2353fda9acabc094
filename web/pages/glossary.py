"""The glossary, the terms for the script that explains them, and how a round goes."""

from typing import Final

from flask import Blueprint, Flask, Response, jsonify, render_template, request

from combat.rulebooks import NAMES, get_ruleset
from web.http import guard
from web.views.glossary import chapters_of, rule_numbers, terms_of

pages = Blueprint("glossary", __name__)
ROUNDS: Final = {"bismarck-advanced": "advanced", "grand-fleets": "fleets"}
"""The rulebooks with a guided battle, and the pictures of a round of theirs."""


def attach(app: Flask) -> None:
    """Attach the pages to an application."""
    app.register_blueprint(pages)


@pages.get("/glossary")
def glossary() -> str:
    """All terms, those of the table's rulebook first."""
    rulebook = _rulebook()
    return render_template(
        "rules/glossary.html",
        chapters=sorted(chapters_of(""), key=lambda each: each.rulebook not in ("", rulebook)),
        rounds=rulebook in ROUNDS,
        title=_title,
    )


@pages.get("/glossary/terms.json")
def terms() -> Response:
    """What the pages of a rulebook explain: terms, their forms in a text, and rules."""
    rulebook = _rulebook()
    found = {
        each.key: {"name": each.name, "text": each.meaning, "forms": each.forms}
        for each in terms_of(rulebook)
    }
    return jsonify({"terms": found, "rules": dict(rule_numbers(rulebook))})


@pages.get("/round")
def how_a_round_goes() -> str:
    """The steps of a round in pictures, for the table's rulebook."""
    rulebook = _rulebook()
    shown = rulebook if rulebook in ROUNDS else next(iter(ROUNDS))
    others = tuple(name for name in ROUNDS if name != shown)
    return render_template(
        "rules/round.html", steps=ROUNDS[shown], shown=shown, others=others, title=_title
    )


def _rulebook() -> str:
    """The rulebook that the address names, or that of the table."""
    ruleset = guard.server_context().session.moment.ruleset
    guard.must_look()
    asked = request.args.get("ruleset", "")
    return asked if asked in NAMES else ruleset.name if ruleset else ""


def _title(rulebook: str) -> str:
    return get_ruleset(rulebook).title
