"""The words of notifications: every language of the pages has them, and every place is filled."""

from pathlib import Path

import pytest

from cadogan.engine import slugs
from cadogan.server.news.notifications.words import WORDS, Words, notification_text, page_of

LANGUAGES = sorted(file.stem for file in Path("clients/web/languages").glob("*.json"))


def test_every_language_of_the_pages_has_them() -> None:
    assert sorted(WORDS) == LANGUAGES


@pytest.mark.parametrize("language", [*LANGUAGES, "xx"])
@pytest.mark.parametrize("kind", Words._fields)
def test_every_sentence_is_whole_and_short(kind: str, language: str) -> None:
    text = notification_text(kind, " ".join(slugs()), language)  # type: ignore[arg-type]  # a field is a kind
    assert "{" not in text
    assert 10 < len(text) < 300
    assert page_of(kind, "2026-11-20").startswith("/")  # type: ignore[arg-type]  # the same


def test_games_are_called_as_the_reader_calls_them() -> None:
    assert notification_text("race_started", "no-such-game", "en") == "Your race begins: no-such-game."
