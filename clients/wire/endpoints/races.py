"""The endpoints of races, and of the pace of a finished run to race against."""

from cadogan.wire import races
from cadogan.wire.endpoint import API, Endpoint
from cadogan.wire.messages import Race

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/pace",
        "show_pace",
        "Show how a finished run progressed, to race against it",
        response=races.Pace,
        has_etag=True,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict", "too_many"),
    ),
    Endpoint(
        "POST",
        f"{API}/races",
        "open_race",
        "Open a race and join it as its host",
        request=races.NewRace,
        response=Race,
        refusals=("not_found",),
        scope="play",
        role="player",
    ),
    Endpoint("GET", f"{API}/races", "list_races", "List the open races", response=races.Races),
    Endpoint("GET", f"{API}/races/{{id}}", "show_race", "Show a race", response=Race, refusals=("not_found",)),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/join",
        "join_race",
        "Join a race; for its racers, show it",
        request=races.JoinRace,
        response=Race,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/leave",
        "leave_race",
        "Leave a race before the start",
        response=Race,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/start",
        "start_race",
        "Start the race, as its host",
        response=Race,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/rematch",
        "open_rematch",
        "Open the next race of the same players, or join it if it is open",
        request=races.Rematch,
        response=Race,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
)
