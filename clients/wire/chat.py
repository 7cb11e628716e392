"""Talk: the HTTP bodies and the socket messages about messages between the members of a group."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.message import Message
from cadogan.wire.values import CommandId, GroupId, Moment, Player, Value

MAX_TEXT_LENGTH = 500

TalkId = Annotated[str, Meta(min_length=1, max_length=64, description="The id of what somebody wrote in a group.")]
TalkText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_TEXT_LENGTH,
        description="One line of visible characters; line breaks count as spaces.",
    ),
]


class SwitchTalk(Value, frozen=True, kw_only=True):
    """Enable or disable the talk of a group. Disabling it deletes all its messages."""

    on: bool


class NewTalk(Value, frozen=True, kw_only=True):
    """Write a message to the members of a group."""

    text: TalkText


class TalkMessage(Value, frozen=True, kw_only=True):
    """A message of a group's member. A `removed` message has no text."""

    id: TalkId
    by: Player
    at: Moment
    text: str = ""
    removed: bool = False


class GroupTalk(Value, frozen=True, kw_only=True):
    """Messages of a group, the earliest first; `more` is whether there are earlier ones.

    `on` is whether the owner has enabled the group's talk.
    """

    group: GroupId
    on: bool
    messages: list[TalkMessage]
    more: bool = False


class WatchTalk(Message, frozen=True, kw_only=True):
    """Watch the messages of a group as one of its members. The answer has the latest messages."""

    id: CommandId
    group: GroupId


class UnwatchTalk(Message, frozen=True, kw_only=True):
    """Stop watching the messages of a group."""

    id: CommandId
    group: GroupId


class Talk(Message, frozen=True, kw_only=True):
    """Messages of a group: in the answer the latest ones, later the new and the removed ones.

    A message with a known id replaces the earlier one. If `on` is false, everything was deleted.
    """

    group: GroupId
    on: bool
    messages: list[TalkMessage]
    id: CommandId | None = None
