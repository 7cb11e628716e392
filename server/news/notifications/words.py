"""What a notification says, and the page that it leads to."""

from typing import Literal

from cadogan.engine import UnknownGame
from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core.words import words_in
from cadogan.wire.notifications import NotificationTopic

Kind = NotificationTopic | Literal["test"]
MAX_GAMES = 6
"""So many games are named; a notification has a few lines."""


def notification_text(kind: Kind, games: str, language: str) -> str:
    """Return the sentence of a notification, in English if the language, given by its tag, has no words.

    `games` are slugs with spaces between them.

    >>> notification_text("race_started", "klondike", "de")
    'Dein Rennen beginnt: Canfield oder Klondike.'
    """
    words = words_in(language).notifications
    names = [_game_name(slug, language) for slug in games.split()]
    shown = ", ".join(names[:MAX_GAMES]) + (", …" if len(names) > MAX_GAMES else "")
    text: str = getattr(words, kind)
    return text.format(games=shown)


def page_of(kind: Kind, about: str) -> str:
    """Return the address of the page that a notification leads to.

    >>> page_of("overtaken", "2026-11-20")
    '/board/day:2026-11-20'
    """
    match kind:
        case "day_opened":
            return f"/daily/{about}"
        case "overtaken":
            return f"/board/day:{about}"
        case "race_started":
            return f"/race/{about}"
        case "test":
            return "/account"


def _game_name(slug: str, language: str) -> str:
    try:
        return read_rule_page(slug, language).name
    except UnknownGame:
        return slug
