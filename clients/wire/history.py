"""The HTTP bodies of the history that hosts and moderators look through: events of the log, as far as they may see."""

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
    """What each kind of viewer may see of a game now.

    `player` plays it, `spectator` is somebody with an account whose own run of the deal is over, `host` is who asks,
    `public` is anybody.
    """

    player: Sight
    spectator: Sight
    host: Sight
    public: Sight


class HistoryEvent(Value, frozen=True, kw_only=True):
    """An event of the log. What the asker may not see is left out, whatever the asker's role.

    Of a move in a game of which the asker sees only the meter, `type` is `advanced`.
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
