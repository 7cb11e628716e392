"""The endpoints of the seasons of the server."""

from cadogan.wire import seasons as wire
from cadogan.wire.endpoint import API, Endpoint

SEASON = f"{API}/seasons/{{id}}"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/seasons",
        "list_seasons",
        "List the seasons, and show what is set for those to come",
        response=wire.SeasonList,
    ),
    Endpoint(
        "GET",
        SEASON,
        "show_season",
        "Show the divisions of a season, one's own first",
        response=wire.Season,
        refusals=("not_found",),
    ),
    Endpoint(
        "DELETE",
        f"{SEASON}/members/me",
        "leave_season",
        "Leave a season",
        response=wire.Season,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "GET",
        f"{API}/groups/{{id}}/seasons",
        "list_group_seasons",
        "List the seasons of a group, and show what is set for those to come, as a member",
        response=wire.SeasonList,
        refusals=("not_found",),
        role="player",
    ),
    Endpoint(
        "PUT",
        f"{API}/groups/{{id}}/seasons",
        "change_group_seasons",
        "Switch the seasons of a group on or off, and say how those to come are scored; only its owner may",
        request=wire.SeasonSettings,
        response=wire.SeasonList,
        refusals=("not_found", "forbidden"),
        role="player",
    ),
    Endpoint(
        "PUT",
        f"{API}/house/seasons",
        "change_seasons",
        "Switch the seasons on or off, and say how those to come are scored",
        request=wire.SeasonSettings,
        response=wire.SeasonList,
        role="host",
    ),
)
