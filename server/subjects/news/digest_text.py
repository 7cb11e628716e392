"""A digest: when it is sent, what has happened in its week, and its words."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from cadogan.server.core import dates
from cadogan.server.core.dates import FIRST_MONDAY, MILLISECONDS_PER_DAY, MILLISECONDS_PER_WEEK
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.ranking import day_board, week_board
from cadogan.server.core.username_rules import name_in_mail
from cadogan.server.core.words import WORDS, DigestWords, words_in
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.server.subjects.news.items import DealFigures, figures_of, game_name, review_lines
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.server.subjects.players.sharing import count_streak
from cadogan.server.subjects.reviews.reviews import Reviews

COMING_DAYS = 7
"""Days to come that a digest names, the one on which it is sent included."""
MAX_WINNERS = 3
"""Names of those who share the first place of a day; more are not named."""


class ClosedDay(NamedTuple):
    """A closed day: its games (slugs), who were first, with how many points, and how many players were on its board.

    `review` is how each of its deals was won and lost, as far as it is known.
    """

    day: str
    games: tuple[str, ...]
    winners: tuple[str, ...]
    points: int
    players: int
    review: tuple[DealFigures, ...] = ()


class ServerWeek(NamedTuple):
    """The same for every reader. `coming` has days with their games; `open` says that a day is not closed yet."""

    days: tuple[str, ...]
    closed: tuple[ClosedDay, ...]
    coming: tuple[tuple[str, tuple[str, ...]], ...]
    open: bool


class OwnPlace(NamedTuple):
    """A reader's place on the board of a closed day."""

    day: str
    rank: int
    players: int
    points: int


class OwnWeek(NamedTuple):
    """A reader's week: the places on its days, the streak in days as it is now, and the place on the week's board.

    There is no place on the week's board as long as a day of the week is open.
    """

    places: tuple[OwnPlace, ...]
    streak: int
    week: OwnPlace | None = None


class DigestWeeks:
    """Reads weeks from the boards. Moments are in milliseconds since 1970."""

    def __init__(
        self,
        challenges: DailyChallenges,
        boards: BoardQueries,
        reviews: Reviews,
        profiles: Profiles,
        players: PlayerCache,
    ) -> None:
        self._challenges = challenges
        self._boards = boards
        self._reviews = reviews
        self._profiles = profiles
        self._players = players

    async def is_open(self, week: int, now: int) -> bool:
        """Return whether a day that the digests of this week cover is not closed yet."""
        found = [await self._challenges.get(day, now) for day in digest_days(week)]
        return any(daily is not None and daily.opened and not daily.closed for daily in found)

    async def server_week(self, week: int, now: int) -> ServerWeek:
        """Return the part of this week's digests that is the same for every reader."""
        days = tuple(digest_days(week))
        closed = []
        for day in days:
            daily = await self._challenges.get(day, now)
            if daily is not None and daily.opened and daily.closed:
                closed.append(await self._closed_day(day, tuple(one.game for one in daily.announced)))
        today, coming = dates.day_of(now), []
        for ahead in range(COMING_DAYS):
            daily = await self._challenges.get(dates.add_days(today, ahead), now)
            if daily is not None:
                coming.append((daily.day, tuple(one.game for one in daily.announced)))
        return ServerWeek(days, tuple(closed), tuple(coming), await self.is_open(week, now))

    async def own_weeks(self, shared: ServerWeek, players: Sequence[str], now: int) -> dict[str, OwnWeek]:
        """Return the weeks of these players, by their ids."""
        places: dict[str, list[OwnPlace]] = {player: [] for player in players}
        for day in shared.closed:
            for row in await self._boards.ranked(day_board(day.day), players):
                places[row.player].append(OwnPlace(day.day, row.rank, day.players, -row.deficit))
        week = {} if shared.open else await self._week_places(shared.days[0], players)
        today = dates.day_of(now)
        return {
            player: OwnWeek(tuple(places[player]), await self._streak(player, today), week.get(player))
            for player in players
        }

    async def _week_places(self, monday: str, players: Sequence[str]) -> dict[str, OwnPlace]:
        board = week_board(monday)
        total = await self._boards.total(board)
        rows = await self._boards.ranked(board, players)
        return {row.player: OwnPlace(monday, row.rank, total, -row.deficit) for row in rows}

    async def _closed_day(self, day: str, games: tuple[str, ...]) -> ClosedDay:
        total, rows = await self._boards.page(day_board(day), 0, MAX_WINNERS)
        first = [row for row in rows if row.rank == 1]
        names = await self._names(row.player for row in first)
        review = figures_of(await self._reviews.get(day)) if total else ()
        return ClosedDay(day, games, names, -first[0].deficit if first else 0, total, review)

    async def _names(self, players: Iterable[str]) -> tuple[str, ...]:
        ids = list(players)
        named = await self._players.players(ids)
        return tuple(named[id].name for id in ids)

    async def _streak(self, player: str, today: str) -> int:
        return count_streak(await self._profiles.days_played(player), today).current


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
    site_name: str, name: str, shared: ServerWeek, own: OwnWeek, language: str, origin: str, end_link: str
) -> Digest:
    """Return a digest for the player of this name, in the language of this tag.

    `origin` is the address of the server, and `end_link` ends the digests.
    """
    language = language if language in WORDS else "en"
    words = words_in(language).digests
    subject = words.subject.format(house=site_name, first=shared.days[0], last=shared.days[-1])
    parts = (_own(words, own), _closed_days(words, shared, language, origin), _coming(words, shared, language))
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


