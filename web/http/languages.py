"""The language of a response: each phone has its own."""

from collections.abc import Mapping
from typing import Final

from flask import Flask, current_app, g, request

from web.language_files import ENGLISH, languages
from web.strings import LANGUAGE, check_language, in_language, text

LANGUAGE_COOKIE: Final = "language"
_OFFERED: Final = "LANGUAGES"


def attach(app: Flask, language: str) -> None:
    """Answer each request in its caller's language. Raises BadLanguage.

    It is the one that was chosen on the menu, else the server's own if that is not English, else
    the first of the browser's languages that the program has.
    """
    check_language(language)
    # Our own files are named by their codes; reading them all would take a tenth of the start.
    offered = {**{name: name for name in languages()}, _code_of(language): language}
    app.config[_OFFERED] = offered

    @app.before_request
    def _set_language() -> None:
        chosen = offered.get(request.cookies.get(LANGUAGE_COOKIE, ""))
        if chosen is None and language == ENGLISH:
            chosen = offered.get(request.accept_languages.best_match(offered) or "")
        g.language = LANGUAGE.set(chosen or language)

    @app.teardown_request
    def _reset_language(_: BaseException | None) -> None:
        if "language" in g:
            LANGUAGE.reset(g.pop("language"))


def languages_offered() -> Mapping[str, str]:
    """The names of the languages, each in its own words, by their codes."""
    offered: Mapping[str, str] = current_app.config[_OFFERED]
    return {code: _own_name(name) for code, name in offered.items()}


def _code_of(language: str) -> str:
    with in_language(language):
        return str(text("common.language"))


def _own_name(language: str) -> str:
    with in_language(language):
        return str(text("common.language_name"))
