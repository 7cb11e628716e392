"""The HTTP endpoints: one table, from which the OpenAPI document is made and to which the server's routes are held."""

from dataclasses import dataclass

from msgspec import Struct

from clients.wire import boards, bodies, races
from clients.wire.messages import Race, View
from clients.wire.values import RefusalCode

API = "/api/v1"


@dataclass(frozen=True)
class Query:
    """A whole number in an address's query, with its default and bounds."""

    name: str
    default: int
    largest: int
    meaning: str


@dataclass(frozen=True)
class TextQuery:
    """A text in an address's query, which may be left out: what it must look like, and an example."""

    name: str
    pattern: str
    example: str
    meaning: str


@dataclass(frozen=True)
class Endpoint:
    """One method of one path.

    `refusals` are the codes that are its own; `EVERYWHERE` may be met at any. What it answers with 200 is a
    `response`, or where that is no body of the contract a `document`.
    """

    method: str
    path: str
    name: str
    """Its handler's name, and the operation's in the document."""
    summary: str
    request: type[Struct] | None = None
    response: type[Struct] | None = None
    refusals: tuple[RefusalCode, ...] = ()
    queries: tuple[Query | TextQuery, ...] = ()
    signed_in: bool = False
    document: str | None = None

    @property
    def parameters(self) -> list[str]:
        """The names in the path: ``["id"]`` for ``/games/{id}``."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


EVERYWHERE: tuple[RefusalCode, ...] = ("bad_message", "unauthorized", "rate_limited", "internal")
"""Refusals that may be met at every endpoint: an unreadable request, a foreign page's, one too many, our own fault."""

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        f"{API}/session/guest",
        "begin_as_guest",
        "Play at once, as a guest",
        response=bodies.SignedIn,
    ),
    Endpoint(
        "POST",
        f"{API}/session",
        "sign_in",
        "Sign in",
        request=bodies.Credentials,
        response=bodies.SignedIn,
        refusals=("bad_credentials",),
    ),
    Endpoint("GET", f"{API}/session", "who_am_i", "Who one is", response=bodies.Session),
    Endpoint("DELETE", f"{API}/session", "sign_out", "Sign out", response=bodies.Session),
    Endpoint(
        "POST",
        f"{API}/account",
        "claim_name",
        "Claim a name and set a password, as the guest one is",
        request=bodies.Credentials,
        response=bodies.Claimed,
        refusals=("name_taken", "conflict"),
        signed_in=True,
    ),
    Endpoint("GET", f"{API}/rules", "list_rules", "Every set of rules", response=bodies.RulesList),
    Endpoint(
        "GET",
        f"{API}/rules/{{slug}}",
        "show_rules",
        "One set of rules, with its layout",
        response=bodies.RulesPage,
        refusals=("not_found",),
    ),
    Endpoint(
        "POST",
        f"{API}/deals",
        "seal_deal",
        "Ask for a sealed deal and its commitment",
        request=bodies.NewDeal,
        response=bodies.SealedDeal,
        refusals=("not_found",),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/games",
        "begin_game",
        "Begin a game with a sealed deal and one's own nonce",
        request=bodies.NewGame,
        response=bodies.Game,
        refusals=("not_found", "conflict"),
        signed_in=True,
    ),
    Endpoint("GET", f"{API}/games/live", "list_live_games", "The games being played", response=bodies.LiveGames),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}",
        "show_game",
        "A game as one may see it now",
        response=View,
        refusals=("not_found",),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/replay",
        "replay_game",
        "A game move by move",
        response=bodies.Replay,
        refusals=("not_found", "spoiler_embargo"),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/record",
        "download_record",
        "The record that proves a finished game, as a file",
        response=bodies.Record,
        refusals=("not_found", "spoiler_embargo", "conflict"),
    ),
    Endpoint(
        "GET",
        f"{API}/dailies",
        "list_dailies",
        "A month of days, latest first: from the last announced one, or before a day",
        response=bodies.Dailies,
        queries=(
            TextQuery("before", "[0-9]{4}-[0-9]{2}-[0-9]{2}", "2026-11-01", "Only days before this one."),
            Query("limit", 31, 31, "How many days to show."),
        ),
    ),
    Endpoint(
        "GET",
        f"{API}/dailies/{{day}}",
        "show_daily",
        "One day's card of deals; `today` is a day too",
        response=bodies.Daily,
        refusals=("not_found",),
    ),
    Endpoint(
        "POST",
        f"{API}/dailies/{{day}}/deals/{{slot}}/games",
        "enter_daily",
        "One's ranked attempt at a deal of the day, begun or found; or another run, for practice",
        request=bodies.EnterDaily,
        response=bodies.Game,
        refusals=("not_found", "day_not_open", "already_played", "spoiler_embargo"),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/dailies/{{day}}/deals/{{slot}}/spoil",
        "spoil_deal",
        "Ask to be shown a deal in the games of others; one's own run of it counts no more",
        response=bodies.Spoiled,
        refusals=("not_found", "day_not_open", "spoiler_embargo"),
        signed_in=True,
    ),
    Endpoint(
        "GET",
        f"{API}/dailies/{{day}}/share",
        "share_day",
        "One's results of the day, as text to send to others",
        response=bodies.Share,
        refusals=("not_found",),
        signed_in=True,
    ),
    Endpoint(
        "GET",
        f"{API}/players/{{id}}",
        "show_player",
        "Who somebody is here, and how they have fared",
        response=bodies.Profile,
        refusals=("not_found",),
    ),
    Endpoint(
        "GET",
        f"{API}/boards/{{board}}",
        "show_board",
        "A stretch of a board: a deal's, a day's, a week's, a month's, all time's or a game's",
        response=boards.Board,
        refusals=("not_found",),
        queries=(
            Query("offset", 0, 100_000_000, "How many places to pass over."),
            Query("limit", 50, 200, "How many places to show."),
            TextQuery("around", "[a-z0-9-]{1,64}", "me", "Around this player, if on the board: an id, or `me`."),
            TextQuery("among", "friends|group:[a-z2-7]{16}", "friends", "Only one's friends and oneself, or a group."),
            Query("bots", 0, 1, "1 for the bots' board."),
        ),
    ),
    Endpoint("GET", f"{API}/friends", "list_friends", "Whom one follows", response=boards.Friends, signed_in=True),
    Endpoint(
        "PUT",
        f"{API}/friends/{{name}}",
        "follow_player",
        "Follow a player, by name",
        response=boards.Friends,
        refusals=("not_found", "too_many"),
        signed_in=True,
    ),
    Endpoint(
        "DELETE",
        f"{API}/friends/{{name}}",
        "unfollow_player",
        "Follow a player no longer",
        response=boards.Friends,
        signed_in=True,
    ),
    Endpoint("GET", f"{API}/groups", "list_groups", "One's groups", response=boards.Groups, signed_in=True),
    Endpoint(
        "POST",
        f"{API}/groups",
        "make_group",
        "Make a group",
        request=boards.NewGroup,
        response=boards.Group,
        refusals=("too_many",),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/groups/join",
        "join_group",
        "Join a group, by the token in its link",
        request=boards.JoinGroup,
        response=boards.Group,
        refusals=("not_found", "too_many"),
        signed_in=True,
    ),
    Endpoint(
        "DELETE",
        f"{API}/groups/{{id}}/members/me",
        "leave_group",
        "Leave a group",
        response=boards.Groups,
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/bots",
        "make_bot",
        "Make an account for a program, which plays with this token",
        request=boards.NewBot,
        response=bodies.SignedIn,
        refusals=("name_taken", "conflict", "too_many"),
        signed_in=True,
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/pace",
        "show_pace",
        "How a finished run went, to race it",
        response=races.Pace,
        refusals=("not_found", "spoiler_embargo", "conflict"),
    ),
    Endpoint(
        "POST",
        f"{API}/races",
        "open_race",
        "Open a race and take the first place in it",
        request=races.NewRace,
        response=Race,
        refusals=("not_found",),
        signed_in=True,
    ),
    Endpoint("GET", f"{API}/races", "list_races", "The open races", response=races.Races),
    Endpoint("GET", f"{API}/races/{{id}}", "show_race", "A race", response=Race, refusals=("not_found",)),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/join",
        "join_race",
        "Take a place in a race; for those in it, find it",
        request=races.JoinRace,
        response=Race,
        refusals=("not_found", "conflict"),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/leave",
        "leave_race",
        "Give one's place up, before the start",
        response=Race,
        refusals=("not_found", "conflict"),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/start",
        "start_race",
        "Start the race, as its host",
        response=Race,
        refusals=("not_found", "conflict"),
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/races/{{id}}/rematch",
        "open_rematch",
        "The next race of the same people: opened, or joined",
        request=races.Rematch,
        response=Race,
        refusals=("not_found", "conflict"),
        signed_in=True,
    ),
    Endpoint("GET", f"{API}/openapi.json", "openapi", "This document", document="An OpenAPI 3.1 document."),
    Endpoint("GET", f"{API}/asyncapi.json", "asyncapi", "The socket's document", document="An AsyncAPI 3.0 document."),
)
