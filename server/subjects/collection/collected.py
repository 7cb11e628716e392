"""The collections of players: which games they have won, and what they were the first or the only ones to win.

Nothing here is stored: every answer is read from rows that are derived from the log (`games`, `entries`, `strikes`).
So a collection that is asked for after a rebuild is the same to the byte, and a struck run leaves it at once.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, exists, func, literal_column, not_, or_, select

from cadogan.engine import game as rules_of
from cadogan.engine.difficulty.levels import LEVELS
from cadogan.engine.difficulty.published import level_of
from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import archived_games, entries, games, strikes
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.wire.collection import Badge, CollectedGame, Win

MIN_RUNS = 4
"""Finished ranked runs of a deal without which its only win has no badge."""


class _Wins(NamedTuple):
    """A player's first and best win of one game."""

    first: Win
    best: Win


class Collections:
    """The collections in a database. Players are given by their ids; `withheld` games are left out."""

    def __init__(self, database: Database, index: GameIndex, profiles: Profiles) -> None:
        self._database = database
        self._index = index
        self._profiles = profiles

    async def games(self, player: str, withheld: Collection[str] = ()) -> list[CollectedGame]:
        """Return the games that a player has finished, sorted by slug."""
        wins = await self._wins(player, withheld)
        collected = []
        for rules, tally in sorted(await self._profiles.tallies(player, withheld)):
            own = wins.get(rules)
            collected.append(
                CollectedGame(
                    rules=rules,
                    maximum=rules_of(rules).maximum,
                    played=tally.played,
                    won=tally.won,
                    best_score=tally.best_score,
                    first_win=own and own.first,
                    best_win=own and own.best,
                )
            )
        return collected

    async def badges(self, player: str, today: str, withheld: Collection[str] = ()) -> list[Badge]:
        """Return the badges of a player, the latest first; bots have none."""
        if ids.is_bot(player):
            return []
        won: dict[str, list[str]] = {}
        for day, rules in await self._database.fetch(_select_won_runs(player)):
            won.setdefault(day, []).append(rules)
        return sort_badges(
            [
                *streak_badges(await self._profiles.days_played(player)),
                *level_badges(won),
                *await self._first_wins(player, withheld),
                *await self._only_wins(player, today),
            ]
        )

    async def _wins(self, player: str, withheld: Collection[str]) -> dict[str, _Wins]:
        """Return the player's first and best win of each game, by slug."""
        rows = await self._database.fetch(_select_ends_of_wins(player, withheld))
        ends = [tuple(row) for row in rows if row.first is not None]
        columns = (games.c.game, games.c.id, games.c.finished_at, games.c.score, games.c.moves, games.c.milliseconds)
        chosen = select(*columns).where(games.c.id.in_({id for pair in ends for id in pair}))
        found = {row.id: row for row in await self._database.fetch(chosen)}
        return {found[first].game: _Wins(_as_win(found[first]), _as_win(found[best])) for first, best in ends}

    async def _first_wins(self, player: str, withheld: Collection[str]) -> list[Badge]:
        wins = [row.first for row in await self._database.fetch(_select_ends_of_wins(player, withheld))]
        rows = await self._database.fetch(_select_first_wins(filter(None, wins)))
        return [Badge(kind="first_win", day=dates.day_of(row.finished_at), rules=row.game, game=row.id) for row in rows]

    async def _only_wins(self, player: str, today: str) -> list[Badge]:
        """Return the badges for daily deals that nobody else has won, of days that have closed."""
        rows: Iterable[Row[Any]] = await self._database.fetch(_select_only_wins(player, today))
        rows = [row for row in rows if row.runs >= MIN_RUNS]
        closed = await self._index.closed_days({row.day for row in rows})
        return [
            Badge(kind="only_win", day=row.day, rules=row.rules, game=row.game_id, runs=row.runs)
            for row in rows
            if row.day in closed
        ]


def _as_win(row: Row[Any]) -> Win:
    return Win(game=row.id, at=row.finished_at, score=row.score, moves=row.moves, milliseconds=row.milliseconds)


def _is_win(table: Any) -> ColumnElement[bool]:
    """Return the condition of the index `ix_games_won`: a game that was won, and continues no other one."""
    return and_(table.c.status == literal_column("'won'"), table.c.origin.is_(None))  # a parameter may hide the index


def _is_counted(column: ColumnElement[str]) -> ColumnElement[bool]:
    return column.not_in(select(strikes.c.game_id))


