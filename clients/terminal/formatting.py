"""Cards, piles, moves, times and statuses as texts for people, in the player's language."""

import re
import unicodedata
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime

from cadogan.sdk.errors import ClientError, RefusalError
from cadogan.sdk.moves import Joint, Move, Transfer, parse_move
from cadogan.sdk.session import DOWN, Faces
from cadogan.terminal.words import capitalize, has_text, t, translate_sentence
from cadogan.wire.bodies import DailyDeal
from cadogan.wire.values import GameCard, Player, Said


def format_card(face: str) -> str:
    """Return a card in words.

    >>> format_card("7H")
    'seven of hearts'
    """
    if face == DOWN:
        return t("cards.face_down")
    return t("cards.of_suit", rank=t(f"cards.rank_{face[0]}"), suit=t(f"cards.suit_{face[1]}"))


class _Current:
    """The game whose names of piles are used."""

    game = ""


def name_as_in(game: str) -> None:
    """Use the names of piles from the rules with this slug from now on."""
    _Current.game = game


def format_pile(name: str) -> str:
    """Return a pile in words, as the rules of the game call it. Its number is counted from one.

    >>> format_pile("tableau.2")
    'column 3'
    """
    group, _, number = name.partition(".")
    keys = (f"piles.{group}@{_Current.game}", f"piles.{group}")
    pile = next((t(key) for key in keys if has_text(key)), group.replace("-", " "))
    return t("piles.numbered", pile=pile, number=int(number) + 1) if number.isdecimal() else pile


def describe_pile(name: str, cards: Faces) -> str:
    """Return a pile and its cards in words.

    >>> describe_pile("tableau.0", ("--", "8S", "7H"))
    'column 1, top card seven of hearts, 1 more face up, 1 face down'
    """
    return t("piles.described", pile=format_pile(name), cards=", ".join(_describe_cards(cards)))


def _describe_cards(cards: Faces) -> list[str]:
    if not cards:
        return [t("piles.empty")]
    down = sum(face == DOWN for face in cards)
    if cards[-1] == DOWN:
        return [t("piles.all_down", count=len(cards))]
    parts = [t("piles.top", card=format_card(cards[-1]))]
    if len(cards) - down > 1:
        parts.append(t("piles.more_up", count=len(cards) - down - 1))
    if down:
        parts.append(t("piles.down", count=down))
    return parts


def format_verb(text: str) -> str:
    """Return a verb as the text of a button. A verb without a word in this language keeps its own name.

    >>> format_verb("play/navy.3"), format_verb("choose-all")
    ('Play navy 4', 'Choose all')
    """
    verb, _, rest = text.partition("/")
    piles = ", ".join(format_pile(part) for part in rest.split("+"))
    if has_text(f"moves.verb_{verb}"):
        return t(f"moves.verb_{verb}", piles=piles).strip()
    return capitalize(f"{verb.replace('-', ' ')} {piles}".strip())


def format_move(move: Move) -> str:
    """Return a move in words.

    >>> format_move(Transfer("waste/tableau.0", "waste", "tableau.0", 1))
    'waste to column 1'
    """
    match move:
        case Transfer(_, source, target, count):
            return t("moves.transfer", count=count, **{"from": format_pile(source), "to": format_pile(target)})
        case Joint(_, piles, exchange):
            words = format_pile(piles[0])
            for pile in piles[1:]:
                words = t("moves.exchange" if exchange else "moves.gather", first=words, second=format_pile(pile))
            return words
    return format_verb(move.text)


def format_error(error: Exception, piles: Collection[str] = ()) -> str:
    """Return an error as text in the player's language. `piles` are those of the game, if a game has refused a move.

    >>> format_error(RefusalError("2C does not go on TS in tableau.2"), ["tableau.2"])
    'Two of clubs does not go on ten of spades in column 3'
    """
    if isinstance(error, RefusalError):
        if error.said is not None:
            return capitalize(_translate(error.said, piles))
        words = translate_sentence(error.message, {})
        return _spell_out(words, piles) if words == error.message else capitalize(words)
    return t("common.unreachable") if isinstance(error, ClientError) else str(error)


def _translate(said: Said, piles: Collection[str]) -> str:
    wordings: dict[str, Callable[[str], str]] = {"card": format_card, "pile": format_pile, "verb": format_verb}
    if piles:
        wordings["move"] = lambda text: format_move(parse_move(text, piles))

    def word(name: str, value: str) -> str:
        kind = name.rstrip("0123456789")
        if kind in ("piles", "moves") and kind[:-1] in wordings:
            return ", ".join(wordings[kind[:-1]](text) for text in value.split(", "))
        return wordings[kind](value) if kind in wordings else value

    values: dict[str, str | int] = {}
    for name, value in said.values.items():
        if isinstance(value, Said):
            values[name] = _translate(value, piles)
        else:
            values[name] = value if isinstance(value, int) else word(name, value)
    return translate_sentence(said.text, values)


