"""Cards, piles, moves, times and states in words."""

import re
from collections.abc import Collection
from datetime import UTC, date, datetime

from clients.sdk.moves import Joint, Move, Transfer
from clients.sdk.session import DOWN, Faces
from clients.wire.values import Mode

_RANKS = dict(
    zip(
        "A23456789TJQK",
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_STATUS = {"stuck": "no move left", "out_of_time": "out of time"}
_MODES: dict[Mode, str] = {
    "casual": "a deal of one's own",
    "daily": "of the day",
    "practice": "for practice",
    "race": "in a race",
}


def card_words(face: str) -> str:
    """A card.

    >>> card_words("7H")
    'seven of hearts'
    """
    return "a face-down card" if face == DOWN else f"{_RANKS[face[0]]} of {_SUITS[face[1]]}"


def pile_words(name: str) -> str:
    """A pile; people count from one.

    >>> pile_words("tableau.2")
    'tableau 3'
    """
    group, _, number = name.partition(".")
    words = group.replace("-", " ")
    return f"{words} {int(number) + 1}" if number.isdecimal() else words


def describe_pile(name: str, cards: Faces) -> str:
    """A whole pile in one breath.

    >>> describe_pile("tableau.0", ("--", "8S", "7H"))
    'tableau 1: seven of hearts, 1 more face up, 1 face down'
    """
    if not cards:
        return f"{pile_words(name)}: empty"
    down = sum(face == DOWN for face in cards)
    if cards[-1] == DOWN:
        return f"{pile_words(name)}: {counted(len(cards), 'card')} face down"
    parts = [f"{pile_words(name)}: {card_words(cards[-1])}"]
    if len(cards) - down > 1:
        parts.append(f"{len(cards) - down - 1} more face up")
    if down:
        parts.append(f"{down} face down")
    return ", ".join(parts)


def verb_words(text: str) -> str:
    """A move that joins no piles, as on a button.

    >>> verb_words("choose/hearts")
    'Choose hearts'
    """
    words = " ".join(pile_words(part) for part in text.split("/"))
    return words[:1].upper() + words[1:]


def move_words(move: Move) -> str:
    """A move as a person would say it."""
    match move:
        case Transfer(_, source, target, count):
            cards = "" if count == 1 else f"{count} cards, "
            return f"{cards}{pile_words(source)} to {pile_words(target)}"
        case Joint(_, piles, exchange):
            return (" for " if exchange else " with ").join(map(pile_words, piles))
    return verb_words(move.text)


def plain_words(text: str, piles: Collection[str]) -> str:
    """A server's sentence with its codes in words.

    >>> plain_words("2C does not go on TS in tableau.2", ["tableau.2"])
    'Two of clubs does not go on ten of spades in tableau 3'
    """
    text = re.sub(r"\b[A2-9TJQK][SHDC]\b", lambda found: card_words(found[0]), text)
    text = re.sub(r"\b[a-z-]+\.\d+\b", lambda found: pile_words(found[0]) if found[0] in piles else found[0], text)
    return text[:1].upper() + text[1:]


def counted(count: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def duration(milliseconds: int) -> str:
    """A time taken.

    >>> duration(245_000), duration(3_729_000)
    ('4:05', '1:02:09')
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def until(milliseconds: int) -> str:
    """How long it is until something.

    >>> until(200 * 60_000)
    '3 h 20 min'
    """
    minutes = max(0, -(-milliseconds // 60_000))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def day_words(day: str) -> str:
    """A day.

    >>> day_words("2026-11-20")
    'Friday 20 November 2026'
    """
    read = date.fromisoformat(day)
    return f"{read:%A} {read.day} {read:%B %Y}"


def moment_words(moment: int) -> str:
    """A moment given in milliseconds, on the reader's own clock."""
    read = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return f"{read.day} {read:%b %H:%M}"


def status_words(status: str) -> str:
    """How a game stands."""
    return _STATUS.get(status, status)


def mode_words(mode: Mode, ranked: bool) -> str:
    """What kind of game it is."""
    if mode == "daily":
        return "the one that counts" if ranked else "not ranked"
    return _MODES[mode]
