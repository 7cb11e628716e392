"""The HTTP bodies about leaderboards, friends, groups and bots, and the messages of the socket about leaderboards."""

from typing import Annotated

from msgspec import Meta, field

from cadogan.wire.message import Message
from cadogan.wire.values import (
    BoardEntry,
    BoardName,
    CommandId,
    Count,
    GroupId,
    Player,
    PlayerId,
    PlayerName,
    StruckRun,
    Value,
)

GroupName = Annotated[
    str,
    Meta(min_length=2, max_length=40, description="Visible characters, with at least one letter or digit."),
]
GroupToken = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]+\Z",
        description="Everybody who has it may join the group: send it in a link.",
    ),
]


class Board(Value, frozen=True, kw_only=True):
    """Some entries of a leaderboard, the best first, after the first `offset` entries. `total` counts all entries.

    `you` is the requesting player's own entry. Among friends or in a group, ranks and `total` count only its players.
    `struck` are the runs that hosts have removed from the board of a deal or a day, the latest first, a hundred at
    most.
    """

    board: BoardName
    total: Count
    offset: Count
    entries: list[BoardEntry]
    you: BoardEntry | None = None
    struck: list[StruckRun] = field(default_factory=list)


class Friends(Value, frozen=True, kw_only=True):
    """The players whom the requesting player follows, sorted by name."""

    friends: list[Player]


class NewGroup(Value, frozen=True, kw_only=True):
    """Create a group with the requesting player as its first member."""

    name: GroupName


class JoinGroup(Value, frozen=True, kw_only=True):
    """Join the group with this token."""

    token: GroupToken


class GroupLink(Value, frozen=True, kw_only=True):
    """The group behind a link, as everybody who has the link may see it."""

    name: GroupName


class Group(Value, frozen=True, kw_only=True):
    """A group of the requesting player. Every leaderboard can be limited to a group.

    `owner` is the member who joined first, `talk` whether the members may write to each other.
    """

    id: GroupId
    name: GroupName
    token: GroupToken
    members: list[Player]
    owner: PlayerId | None = None
    talk: bool = False


class Groups(Value, frozen=True, kw_only=True):
    """The groups of the requesting player, sorted by name."""

    groups: list[Group]


class NewBot(Value, frozen=True, kw_only=True):
    """Create an account for a program."""

    name: PlayerName


class Bots(Value, frozen=True, kw_only=True):
    """The bots of the requesting player, sorted by name."""

    bots: list[Player]


class WatchBoard(Message, frozen=True, kw_only=True):
    """Watch the changes of a leaderboard."""

    id: CommandId
    board: BoardName


class UnwatchBoard(Message, frozen=True, kw_only=True):
    """Stop watching a leaderboard."""

    id: CommandId
    board: BoardName


class BoardChanged(Message, frozen=True, kw_only=True):
    """Runs have finished: the entries that they changed, the best first; sent at most once a second.

    If there are many, only the best are sent. If `entries` is empty, any entry may have changed.
    """

    board: BoardName
    total: Count
    entries: list[BoardEntry]
