"""The words of then: what was recorded is compared in the words that it was recorded in."""

from pathlib import Path

import pytest

from web import strings
from web.language_files import ENGLISH, Language, language_named

WORDS = Path(__file__).with_name("words.toml")


@pytest.fixture(autouse=True)
def _words_of_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """English with the sentences of version 0.1.0 in place of those that were revised since."""

    def named(name: str) -> Language:
        return language_named(str(WORDS) if name == ENGLISH else name)

    monkeypatch.setattr(strings, "language_named", named)