def _spell_out(text: str, piles: Collection[str]) -> str:
    text = re.sub(r"\b[A2-9TJQK][SHDC]\b", lambda found: format_card(found[0]), text)
    text = re.sub(r"\b[a-z-]+\.\d+\b", lambda found: format_pile(found[0]) if found[0] in piles else found[0], text)
    return capitalize(text)


def format_player(player: Player) -> str:
    """Return a player's name. The name that the server made for a guest is in the player's language.

    >>> format_player(Player(id="p", name="Guest z7y5", guest=True))
    'Guest z7y5'
    """
    if player.left:
        return t("people.left")
    made = re.fullmatch(r"Guest (\w+)", player.name) if player.guest else None
    return t("people.guest_name", id=made[1]) if made else player.name


def format_score(score: int, maximum: int | None) -> str:
    """Return a score out of its maximum; the score alone if its maximum is not known.

    >>> format_score(81, 104)
    '81 of 104'
    """
    return str(score) if maximum is None else t("common.score_of", score=score, maximum=maximum)


def format_duration(milliseconds: int) -> str:
    """Return a duration as minutes and seconds, and hours where needed.

    >>> format_duration(245_000), format_duration(3_729_000)
    ('4:05', '1:02:09')
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def format_remaining(milliseconds: int) -> str:
    """Return a remaining time in hours and minutes, rounded up.

    >>> format_remaining(200 * 60_000)
    '3 h 20 min'
    """
    minutes = max(0, -(-milliseconds // 60_000))
    if minutes < 60:
        return t("time.minutes", minutes=minutes)
    return t("time.hours", hours=minutes // 60, minutes=minutes % 60)


def format_month(month: int) -> str:
    """Return the name of a month; January is 1.

    >>> format_month(11)
    'November'
    """
    return t(f"terminal.month_{month}")


def format_day(day: str) -> str:
    """Return a day (`2026-11-20`) in words.

    >>> format_day("2026-11-20")
    'Friday 20 November 2026'
    """
    read = date.fromisoformat(day)
    weekday = t(f"terminal.weekday_{read.isoweekday()}")
    return t("terminal.day", weekday=weekday, day=str(read.day), month=format_month(read.month), year=str(read.year))


def format_moment(moment: int) -> str:
    """Return a time, given in milliseconds since 1970, in the time zone of this machine."""
    read = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return t("terminal.moment", day=str(read.day), month=format_month(read.month)[:3], time=f"{read:%H:%M}")


def format_weekly(moment: int) -> str:
    """Return "every Thursday" for this time, in milliseconds since 1970, in the time zone of this machine."""
    read = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return t("evenings.every", day=t(f"terminal.weekday_{read.isoweekday()}"))


def format_level(level: str) -> str:
    """Return a level in words. A level that only this host has keeps its own name.

    >>> format_level("stern"), format_level("ours")
    ('Hard', 'ours')
    """
    return t(f"deals.level_{level}") if has_text(f"deals.level_{level}") else level


def format_deal_level(deal: DailyDeal) -> str:
    """Return the difficulty of this deal; empty while it is secret, and for a deal that is not certified."""
    return t("deals.deal_level", level=format_level(deal.deal_level)) if deal.deal_level else ""


def format_status(status: str) -> str:
    """Return the status of a game in words."""
    return t(f"table.status_{status}") if has_text(f"table.status_{status}") else status


def format_mode(game: GameCard) -> str:
    """Return the kind of a game in words."""
    if game.competition in ("evening", "virtual"):
        return t("evenings.evening")
    if game.number is not None:
        return t("seat.numbered", number=str(game.number))
    match game.mode:
        case "daily":
            return t("seat.challenge" if game.ranked else "seat.challenge_unranked")
        case "practice":
            return t("seat.practice")
        case "race":
            return t("races.race")
    return t("seat.casual")


def format_rank(rank: int) -> str:
    """Return a rank: as a word with a number, where the language has one.

    >>> [format_rank(rank) for rank in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    form = "other" if rank % 100 in (11, 12, 13) else {1: "one", 2: "two", 3: "few"}.get(rank % 10, "other")
    return t(f"time.rank_{form}", rank=rank)


def sorting_key(name: str) -> str:
    """Return a key that sorts names without regard to capitals and accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", name.casefold()) if char.isalnum() or char == " ")