def _select_ends_of_wins(player: str, withheld: Collection[str]) -> Any:
    """Select the ids of the player's `first` and `best` win of each game that the player has won."""
    won = select(games.c.game).where(games.c.player == player, _is_win(games)).distinct().subquery()

    def find_win(*order: str) -> ColumnElement[str]:
        own = games.alias()
        wins = select(own.c.id).where(
            own.c.player == player, own.c.game == won.c.game, _is_win(own), _is_counted(own.c.id)
        )
        if withheld:
            wins = wins.where(own.c.id.not_in(withheld))
        return wins.order_by(*(own.c[name] for name in order)).limit(1).scalar_subquery()

    best = find_win("moves", "milliseconds", "finished_at", "id")
    return select(find_win("finished_at", "id").label("first"), best.label("best")).select_from(won)


def _select_first_wins(wins: Iterable[str]) -> Any:
    """Select those of these wins before which no person here, archived guests included, had won the game.

    `wins` are the ids of one player's first wins of games: a later one of the same player is never the first here.
    """
    own, other = games, games.alias("other")
    is_earlier = or_(
        other.c.finished_at < own.c.finished_at,
        and_(other.c.finished_at == own.c.finished_at, other.c.id < own.c.id),
    )
    earlier = (
        select(other.c.id)
        .where(
            other.c.game == own.c.game,
            other.c.finished_at <= own.c.finished_at,
            _is_win(other),
            is_earlier,
            not_(other.c.player.startswith(ids.BOT_PREFIX)),
            _is_counted(other.c.id),
        )
        .exists()
    )  # of all columns, SQLite would read the whole row
    archived = exists().where(
        archived_games.c.game == own.c.game,
        archived_games.c.status == "won",
        archived_games.c.moves.is_not(None),
        archived_games.c.revealed_at <= own.c.finished_at,
    )
    first = select(own.c.game, own.c.id, own.c.finished_at).where(own.c.id.in_(tuple(wins)))
    return first.where(not_(earlier), not_(archived))


def _select_won_runs(player: str) -> Any:
    won = entries.c.player == player, entries.c.result == "won", _is_counted(entries.c.game_id)
    return select(entries.c.day, entries.c.rules).where(*won)


def _select_only_wins(player: str, today: str) -> Any:
    """Select the player's wins of deals of earlier days that nobody else has won, each with its number of `runs`."""
    other = entries.alias("other")
    counted = other.c.deal == entries.c.deal, _is_counted(other.c.game_id)
    also_won = (
        select(other.c.deal).where(*counted, other.c.player != entries.c.player, other.c.result == "won").exists()
    )
    runs = select(func.count()).where(*counted).correlate(entries).scalar_subquery().label("runs")
    columns = (entries.c.day, entries.c.rules, entries.c.game_id, runs)
    won = entries.c.player == player, entries.c.result == "won", _is_counted(entries.c.game_id)
    return select(*columns).where(*won, entries.c.day < today, not_(also_won))


STREAKS = (7, 30, 100, 365)
"""The streaks that have a badge, in days."""


def streak_badges(played: Iterable[str]) -> list[Badge]:
    """Return a badge for each of `STREAKS` that a player has reached, with the day on which it was first reached.

    `played` are the days that count for streaks, in any order.

    >>> streak_badges(f"2026-11-{day:02}" for day in range(1, 10))
    [Badge(kind='streak', day='2026-11-07', days=7, rules=None, game=None, runs=None)]
    """
    reached: dict[int, str] = {}
    length, before = 0, ""
    for day in sorted({*played}):
        length = length + 1 if before and dates.add_days(before, 1) == day else 1
        before = day
        if length in STREAKS:
            reached.setdefault(length, day)
    return [Badge(kind="streak", day=day, days=days) for days, day in reached.items()]


def level_badges(won: Mapping[str, Iterable[str]]) -> list[Badge]:
    """Return the badge for the first day on which a player has won a game of every level; empty if there is none.

    `won` are the slugs of the games that the player won in ranked runs, by day.

    >>> level_badges({"2026-11-20": ["caesar", "orchard-walk", "queens"], "2026-11-19": ["caesar", "queens"]})
    [Badge(kind='all_levels', day='2026-11-20', days=None, rules=None, game=None, runs=None)]
    """
    complete = [day for day, slugs in won.items() if {*LEVELS} <= {level_of(slug) for slug in slugs}]
    return [Badge(kind="all_levels", day=min(complete))] if complete else []


def sort_badges(badges: Iterable[Badge]) -> list[Badge]:
    """Return badges with the latest first; those of one day are sorted by kind and game."""
    by_subject = sorted(badges, key=lambda badge: (badge.kind, badge.rules or "", badge.game or "", badge.days or 0))
    return sorted(by_subject, key=lambda badge: badge.day, reverse=True)
