"""The card of the rules in force as a page, and as a text file."""

from typing import Final

from flask import Response, render_template, request

from combat.owner_values import spoken_checksum
from combat.provenance import CHANGED_MARK
from combat.rulebooks import NAMES, get_ruleset
from web.api.rules import battle_of, rules_now
from web.http import guard
from web.http.addresses import Pages
from web.views.rules_text import changes_words, edition_words, rules_text

routes: Final = Pages(__name__)
_LONGEST_NAME: Final = 40


@routes.get("/rules")
def rules() -> str:
    """The rules of the battle on the table, or of a rulebook on the calculator."""
    return render_template("rules/rules.html", **_card())


@routes.get("/rules/part")
def rules_part() -> str:
    """What of it changes."""
    return render_template("rules/rules_part.html", **_card())


@routes.get("/rules.txt")
def as_file() -> Response:
    """The same as text, for phones that cannot copy."""
    guard.must_look()
    found = rules_now(guard.server_context(), _asked())
    answer = Response(rules_text(found), mimetype="text/plain")
    name = f"{found.ruleset}-rules.txt"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _asked() -> str:
    asked = request.args.get("ruleset", "")[:_LONGEST_NAME]
    return get_ruleset(asked).name if asked else ""


def _card() -> dict[str, object]:
    guard.must_look()
    asked, server_context = _asked(), guard.server_context()
    found = rules_now(server_context, asked)
    return {
        "rules": found,
        "asked": asked,
        "in_battle": battle_of(server_context.session.moment, found.ruleset) is not None,
        "changed_mark": CHANGED_MARK,
        "edition": edition_words(found),
        "changes": changes_words(found),
        "checksum": spoken_checksum(found.checksum),
        "tables_checksum": spoken_checksum(found.tables_checksum),
        "text": rules_text(found),
        "books": tuple(get_ruleset(name) for name in NAMES if name != found.ruleset),
    }
