"""Cards, piles, moves, times and statuses as texts for people."""

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
    "casual": "casual game",
    "daily": "of the day",
    "practice": "for practice",
    "race": "in a race",
}


def format_card(face: str) -> str:
    """Return a card in words.

    >>> format_card("7H")
    'seven of hearts'
    """
    return "a face-down card" if face == DOWN else f"{_RANKS[face[0]]} of {_SUITS[face[1]]}"


def format_pile(name: str) -> str:
    """Return a pile in words. Its number is counted from one.

    >>> format_pile("tableau.2")
    'tableau 3'
    """
    group, _, number = name.partition(".")
    words = group.replace("-", " ")
    return f"{words} {int(number) + 1}" if number.isdecimal() else words


def describe_pile(name: str, cards: Faces) -> str:
    """Return a pile and its cards in words.

    >>> describe_pile("tableau.0", ("--", "8S", "7H"))
    'tableau 1: seven of hearts, 1 more face up, 1 face down'
    """
    if not cards:
        return f"{format_pile(name)}: empty"
    down = sum(face == DOWN for face in cards)
    if cards[-1] == DOWN:
        return f"{format_pile(name)}: {pluralize(len(cards), 'card')} face down"
    parts = [f"{format_pile(name)}: {format_card(cards[-1])}"]
    if len(cards) - down > 1:
        parts.append(f"{len(cards) - down - 1} more face up")
    if down:
        parts.append(f"{down} face down")
    return ", ".join(parts)


def format_verb(text: str) -> str:
    """Return a verb as the text of a button.

    >>> format_verb("choose/hearts")
    'Choose hearts'
    """
    words = " ".join(format_pile(part) for part in text.split("/"))
    return words[:1].upper() + words[1:]


def format_move(move: Move) -> str:
    """Return a move in words.

    >>> format_move(Transfer("waste/tableau.0", "waste", "tableau.0", 1))
    'waste to tableau 1'
    """
    match move:
        case Transfer(_, source, target, count):
            cards = "" if count == 1 else f"{count} cards, "
            return f"{cards}{format_pile(source)} to {format_pile(target)}"
        case Joint(_, piles, exchange):
            return (" for " if exchange else " with ").join(map(format_pile, piles))
    return format_verb(move.text)


def format_sentence(text: str, piles: Collection[str]) -> str:
    """Return a sentence of the server with the codes of cards and of these piles in words.

    >>> format_sentence("2C does not go on TS in tableau.2", ["tableau.2"])
    'Two of clubs does not go on ten of spades in tableau 3'
    """
    text = re.sub(r"\b[A2-9TJQK][SHDC]\b", lambda found: format_card(found[0]), text)
    text = re.sub(r"\b[a-z-]+\.\d+\b", lambda found: format_pile(found[0]) if found[0] in piles else found[0], text)
    return text[:1].upper() + text[1:]


def pluralize(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed.

    >>> pluralize(1, "card"), pluralize(3, "card")
    ('1 card', '3 cards')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def format_duration(milliseconds: int) -> str:
    """Return a duration as minutes and seconds, and hours where needed.

    >>> format_duration(245_000), format_duration(3_729_000)
    ('4:05', '1:02:09')
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def format_remaining(milliseconds: int) -> str:
    """Return how long something still takes, in hours and minutes, rounded up.

    >>> format_remaining(200 * 60_000)
    '3 h 20 min'
    """
    minutes = max(0, -(-milliseconds // 60_000))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def format_day(day: str) -> str:
    """Return a day (`2026-11-20`) in words.

    >>> format_day("2026-11-20")
    'Friday 20 November 2026'
    """
    read = date.fromisoformat(day)
    return f"{read:%A} {read.day} {read:%B %Y}"


def format_moment(moment: int) -> str:
    """Return a time, given in milliseconds since 1970, in the time zone of this machine."""
    read = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return f"{read.day} {read:%b %H:%M}"


def format_level(level: str) -> str:
    """Return a level in words. A level that only this host has keeps its own name.

    >>> format_level("stern"), format_level("ours")
    ('hard', 'ours')
    """
    return {"gentle": "easy", "steady": "medium", "stern": "hard"}.get(level, level)


def format_status(status: str) -> str:
    """Return the status of a game in words."""
    return _STATUS.get(status, status)


def format_mode(mode: Mode, ranked: bool) -> str:
    """Return in words what kind of game it is."""
    if mode == "daily":
        return "the one that counts" if ranked else "not ranked"
    return _MODES[mode]
