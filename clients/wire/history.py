"""The HTTP bodies of the history browser of hosts and moderators: the events of the log that they may see."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from cadogan.wire.values import Digest, Moment, Sight, Value

ViewerKind = Literal["player", "spectator", "host", "public"]
EventType = Annotated[str, Meta(pattern=r"^[a-z_]{1,40}\Z", description="What happened, as docs/record.md names it.")]
Shown = Annotated[
    dict[str, Any],
    Meta(description="The message as viewers of this sight got it, or the view of the deal."),
]


class KindSights(Value, frozen=True, kw_only=True):
    """The sight of each kind of viewer on a game now.

    `player` plays it, `spectator` has an account and a finished run of the deal, `host` is the requesting user,
    `public` is everybody.
    """

    player: Sight
    spectator: Sight
    host: Sight
    public: Sight


class HistoryEvent(Value, frozen=True, kw_only=True):
    """An event of the log. Fields that the requesting user may not see are left out, in every role.

    If the user may see only the meter of the game, the `type` of a move is `advanced`.
    """

    stream: Annotated[str, Meta(max_length=100, description="What the event is about, as game/<id> or daily/<day>.")]
    version: Annotated[int, Meta(ge=1)]
    type: EventType
    at: Moment
    hash: Annotated[Digest, Meta(description="Its hash, once everybody may have the record.")] | None = None
    data: Annotated[dict[str, Any], Meta(description="What is in the log, once everybody may have it.")] | None = None
    board: Shown | None = None
    meter: Shown | None = None


class HistoryPage(Value, frozen=True, kw_only=True):
    """A page of events.

    `next` is the cursor of the next page, if there is one; a page without events may have a next one.
    """

    events: list[HistoryEvent]
    sights: KindSights | None = None
    next: Annotated[str, Meta(max_length=100)] | None = None
