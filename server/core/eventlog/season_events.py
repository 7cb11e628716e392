"""The events of the streams `season/<id>`, and the state of a season folded from them. Pure.

`docs/seasons.md` has a table of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cadogan.server.core import dates
from cadogan.server.core.scoring.forms import Member, Season, SeasonSettings, Session

CLOSE_AFTER_MILLISECONDS = dates.MILLISECONDS_PER_DAY
"""Milliseconds after the last week at which a season closes, unless an evening of it is not final yet."""


class SeasonOpened(Struct, frozen=True):
    """A season has begun: its ISO weeks, how it is scored, and who begins in which division, the highest first."""

    weeks: tuple[str, ...]
    settings: SeasonSettings
    divisions: tuple[tuple[Member, ...], ...]


class MemberJoined(Struct, frozen=True, omit_defaults=True):
    """Somebody has had a first session in the season, and is in the last division. `rating` is in whole points.

    `first_week` is set in the season of a group if they joined the group during the season: no earlier week counts.
    """

    player: str
    rating: int
    first_week: str | None = None


class MemberLeft(Struct, frozen=True):
    """A member has left the season: they neither rise nor fall, and are in no division of the next one."""

    player: str


class SeasonClosed(Struct, frozen=True):
    """The table of a season is final: its digest, and the divisions of the next one.

    `struck` are the ids of the runs that were struck by then, sorted: the table is without them.
    """

    version: str
    digest: str
    next: tuple[tuple[str, ...], ...]
    struck: tuple[str, ...] = ()


class SeasonState(NamedTuple):
    """A season at a version of its stream. Times are milliseconds since 1970."""

    id: str
    version: int
    opened: SeasonOpened
    joined: tuple[Member, ...] = ()
    first_weeks: Mapping[str, str] = {}
    """The first week that counts, by player, for those of whom not all weeks count."""
    left: tuple[str, ...] = ()
    closed: SeasonClosed | None = None
    closed_at: int | None = None

    @property
    def divisions(self) -> list[list[Member]]:
        """The members by division, the highest first. Who has joined is in the last one."""
        divisions = [[*members] for members in self.opened.divisions] or [[]]
        divisions[-1] += self.joined
        return [members for members in divisions if members]

    @property
    def members(self) -> dict[str, Member]:
        """The members by player."""
        return {member.player: member for members in self.divisions for member in members}

    def form(self, sessions: Sequence[Session]) -> Season:
        """Return the scoring input of the season: the sessions of its members, in the weeks that count for them."""
        members, first_weeks = self.members, self.first_weeks
        own = [
            replace(
                session,
                shares={
                    player: share
                    for player, share in session.shares.items()
                    if player in members and session.week >= first_weeks.get(player, "")
                },
            )
            for session in sessions
        ]
        return Season(
            format="cadogan season 1",
            season=self.id,
            weeks=[*self.opened.weeks],
            settings=self.opened.settings,
            divisions=self.divisions,
            sessions=own,
            left=[*self.left],
        )


def fold_season(id: str, events: Iterable[tuple[object, int]], before: SeasonState | None = None) -> SeasonState | None:
    """Return a season after these events, each with its time, and after `before`; None if it has not begun."""
    state = before
    for version, (event, at) in enumerate(events, before.version + 1 if before else 1):
        match event, state:
            case SeasonOpened(), None:
                state = SeasonState(id, 1, event)
            case MemberJoined(player, rating, first_week), SeasonState():
                known = state.first_weeks if first_week is None else {**state.first_weeks, player: first_week}
                state = state._replace(joined=(*state.joined, Member(player, rating)), first_weeks=known)
            case MemberLeft(player), SeasonState():
                state = state._replace(left=(*state.left, player))
            case SeasonClosed(), SeasonState():
                state = state._replace(closed=event, closed_at=at)
        state = state and state._replace(version=version)
    return state


def closes_at(week: str) -> int:
    """Return when a season closes that ends with this week, in milliseconds since 1970."""
    return dates.week_begins(week) + dates.MILLISECONDS_PER_WEEK + CLOSE_AFTER_MILLISECONDS
