"""Talk: the HTTP bodies and the messages of the socket about what the members of a group write to each other."""

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
    """Switch the talk of a group on, or off. Switching it off deletes everything that was written."""

    on: bool


class NewTalk(Value, frozen=True, kw_only=True):
    """Write something to the members of a group."""

    text: TalkText


class TalkMessage(Value, frozen=True, kw_only=True):
    """What a member of a group wrote. Of what is `removed` there is no text any more."""

    id: TalkId
    by: Player
    at: Moment
    text: str = ""
    removed: bool = False


class GroupTalk(Value, frozen=True, kw_only=True):
    """What the members of a group wrote, the earliest first; `more` whether there is anything before it.

    `on` is whether the owner of the group lets its members write.
    """

    group: GroupId
    on: bool
    messages: list[TalkMessage]
    more: bool = False


class WatchTalk(Message, frozen=True, kw_only=True):
    """Watch what the members of a group write; only they may. The answer has the latest of it."""

    id: CommandId
    group: GroupId


class UnwatchTalk(Message, frozen=True, kw_only=True):
    """Stop watching what the members of a group write."""

    id: CommandId
    group: GroupId


class Talk(Message, frozen=True, kw_only=True):
    """What the members of a group wrote: in the answer the latest of it, later what is new or was removed.

    A message that is known already replaces the one with its id. If `on` is false, everything was deleted.
    """

    group: GroupId
    on: bool
    messages: list[TalkMessage]
    id: CommandId | None = None
