"""The endpoints of the history browser of hosts and moderators."""

from cadogan.wire import history
from cadogan.wire.endpoint import API, Endpoint, Query, TextQuery

_FILTER = (
    TextQuery(
        "about",
        "(game|race|player)/[A-Za-z0-9_-]{1,64}|day/[0-9]{4}-[0-9]{2}-[0-9]{2}|hash/[0-9a-f]{64}",
        "day/2026-11-20",
        "What the events are about: `game/<id>`, `day/<day>`, `race/<id>`, `player/<id>`, or one event, `hash/<hex>`.",
    ),
    TextQuery("type", "[a-z_]{1,40}", "game_finished", "Only events of this type."),
    TextQuery("since", "[0-9]{1,15}", "1795168800000", "Only events from this moment on, in milliseconds since 1970."),
    TextQuery("until", "[0-9]{1,15}", "1795255200000", "Only events before this moment, in milliseconds since 1970."),
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/house/events",
        "browse_events",
        "Look through the events of the log, as far as one may see them",
        response=history.HistoryPage,
        refusals=("not_found", "archived"),
        queries=(
            *_FILTER,
            TextQuery("after", "[0-9a-z./-]{1,100}", "50", "The cursor of the page before."),
            Query("limit", 50, 200, "How many events to show."),
        ),
        role="moderator",
    ),
    Endpoint(
        "GET",
        f"{API}/house/events/download",
        "download_events",
        "Download events of the log as lines of JSON, as far as one may see them",
        refusals=("not_found", "archived", "too_many"),
        queries=_FILTER,
        lines=history.HistoryEvent,
        role="moderator",
    ),
)
