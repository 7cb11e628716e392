"""The words of notifications, in each language of the pages."""

from typing import Literal, NamedTuple

from cadogan.engine import UnknownGame
from cadogan.engine.rule_pages import read_rule_page
from cadogan.wire.notifications import NotificationTopic

Kind = NotificationTopic | Literal["test"]
MAX_GAMES = 6
"""So many games are named; a notification has a few lines."""


class Words(NamedTuple):
    """The words of one language. `{games}` stands for the names of games."""

    day_opened: str
    overtaken: str
    race_started: str
    test: str


WORDS = {
    "en": Words(
        day_opened="Today's deals are open: {games}.",
        overtaken="Somebody has overtaken you on the leaderboard of the day.",
        race_started="Your race begins: {games}.",
        test="This is a test. Notifications arrive here.",
    ),
    "de": Words(
        day_opened="Die Blätter des Tages sind da: {games}.",
        overtaken="Jemand hat dich in der Rangliste des Tages überholt.",
        race_started="Dein Rennen beginnt: {games}.",
        test="Das ist ein Test. Benachrichtigungen kommen hier an.",
    ),
    "hu": Words(
        day_opened="Megnyíltak a nap kiosztásai: {games}.",
        overtaken="Valaki megelőzött a nap ranglistáján.",
        race_started="Kezdődik a versenyed: {games}.",
        test="Ez egy próba. Az értesítések ide érkeznek.",
    ),
    "tr": Words(
        day_opened="Günün dağıtımları açıldı: {games}.",
        overtaken="Günün sıralamasında biri seni geçti.",
        race_started="Yarışın başlıyor: {games}.",
        test="Bu bir deneme. Bildirimler buraya geliyor.",
    ),
}


def notification_text(kind: Kind, games: str, language: str) -> str:
    """Return the sentence of a notification, in English if the language, given by its tag, has no words.

    `games` are slugs with spaces between them.

    >>> notification_text("race_started", "klondike", "de")
    'Dein Rennen beginnt: Canfield oder Klondike.'
    """
    words = WORDS.get(language, WORDS["en"])
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
