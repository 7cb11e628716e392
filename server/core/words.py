"""The texts that the server itself writes: mails, notifications, news for chats and feeds, and shared results.

`languages` has a file for each language of the pages. Placeholders are in braces: names, numbers, days and links. Of
two forms, the first is singular and the second plural.
"""

from pathlib import Path

import msgspec
from msgspec import Struct


class _Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A section of a file, whose keys are exactly these fields."""


class NewsWords(_Section, frozen=True):
    """The words of news for chats and feeds."""

    day_opened: str
    day_closed: str
    day_reviewed: str
    deal_won: str
    deal_lost: str
    certified: str
    to_be_certified: str
    race_started: str
    race_ended: str
    evening_started: str
    evening_ended: str
    player_reported: str
    run_reported: str
    found: tuple[str, str]
    test: str
    points: str
    cards_home: str
    reasons: dict[str, str]


class DigestWords(_Section, frozen=True):
    """The words of digests."""

    subject: str
    hello: str
    own: str
    not_played: str
    figures: str
    week_rank: str
    place: str
    house: str
    won: str
    nobody: str
    open: str
    coming: str
    play: str
    why: str
    end: str


class NotificationWords(_Section, frozen=True):
    """The words of notifications."""

    day_opened: str
    overtaken: str
    race_started: str
    evening_begins: str
    challenged: str
    series_stopped: str
    test: str


class ShareWords(_Section, frozen=True):
    """The words of results that are sent to others. `thousands` is the thousands separator."""

    levels: dict[str, str]
    ends: dict[str, str]
    not_played: str
    score: str
    moves: tuple[str, str]
    points: tuple[str, str]
    streak: str
    thousands: str


class MailWords(_Section, frozen=True):
    """The words of mails about an account.

    A mail to an unconfirmed address includes no name, because a stranger could have chosen it.
    """

    confirm_subject: str
    confirm: str
    recover_subject: str
    recover: str


class Words(_Section, frozen=True):
    """All words of one language."""

    news: NewsWords
    digests: DigestWords
    notifications: NotificationWords
    share: ShareWords
    mail: MailWords


WORDS = {
    file.stem: msgspec.toml.decode(file.read_bytes(), type=Words)
    for file in sorted((Path(__file__).parent / "languages").glob("*.toml"))
}
"""The words of each language, by its tag."""


def words_in(language: str) -> Words:
    """Return the words of a language, given by its tag; English for one that is not known."""
    return WORDS.get(language, WORDS["en"])
