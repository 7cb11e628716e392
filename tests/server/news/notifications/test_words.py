"""The words of notifications: every place is filled."""

import pytest
from msgspec.structs import fields

from cadogan.engine import slugs
from cadogan.server.core.words import WORDS, NotificationWords
from cadogan.server.subjects.news.notifications.queue import notification_text, page_of


@pytest.mark.parametrize("language", [*WORDS, "xx"])
@pytest.mark.parametrize("kind", [field.name for field in fields(NotificationWords)])
def test_every_sentence_is_whole_and_short(kind: str, language: str) -> None:
    text = notification_text(kind, " ".join(slugs()), language)  # type: ignore[arg-type]  # a field is a kind
    assert "{" not in text
    assert 10 < len(text) < 300
    assert page_of(kind, "2026-11-20").startswith("/")  # type: ignore[arg-type]  # the same


def test_games_are_called_as_the_reader_calls_them() -> None:
    assert notification_text("race_started", "no-such-game", "en") == "Your race begins: no-such-game."
