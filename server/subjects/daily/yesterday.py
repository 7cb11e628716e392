"""Yesterday, for somebody who comes back: the own places, how everybody fared, friends and groups, and the streak.

Everything is read from rows that are derived from the log. It is on the leaderboards, too, and holds no cards.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import case, func, select

from cadogan.engine import game as rules_of
from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, strikes
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.ranking import board_for, day_board, deal_board
from cadogan.server.subjects.leaderboards.live import board_entry
from cadogan.server.subjects.leaderboards.queries import BoardQueries, RankedTotal
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.server.subjects.players.sharing import count_streak
from cadogan.wire.bodies import DailyDeal
from cadogan.wire.collection import FieldOfDeal, FriendRun, Glance, OwnYesterday, Returning
from cadogan.wire.results import Place

TOP_ROWS = 3
"""Rows of each board that are shown, besides the player's own."""
MAX_GROUPS = 5
"""Groups whose boards are shown, by name."""
MAX_FRIEND_RUNS = 8
"""Latest runs of friends that are shown."""
_COUNTED = entries.c.game_id.not_in(select(strikes.c.game_id))


class _Field(NamedTuple):
    """The finished ranked runs of people of one deal."""

    slot: int
    deal: str
    rules: str
    runs: int
    won: int
    best_score: int


class Yesterday:
    """Summaries of the day before for players, from one database."""

    def __init__(
        self, database: Database, boards: BoardQueries, profiles: Profiles, groups: Groups, players: PlayerCache
    ) -> None:
        self._database = database
        self._boards = boards
        self._profiles = profiles
        self._groups = groups
        self._players = players
        self._fields = Batcher(self._read_fields)

    async def summarize(self, player: str, today: str, deals: Sequence[DailyDeal]) -> Returning:
        """Return the summary for a player on the day `today`, which has these `deals`."""
        day = dates.add_days(today, -1)
        streak = count_streak(await self._profiles.days_played(player), today)
        fields = [await self._field(player, one) for one in await self._fields.get(day) or ()]
        own = {deal.deal: deal.yours for deal in fields if deal.yours}
        friends = await self._groups.friends(player)
        return Returning(
            day=day,
            deals=fields,
            points=sum(run.points for run in own.values()),
            streak=streak.current,
            best_streak=streak.longest,
            place=await self._place(player, day_board(day)) if own else None,
            boards=await self._glances(player, day, friends),
            friends=await self._friend_runs(friends, (day, today)),
            today=[*deals],
        )

    async def _field(self, player: str, field: _Field) -> FieldOfDeal:
        mine = select(entries).where(entries.c.deal == field.deal, entries.c.player == player, _COUNTED)
        found = next(iter(await self._database.fetch(mine)), None)
        yours = None
        if found is not None:
            yours = OwnYesterday(
                game=found.game_id,
                result=found.result,
                score=found.score,
                points=found.points,
                place=await self._place(player, deal_board(field.deal)),
            )
        return FieldOfDeal(**field._asdict(), maximum=rules_of(field.rules).maximum, yours=yours)

    async def _place(self, player: str, board: str) -> Place | None:
        place = await self._boards.place(board_for(player, board), player)
        return None if place is None else Place(**place._asdict())

    async def _glances(self, player: str, day: str, friends: Sequence[str]) -> list[Glance]:
        """Return the boards of a day: of friends, of groups, and of the server. Empty ones are left out."""
        board = board_for(player, day_board(day))
        found = []
        if friends:
            rows = await self._boards.ranked_among(board, [player, *friends])
            found.append(await self._glance(player, rows[:TOP_ROWS], rows, len(rows), among="friends"))
        for group in (await self._groups.groups_of(player))[:MAX_GROUPS]:
            rows = await self._boards.ranked_among(board, group.members)
            found.append(
                await self._glance(player, rows[:TOP_ROWS], rows, len(rows), among=f"group:{group.id}", name=group.name)
            )
        total, rows = await self._boards.page(board, 0, TOP_ROWS)
        found.append(await self._glance(player, rows, await self._boards.ranked(board, [player]), total))
        return [glance for glance in found if glance.total]

    async def _glance(
        self,
        player: str,
        top: Sequence[RankedTotal],
        rows: Sequence[RankedTotal],
        total: int,
        among: str | None = None,
        name: str | None = None,
    ) -> Glance:
        """Return the top of a board, with the player's own row, which is one of `rows`."""
        own = next((row for row in rows if row.player == player), None)
        known = await self._players.players([row.player for row in top] + [player])
        entries_of = [board_entry(row, known[row.player]) for row in top]
        you = None if own is None else board_entry(own, known[player])
        return Glance(among=among, name=name, total=total, entries=entries_of, you=you)

    async def _friend_runs(self, friends: Sequence[str], days: Collection[str]) -> list[FriendRun]:
        if not friends:
            return []
        latest = select(entries).where(entries.c.player.in_(friends), entries.c.day.in_(days), _COUNTED)
        latest = latest.order_by(entries.c.finished_at.desc(), entries.c.game_id).limit(MAX_FRIEND_RUNS)
        rows = await self._database.fetch(latest)
        known = await self._players.players(row.player for row in rows)
        return [
            FriendRun(
                player=known[row.player],
                day=row.day,
                deal=row.deal,
                rules=row.rules,
                game=row.game_id,
                result=row.result,
                score=row.score,
                maximum=rules_of(row.rules).maximum,
            )
            for row in rows
        ]

    async def _read_fields(self, days: Collection[str]) -> dict[str, list[_Field]]:
        """Return the fields of the deals of these days, by day; reading a popular day is slow, so callers share it."""
        won = func.sum(case((entries.c.result == "won", 1), else_=0))
        columns = (entries.c.slot, entries.c.deal, entries.c.rules)
        chosen = select(entries.c.day, *columns, func.count(), won, func.max(entries.c.score)).where(
            entries.c.day.in_(days), _COUNTED, ~entries.c.player.startswith(ids.BOT_PREFIX)
        )
        found = dict[str, list[_Field]]()
        for day, *field in await self._database.fetch(
            chosen.group_by(entries.c.day, *columns).order_by(entries.c.slot)
        ):
            found.setdefault(day, []).append(_Field(*field))
        return found
