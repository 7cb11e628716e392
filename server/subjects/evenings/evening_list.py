"""The list of evenings, from the rows that follow from the log; and finding one by its short code."""

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select

from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database, Parameters
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import contests, members
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.subjects.evenings.evening_events import KEY

CODE_LENGTH = 6
CODE_PATTERN = "[A-Za-z2-7]{6}"
LETTERS_FOR_DIGITS = str.maketrans("018", "OIB")
"""The digits that no code contains, and the letters that they are mistaken for."""
_MATCH_ENTRIES = ("match", "anyone")
_IS_MATCH = contests.c.entry.in_(_MATCH_ENTRIES)
MAX_LISTED = 50
MAX_PAST = 20
MAX_BY_LINK = 200
"""The maximum number of evenings due at once among which those that a player is in are looked for."""
SOON = 15 * 60_000
"""Milliseconds before its start at which an evening is due."""


def code_of(id: str) -> str:
    """Return the short code of an evening: the beginning of its id, or of that of its series, in capital letters.

    >>> code_of("k3v7q2m5x4c6z2ab")
    'K3V7Q2'
    """
    return id[:CODE_LENGTH].upper()


class Due(NamedTuple):
    """The matches and the evenings for the first page of a player.

    They are on or begin within a quarter of an hour, or are challenges that wait for this player by name. Evenings are
    those for everybody and for the player's groups; `by_link` are those of others that have to be entered by a link or
    code: only who is in one, or leads it, may be shown it.
    """

    matches: Sequence[ContestRow]
    evenings: Sequence[ContestRow]
    by_link: Sequence[ContestRow] = ()


