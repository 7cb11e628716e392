"""The endpoints of the analysis of games."""

from cadogan.wire import analysis, bodies, lent_work
from cadogan.wire.endpoint import API, Endpoint

GAME = f"{API}/games/{{id}}"
WORK = f"{API}/analysts/work"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{GAME}/analysis",
        "show_analysis",
        "Show the analysis of a finished game, as far as it is",
        response=analysis.Analysis,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict"),
    ),
    Endpoint(
        "POST",
        f"{GAME}/analysis",
        "analyse_game",
        "Ask for the analysis of a finished game; one that exists is shown",
        response=analysis.Analysis,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict", "too_many"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "GET",
        f"{GAME}/analysis/stream",
        "stream_analysis",
        "Follow the analysis of a game without a socket until it is complete: as lines of JSON, or as events",
        refusals=("not_found", "archived", "spoiler_embargo", "conflict"),
        stream=(analysis.AnalysisChanged,),
    ),
    Endpoint(
        "GET",
        f"{GAME}/analysis/ways/{{version}}",
        "show_way",
        "Show a way to win from a position of an analysed game",
        response=analysis.Way,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict"),
    ),
    Endpoint(
        "GET",
        f"{GAME}/comparison/{{other}}",
        "compare_games",
        "Compare two finished runs of one deal: where they parted, and what it cost",
        response=analysis.Comparison,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict"),
    ),
    Endpoint(
        "POST",
        f"{GAME}/continuations",
        "play_on",
        "Play on from any position of a finished game, in a new game for practice",
        request=analysis.PlayOn,
        response=bodies.Game,
        refusals=("not_found", "archived", "spoiler_embargo", "conflict", "too_many"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        WORK,
        "take_work",
        "Take a finished game to analyse it; sent again with its Idempotency-Key, it answers with the same game",
        request=lent_work.TakeWork,
        response=lent_work.LentWork,
        refusals=("command_reused", "conflict", "forbidden", "too_many"),
        scope="analyse",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{WORK}/{{id}}/steps",
        "submit_work",
        "Submit the next steps of an analysis; those that are known are passed over",
        request=lent_work.SubmitWork,
        response=lent_work.WorkState,
        refusals=("not_found", "conflict", "forbidden"),
        scope="analyse",
        role="player",
    ),
    Endpoint(
        "DELETE",
        f"{WORK}/{{id}}",
        "give_work_up",
        "Give a game back that one has taken to analyse",
        response=lent_work.WorkState,
        refusals=("not_found",),
        scope="analyse",
        role="player",
    ),
)
