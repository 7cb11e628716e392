"""The endpoints of rules, deals, games and daily challenges."""

from typing import get_args

from clients.wire import bodies, home, results, shelf
from clients.wire.endpoint import API, DAY_PATTERN, Endpoint, Query, TextQuery
from clients.wire.messages import GameMessage, View

LANGUAGE = TextQuery(
    "language", "[a-z]{2}", "de", "The language of names, summaries and pages. What is not translated is in English."
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/home",
        "show_home",
        "Show what the first page shows: today, the coming days, what is being played, and every set of rules",
        response=home.Home,
        queries=(LANGUAGE,),
    ),
    Endpoint(
        "GET",
        f"{API}/shelf",
        "show_shelf",
        "Show every game with a picture of its table, how long and how hard it is, and how often it is won here",
        response=shelf.Shelf,
        queries=(LANGUAGE,),
    ),
    Endpoint(
        "GET",
        f"{API}/rules",
        "list_rules",
        "List every set of rules",
        response=bodies.RulesList,
        queries=(LANGUAGE,),
    ),
    Endpoint(
        "GET",
        f"{API}/rules/{{slug}}",
        "show_rules",
        "Show one set of rules, with its layout",
        response=bodies.RulesPage,
        queries=(LANGUAGE,),
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
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{API}/games",
        "begin_game",
        "Begin a game with a sealed deal and the player's nonce",
        request=bodies.NewGame,
        response=bodies.Game,
        refusals=("not_found", "conflict"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "GET",
        f"{API}/games/unfinished",
        "list_unfinished_games",
        "List one's own games that can be continued",
        response=bodies.UnfinishedGames,
        role="player",
    ),
    Endpoint(
        "GET", f"{API}/games/live", "list_live_games", "List the games that are being played", response=bodies.LiveGames
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}",
        "show_game",
        "Show a game as the asker may see it now",
        response=View,
        refusals=("not_found",),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/replay",
        "replay_game",
        "Show a game move by move",
        response=bodies.Replay,
        has_etag=True,
        refusals=("not_found", "spoiler_embargo", "too_many"),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/stream",
        "stream_game",
        "Follow a game without a socket: as lines of JSON, or as Server-Sent Events if the client accepts them",
        refusals=("not_found",),
        queries=(Query("since", 0, 999_999_999, "Only messages after this version; 0 for a fresh view."),),
        stream=get_args(GameMessage),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/record",
        "download_record",
        "Download the record to check a finished game with",
        response=bodies.Record,
        has_etag=True,
        refusals=("not_found", "spoiler_embargo", "conflict", "too_many"),
    ),
    Endpoint(
        "GET",
        f"{API}/games/{{id}}/result",
        "show_result",
        "Show how a finished game compares: with the other runs of its deal, and with the player's earlier games",
        response=results.GameResult,
        refusals=("not_found", "conflict"),
    ),
    Endpoint(
        "GET",
        f"{API}/dailies",
        "list_dailies",
        "List a month of days, the latest first: from the last announced day, or before a day",
        response=bodies.Dailies,
        queries=(
            TextQuery("before", DAY_PATTERN, "2026-11-01", "Only days before this one.", "date"),
            Query("limit", 31, 31, "How many days to show."),
        ),
    ),
    Endpoint(
        "GET",
        f"{API}/dailies/{{day}}",
        "show_daily",
        "Show a day with its deals; `today` is a day too",
        response=bodies.Daily,
        refusals=("not_found",),
    ),
    Endpoint(
        "POST",
        f"{API}/dailies/{{day}}/deals/{{slot}}/games",
        "enter_daily",
        "Begin or continue the ranked attempt at a deal of the day, or begin an unranked run for practice",
        request=bodies.EnterDaily,
        response=bodies.Game,
        refusals=("not_found", "day_not_open", "already_played", "spoiler_embargo"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{API}/dailies/{{day}}/deals/{{slot}}/spoil",
        "spoil_deal",
        "Ask to see a deal in the games of others; the asker's own run of it is not ranked any more",
        response=bodies.Spoiled,
        refusals=("not_found", "day_not_open", "spoiler_embargo"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "GET",
        f"{API}/dailies/{{day}}/share",
        "share_day",
        "Show the asker's results of the day as text to send to others",
        response=bodies.Share,
        queries=(LANGUAGE,),
        refusals=("not_found",),
        role="player",
    ),
)
