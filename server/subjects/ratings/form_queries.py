"""Reading ratings: the form of a player, the list of the server, and the ratings before an evening."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Row, Select, func, select

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import contests, players, ratings
from cadogan.server.core.scoring.ratings import ALL, PROVISIONAL_BELOW
from cadogan.wire import ratings as wire
from cadogan.wire.values import Player

MAX_LISTED = 200
MAX_SHOWN = 500
"""Evenings of a player that are shown of each pool, the latest."""
NEWCOMER = 1500
"""The rating of somebody who has none yet."""
POOLS = (ALL, "gentle", "steady", "stern")


class FormQueries:
    """The ratings in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_player(self, player: Player, groups: Collection[str]) -> wire.PlayerForm:
        """Return a player's evenings and ratings.

        Titles are included for evenings that are public or of these groups.
        """
        found: dict[str, list[Row[Any]]] = {}
        for row in await self._database.fetch(_select_evenings(player.id)):
            found.setdefault(row.pool, []).append(row)
        pools = []
        for pool in POOLS:
            if rows := found.get(pool):
                shares = [row.share for row in rows if row.share is not None]
                form = wire.PoolForm(
                    pool=pool,  # type: ignore[arg-type]
                    evenings=len(rows),
                    rating=_whole(rows[-1].after),
                    provisional=len(rows) < PROVISIONAL_BELOW,
                    share=_mean(sum(shares), len(shares)),
                    history=[_rated(row, groups) for row in rows[-MAX_SHOWN:]],
                )
                pools.append(form)
        return wire.PlayerForm(player=player, pools=pools)

    async def table(self, pool: str, *, bots: bool) -> list[Row[Any]]:
        """Return the players of a pool, the best first: player, after, evenings, total and counted of their shares."""
        return [*await self._database.fetch(_select_table(pool, "bot" if bots else "person"))]

    async def before(self, evening: str) -> dict[str, tuple[int, int]]:
        """Return the ratings of people just before an evening was rated, with how many evenings; empty if it is not."""
        own = ratings.c.evening == evening, ratings.c.pool == ALL, ratings.c.kind == "person"
        chosen = select(ratings.c.player, ratings.c.before, ratings.c.evenings).where(*own)
        return {row.player: (row.before, row.evenings - 1) for row in await self._database.fetch(chosen)}

    async def of_players(self, players_: Collection[str]) -> dict[str, int]:
        """Return the ratings that these people have in the evenings of all levels, in whole points."""
        own = among(ratings.c.player, "players"), ratings.c.pool == ALL, ratings.c.kind == "person"
        chosen = select(ratings.c.player, ratings.c.after).where(*own).order_by(ratings.c.evenings)
        rows = await self._database.fetch(chosen, {"players": [*players_]})
        return {row.player: _whole(row.after) for row in rows}


def list_rows(rows: Collection[Row[Any]], known: dict[str, Player]) -> list[wire.RatingRow]:
    """Return the rows of the list of ratings; equal ratings share a rank."""
    listed: list[wire.RatingRow] = []
    for number, row in enumerate(rows, 1):
        rating = _whole(row.after)
        shared = listed[-1].rank if listed and listed[-1].rating == rating else number
        listed.append(
            wire.RatingRow(
                rank=shared,
                player=known[row.player],
                rating=rating,
                evenings=row.evenings,
                provisional=row.evenings < PROVISIONAL_BELOW,
                share=_mean(row.total or 0, row.counted),
            )
        )
    return listed


def _whole(rating: int) -> int:
    """Return a rating in whole points, rounded half up."""
    return (rating + 50) // 100


def _mean(total: int, count: int) -> int | None:
    """Return the mean of shares in hundredths of a per cent, rounded half up; None if there are none."""
    return (2 * total + count) // (2 * count) if count else None


def _rated(row: Row[Any], groups: Collection[str]) -> wire.RatedEvening:
    is_told = row.entry == "all" or row.group in groups
    return wire.RatedEvening(
        evening=row.evening if is_told else None,
        title=row.title if is_told else None,
        at=row.starts_at,
        place=row.place,
        performance=_whole(row.performance),
        rating=_whole(row.after),
        share=row.share,
    )


def _select_evenings(player: str) -> Select[Any]:
    joined = select(ratings, contests.c.title, contests.c.entry, contests.c.group, contests.c.starts_at).join(
        contests, contests.c.id == ratings.c.evening
    )
    kind = "bot" if ids.is_bot(player) else "person"
    return joined.where(ratings.c.player == player, ratings.c.kind == kind).order_by(ratings.c.evenings)


def _select_table(pool: str, kind: str) -> Select[Any]:
    each = (
        select(
            ratings.c.player,
            ratings.c.after,
            ratings.c.evenings,
            func.row_number().over(partition_by=ratings.c.player, order_by=ratings.c.evenings.desc()).label("turn"),
            func.sum(ratings.c.share).over(partition_by=ratings.c.player).label("total"),
            func.count(ratings.c.share).over(partition_by=ratings.c.player).label("counted"),
        )
        .where(ratings.c.pool == pool, ratings.c.kind == kind)
        .subquery()
    )
    latest = select(each).join(players, players.c.id == each.c.player).where(each.c.turn == 1)
    return latest.order_by(each.c.after.desc(), each.c.player).limit(MAX_LISTED)
