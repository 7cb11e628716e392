"""What the server itself says to people: mails, notifications, news for chats and feeds, and results that are shared.

`languages` has a file for each language of the pages. What stands in braces is put in: names, numbers, days and links.
Of two forms, the first is for one and the second for any other number.
"""

from pathlib import Path

import msgspec
from msgspec import Struct


class _Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a file: every field is a key of it, and it has no other key."""


class NewsWords(_Section, frozen=True):
    """The words of news for chats and feeds."""

    day_opened: str
    day_closed: str
    race_started: str
    race_ended: str
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
    test: str


class ShareWords(_Section, frozen=True):
    """The words of results that are sent to others. `thousands` stands between the thousands of a number."""

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

    A mail to an address that nobody has confirmed has no name, which a stranger could have chosen.
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