class EveningList:
    """The evenings in a database."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now
        self._due = Batcher(self._find_due)

    async def read(self, groups: Collection[str], player: str | None) -> list[ContestRow]:
        """Return the evenings for everybody, of these groups, and those that this player leads.

        Those that are on or to come are first, by their start; then the latest of the others.
        """
        seen = [contests.c.entry == "all", contests.c.group.in_(groups)]
        leads = (contests.c.leader == (player or "")) & ~_IS_MATCH
        return await self._both(or_(*seen, leads))

    async def _both(self, chosen: ColumnElement[bool]) -> list[ContestRow]:
        mine = (contests.c.competition == KEY) & chosen
        is_coming = contests.c.state.in_(("coming", "on"))
        coming = select(contests).where(mine, is_coming).order_by(contests.c.starts_at, contests.c.id)
        past = select(contests).where(mine, ~is_coming).order_by(contests.c.ends_at.desc(), contests.c.id)
        return [*await self._rows(coming.limit(MAX_LISTED)), *await self._rows(past.limit(MAX_PAST))]

    async def of_house(self) -> list[ContestRow]:
        """Return the evenings for everybody: those that are on or to come, then the latest of the others."""
        return await self._both(contests.c.entry == "all")

    async def of_group(self, group: str) -> list[ContestRow]:
        """Return the evenings of a group, in the same order."""
        return await self._both(contests.c.group == group)

    async def beginning(self, since: int, until: int) -> list[ContestRow]:
        """Return the evenings that are to begin between two moments, in milliseconds since 1970."""
        soon = (contests.c.competition == KEY) & (contests.c.state == "coming")
        return await self._rows(select(contests).where(soon, contests.c.starts_at.between(since, until)))

    async def begun_for_everybody(self, since: int, until: int) -> list[ContestRow]:
        """Return the evenings for everybody that were to begin between two moments, in milliseconds since 1970."""
        mine = (contests.c.competition == KEY) & (contests.c.entry == "all") & contests.c.group.is_(None)
        return await self._rows(select(contests).where(mine, contests.c.starts_at.between(since, until)))

    async def challenges(self, now: int) -> list[ContestRow]:
        """Return the matches whose opponent was named and has not accepted yet."""
        open_ones = (contests.c.state == "waiting") & contests.c.opponent.is_not(None) & (contests.c.starts_at > now)
        return await self._rows(select(contests).where(contests.c.competition == KEY, open_ones))

    async def find(self, code: str, own: str | None = None) -> str | None:
        """Return the id of the evening with this code; None if there is none.

        It is the one with the id `own` if that has this code, or else the first one that is running or announced. So
        the code of a series leads to its next evening. Digits that no code has stand for the letters that look like
        them.
        """
        code = code.translate(LETTERS_FOR_DIGITS)
        if re.fullmatch(CODE_PATTERN, code) is None:
            return None
        begins = code.lower()
        fitting = [(one >= begins) & (one < begins + "\x7f") for one in (contests.c.id, contests.c.series)]
        chosen = select(contests).where(contests.c.competition == KEY, or_(*fitting))
        rows = await self._rows(chosen.order_by(contests.c.starts_at.desc()))
        goes_on = [row for row in reversed(rows) if row.state in ("coming", "on")]
        same = [row for row in rows if row.id == own]
        return next((row.id for row in (*same, *goes_on, *rows)), None)

    async def latest_of(self, series: str) -> str | None:
        """Return the id of the evening of a series that was announced last."""
        chosen = select(contests).where(contests.c.competition == KEY, contests.c.series == series)
        rows = await self._rows(chosen.order_by(contests.c.starts_at.desc()).limit(1))
        return rows[0].id if rows else None

    async def last_of_series(self, since: int) -> list[str]:
        """Return the ids of the evenings that have begun, none of whose series was announced after them.

        Those that ended before a moment, in milliseconds since 1970, are left out.
        """
        later = contests.alias()
        follows = (later.c.series == contests.c.series) & (later.c.starts_at > contests.c.starts_at)
        mine = (contests.c.competition == KEY) & (contests.c.ends_at > since) & contests.c.series.is_not(None)
        begun = mine & contests.c.state.in_(("on", "over", "void"))
        chosen = select(contests).where(begun, ~select(later.c.id).where(follows).exists())
        return [row.id for row in await self._rows(chosen.order_by(contests.c.id))]

    async def count_waiting(self, leader: str, but: str) -> int:
        """Return how many evenings of a leader have not ended, but for the one with this id."""
        waiting = (contests.c.leader == leader) & contests.c.state.in_(("coming", "on")) & ~_IS_MATCH
        waiting &= contests.c.id != but
        chosen = select(func.count()).select_from(contests).where(contests.c.competition == KEY, waiting)
        return await self._database.fetch_value(chosen) or 0

    async def matches_of(self, player: str) -> list[ContestRow]:
        """Return the matches of a player, as challenger or opponent: those that are not over, then the latest."""
        mine = or_(contests.c.leader == player, contests.c.opponent == player)
        goes_on = contests.c.state.in_(("waiting", "coming", "on"))
        chosen = select(contests).where(contests.c.competition == KEY, _IS_MATCH, mine)
        current = chosen.where(goes_on).order_by(contests.c.starts_at, contests.c.id)
        past = chosen.where(contests.c.state == "over").order_by(contests.c.ends_at.desc(), contests.c.id)
        return [*await self._rows(current.limit(MAX_LISTED)), *await self._rows(past.limit(MAX_PAST))]

    async def due(self, player: str | None) -> Due:
        """Return what the first page of a player shows; what many players ask for at once is read together."""
        return await self._due.get(player or "") or Due((), ())

    async def _find_due(self, players: Collection[str]) -> dict[str, Due]:
        now, asked = self._now(), {"players": players}
        named = or_(among(contests.c.opponent, "players"), among(contests.c.leader, "players"))
        waiting = (contests.c.state == "waiting") & (contests.c.starts_at > now)
        soon = (contests.c.state == "coming") & (contests.c.starts_at <= now + SOON)
        is_due = (contests.c.ends_at > now) & (soon | (contests.c.state == "on"))  # the index finds the first part
        shown = or_(contests.c.entry.in_(("all", "link")), contests.c.group.is_not(None), named)
        of_some = or_(waiting & among(contests.c.opponent, "players"), is_due & shown)
        chosen = select(contests).where(contests.c.competition == KEY, of_some)
        rows = await self._rows(chosen.order_by(contests.c.starts_at, contests.c.id), asked)
        inside = select(members.c.player, members.c.group).where(among(members.c.player, "players"))
        is_member = set[tuple[str, str | None]]()
        if any(row.group is not None for row in rows):
            is_member = {(row.player, row.group) for row in await self._database.fetch(inside, asked)}
        return {
            player: Due(
                [one for one in rows if one.entry in _MATCH_ENTRIES and _is_match_of(one, player)][:MAX_LISTED],
                [one for one in rows if one.entry == "all" or (player, one.group) in is_member][:MAX_LISTED],
                [one for one in rows if one.entry == "link" and (player, one.group) not in is_member][:MAX_BY_LINK],
            )
            for player in players
        }

    async def current_matches(self, leader: str, but: str) -> list[ContestRow]:
        """Return all matches that a player has made and that are not over, but for the one with this id."""
        mine = (contests.c.leader == leader) & (contests.c.id != but)
        goes_on = contests.c.state.in_(("waiting", "coming", "on"))
        return await self._rows(select(contests).where(contests.c.competition == KEY, _IS_MATCH, mine, goes_on))

    async def waiting_matches(self, player: str) -> list[ContestRow]:
        """Return the matches of others that wait for anybody, those that wait for the longest time first."""
        waiting = (contests.c.entry == "anyone") & (contests.c.state == "waiting") & (contests.c.leader != player)
        chosen = select(contests).where(contests.c.competition == KEY, waiting)
        return await self._rows(chosen.order_by(contests.c.starts_at, contests.c.id).limit(MAX_PAST))

    async def count_unanswered(self, challenger: str, opponent: str, most: int, but: str) -> int:
        """Return how many of the latest matches of these two, `most` at most, one challenged the other to in vain.

        The match with the id `but` is not among them.
        """
        two = or_(
            (contests.c.leader == challenger) & (contests.c.opponent == opponent),
            (contests.c.leader == opponent) & (contests.c.opponent == challenger),
        )
        earlier = (contests.c.entry == "match") & (contests.c.id != but)
        chosen = select(contests).where(contests.c.competition == KEY, earlier, two)
        rows = await self._rows(chosen.order_by(contests.c.starts_at.desc(), contests.c.id).limit(most))
        return sum(row.leader == challenger and row.state == "void" for row in rows)

    async def _rows(self, chosen: Any, parameters: Parameters = None) -> list[ContestRow]:
        return [ContestRow(**row._mapping) for row in await self._database.fetch(chosen, parameters)]


def _is_match_of(row: ContestRow, player: str) -> bool:
    return row.opponent == player or (row.leader == player and row.state != "waiting")
