"""A digest in words: the subject, the plain text, and the same as simple HTML, in which everything is escaped."""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from cadogan.server.core.username_rules import name_in_mail
from cadogan.server.news.digests.weeks import ClosedDay, HouseWeek, OwnWeek
from cadogan.server.news.digests.words import WORDS, DigestWords, words_in
from cadogan.server.news.items import game_name


class Digest(NamedTuple):
    """A digest, ready to be sent."""

    subject: str
    text: str
    html: str


class _Part(NamedTuple):
    """A heading, sentences, and a list."""

    heading: str
    sentences: tuple[str, ...]
    rows: tuple[str, ...]


def write_digest(
    house_name: str, name: str, house: HouseWeek, own: OwnWeek, language: str, origin: str, end_link: str
) -> Digest:
    """Return a digest for the player of this name, in the language of this tag.

    `origin` is the address of the server, and `end_link` ends the digests.
    """
    language = language if language in WORDS else "en"
    words = words_in(language)
    subject = words.subject.format(house=house_name, first=house.days[0], last=house.days[-1])
    parts = (_own(words, own), _house(words, house, language), _coming(words, house, language))
    hello = words.hello.format(name=name_in_mail(name))
    return Digest(
        "".join(letter for letter in subject if letter.isprintable()),
        _text(words, hello, parts, origin, end_link),
        _html(words, subject, hello, parts, language, origin, end_link),
    )


def _own(words: DigestWords, own: OwnWeek) -> _Part:
    if not own.places:
        return _Part(words.own, (words.not_played,), ())
    points = sum(place.points for place in own.places)
    sentences = [words.figures.format(days=len(own.places), points=points, streak=own.streak)]
    if own.week is not None:
        sentences.append(words.week_rank.format(rank=own.week.rank, players=own.week.players))
    rows = [words.place.format(**place._asdict()) for place in own.places]
    return _Part(words.own, tuple(sentences), tuple(rows))


def _house(words: DigestWords, house: HouseWeek, language: str) -> _Part:
    rows = [_closed(words, day, language) for day in house.closed]
    return _Part(words.house, (words.open,) if house.open else (), tuple(rows))


def _closed(words: DigestWords, day: ClosedDay, language: str) -> str:
    games = _games(day.games, language)
    if not day.players:
        return words.nobody.format(day=day.day, games=games)
    winners = ", ".join(map(name_in_mail, day.winners))
    return words.won.format(day=day.day, games=games, winners=winners, points=day.points, players=day.players)


def _coming(words: DigestWords, house: HouseWeek, language: str) -> _Part:
    return _Part(words.coming, (), tuple(f"{day}: {_games(games, language)}" for day, games in house.coming))


def _games(slugs: Iterable[str], language: str) -> str:
    return ", ".join(game_name(slug, language) for slug in slugs)


def _text(words: DigestWords, hello: str, parts: Iterable[_Part], origin: str, end_link: str) -> str:
    lines = [hello, ""]
    for part in parts:
        lines += [part.heading.upper(), *part.sentences, *(f"- {row}" for row in part.rows), ""]
    return "\n".join([*lines, f"{words.play}: {origin}/", "", words.why, f"{words.end}: {end_link}", ""])


def _html(
    words: DigestWords, subject: str, hello: str, parts: Iterable[_Part], language: str, origin: str, end_link: str
) -> str:
    body = [f"<p>{escape(hello)}</p>"]
    for part in parts:
        body.append(f"<h2>{escape(part.heading)}</h2>")
        body += [f"<p>{escape(sentence)}</p>" for sentence in part.sentences]
        if part.rows:
            body.append("<ul>" + "".join(f"<li>{escape(row)}</li>" for row in part.rows) + "</ul>")
    body.append(f'<p><a href="{escape(origin)}/">{escape(words.play)}</a></p>')
    body.append(f'<p>{escape(words.why)} <a href="{escape(end_link)}">{escape(words.end)}</a></p>')
    head = f'<meta charset="utf-8"><title>{escape(subject)}</title>'
    return (
        f'<!doctype html>\n<html lang="{language}"><head>{head}</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )
