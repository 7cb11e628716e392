"""What goes over HTTP about boards, and about those whom one compares oneself with: friends, groups and bots."""

from typing import Annotated

from msgspec import Meta

from clients.wire.values import BoardEntry, BoardName, Count, GroupId, Player, PlayerName, Value

GroupName = Annotated[
    str,
    Meta(min_length=2, max_length=40, description="Characters that can be seen, a letter or digit among them."),
]
GroupToken = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]+(?!\n)$",
        description="Whoever has it may join: send it in a link.",
    ),
]


class Board(Value, frozen=True, kw_only=True):
    """A stretch of a board, best first, after `offset` other places; `total` are all, `you` is one's own place.

    Among friends or a group, ranks and `total` are those among them.
    """

    board: BoardName
    total: Count
    offset: Count
    entries: list[BoardEntry]
    you: BoardEntry | None = None


class Friends(Value, frozen=True, kw_only=True):
    """The players one follows, by their names."""

    friends: list[Player]


class NewGroup(Value, frozen=True, kw_only=True):
    """Make a group, and be its first member."""

    name: GroupName


class JoinGroup(Value, frozen=True, kw_only=True):
    """Join the group whose token this is."""

    token: GroupToken


class Group(Value, frozen=True, kw_only=True):
    """A group one is in: it has every board for itself."""

    id: GroupId
    name: GroupName
    token: GroupToken
    members: list[Player]


class Groups(Value, frozen=True, kw_only=True):
    """The groups one is in, by their names."""

    groups: list[Group]


class NewBot(Value, frozen=True, kw_only=True):
    """Make an account for a program to play under."""

    name: PlayerName


class Bots(Value, frozen=True, kw_only=True):
    """One's bots, by their names."""

    bots: list[Player]