def _closed_days(words: DigestWords, shared: ServerWeek, language: str, origin: str) -> _Part:
    rows = list[str]()
    for day in shared.closed:
        rows.append(_closed(words, day, language))
        if day.review:
            rows.append(" ".join([*review_lines(day.review, language), f"{origin}/review/{day.day}"]))
    return _Part(words.house, (words.open,) if shared.open else (), tuple(rows))


def _closed(words: DigestWords, day: ClosedDay, language: str) -> str:
    games = _games(day.games, language)
    if not day.players:
        return words.nobody.format(day=day.day, games=games)
    winners = ", ".join(map(name_in_mail, day.winners))
    return words.won.format(day=day.day, games=games, winners=winners, points=day.points, players=day.players)


def _coming(words: DigestWords, shared: ServerWeek, language: str) -> _Part:
    return _Part(words.coming, (), tuple(f"{day}: {_games(games, language)}" for day, games in shared.coming))


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


HOUR = 3_600_000
SEND_AFTER_MILLISECONDS = 6 * HOUR
"""So long after the beginning of Monday the digests are due."""
WAIT_FOR_CLOSE_MILLISECONDS = MILLISECONDS_PER_DAY
"""So long after that they wait for Sunday's close, should its runs still go on."""
GIVE_UP_MILLISECONDS = 48 * HOUR
"""So long after it is due a digest is sent; then it is given up."""


def due_at(week: int) -> int:
    """Return when the digests are due that are sent in the week of this number.

    >>> dates.moment_text(due_at(dates.week_number(1_795_176_000_000)))
    '2026-11-16 06:00 UTC'
    """
    return FIRST_MONDAY + week * MILLISECONDS_PER_WEEK + SEND_AFTER_MILLISECONDS


def next_week(now: int) -> int:
    """Return the number of the first week whose digests become due after this moment."""
    return dates.week_number(now - SEND_AFTER_MILLISECONDS) + 1


def digest_days(week: int) -> list[str]:
    """Return the days that the digests of a week cover: those of the week before.

    >>> digest_days(dates.week_number(1_795_176_000_000))[::6]
    ['2026-11-09', '2026-11-15']
    """
    monday = dates.day_of(FIRST_MONDAY + (week - 1) * MILLISECONDS_PER_WEEK)
    return [dates.add_days(monday, number) for number in range(7)]
