"""The endpoints of puzzles."""

from cadogan.wire import analysis, bodies, puzzles
from cadogan.wire.endpoint import API, Endpoint

PUZZLE = f"{API}/puzzles/{{day}}"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/puzzles",
        "list_puzzles",
        "List the days whose puzzles are open",
        response=puzzles.PuzzleDays,
    ),
    Endpoint(
        "GET",
        PUZZLE,
        "show_puzzle",
        "Show the puzzle of a day, and who has solved it; `today` is the latest one",
        response=puzzles.Puzzle,
        refusals=("not_found",),
    ),
    Endpoint(
        "POST",
        f"{PUZZLE}/tries",
        "try_puzzle",
        "Begin a try at a puzzle, or continue the one that has not ended",
        response=bodies.Game,
        refusals=("not_found", "archived", "conflict", "too_many"),
        scope="play",
        role="player",
    ),
    Endpoint(
        "POST",
        f"{PUZZLE}/give-up",
        "give_puzzle_up",
        "Give a puzzle up, to be shown the way; no later try counts",
        response=puzzles.Puzzle,
        refusals=("not_found",),
        scope="play",
        role="player",
    ),
    Endpoint(
        "GET",
        f"{PUZZLE}/way",
        "show_puzzle_way",
        "Show the way of a puzzle that one has solved or given up, or that has closed",
        response=analysis.Way,
        refusals=("not_found", "archived", "spoiler_embargo"),
    ),
)
