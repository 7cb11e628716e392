"""The results of fair play: a line of JSON for each deal, and a table of them.

The deals are those of `cadogan.engine.solver.winnability`, so that a game's odds stand beside what the search, which
sees every card, finds in the same deals.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from statistics import median
from typing import Any, NamedTuple

from cadogan.engine.errors import EngineError, WrongResult
from cadogan.engine.game import Game
from cadogan.engine.odds.fair_player import POLICY_VERSION, Search, play_fairly
from cadogan.engine.odds.knowledge import count_unknown, first_knowledge
from cadogan.engine.solver.solution import SOLVER_VERSION
from cadogan.engine.solver.solve import solve
from cadogan.engine.solver.winnability import deal_seed
from cadogan.engine.solver.winnability_summary import GameSummary, format_range, wilson_interval

_DOMAIN = b"cadogan/odds/1\0"
_NUMBERS = ("deal", "seed", "rules", "solver", "policy", "searched")
_HEAD = ("game", "unknown cards", "deals", "won fairly", "can be won", "nodes", "moves of a win")


class FairResult(NamedTuple):
    """How the fair player did in one numbered deal of a game, as one line of a file of results.

    `seed` is the number from which its samples follow. `rules`, `solver` and `policy` are the versions used, `searched`
    counts nodes, and `moves` are all moves that it made.
    """

    game: str
    deal: int
    seed: int
    rules: int
    solver: int
    policy: int
    won: bool
    searched: int
    moves: tuple[str, ...]


def player_seed(slug: str, deal: int, number: int) -> bytes:
    """Return the player's seed for a deal: SHA-256 of ``cadogan/odds/1 00 game 00 deal 00 number``.

    >>> player_seed("klondike", 0, 1).hex()[:16]
    'af2da2a3fb9e8d02'
    """
    return sha256(_DOMAIN + b"\0".join([slug.encode(), str(deal).encode(), str(number).encode()])).digest()


def play_numbered_deal(game: Game, deal: int, seed: int, search: Search = solve) -> FairResult:
    """Let the fair player play the deal with this number; `search` is `solve` or gives the same answers."""
    run = play_fairly(game, deal_seed(game.slug, deal), player_seed(game.slug, deal, seed), search)
    versions = (game.rules_version, SOLVER_VERSION, POLICY_VERSION)
    return FairResult(game.slug, deal, seed, *versions, run.is_won, run.searched, tuple(map(str, run.moves)))


def write_fair_result(result: FairResult) -> str:
    """Write a result as one line of JSON, without the line break."""
    return json.dumps(result._asdict(), separators=(",", ":"))


def read_fair_result(line: str) -> FairResult:
    """Read a result; the inverse of `write_fair_result`. Raises WrongResult if the line is invalid."""
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongResult("this is no JSON") from None
    if not isinstance(fields, dict) or set(fields) != set(FairResult._fields):
        raise WrongResult(f"this is no object with {', '.join(FairResult._fields)}")
    for name in _NUMBERS:
        if type(fields[name]) is not int or fields[name] < 0:
            raise WrongResult(f"{name} is {fields[name]!r}, and has to be a whole number")
    if not isinstance(fields["game"], str) or not isinstance(fields["won"], bool):
        raise WrongResult("game has to be text, and won has to be true or false")
    moves = fields["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise WrongResult("moves has to be a list of texts")
    return FairResult(**{**fields, "moves": tuple(moves)})


def check_fair_result(game: Game, result: FairResult) -> None:
    """Check that the moves of a result are legal, and whether they win as it says.

    Raises WrongResult. That the player chose these moves shows only when `play_numbered_deal` repeats them.
    """
    if result.rules != game.rules_version:
        raise WrongResult(f"it was played with version {result.rules} of the rules, and this is {game.rules_version}")
    seed = deal_seed(game.slug, result.deal)
    state = game.deal(seed)
    for number, text in enumerate(result.moves, 1):
        try:
            state = game.play(state, game.move(text), seed).state
        except EngineError as error:
            raise WrongResult(f"move {number}: {error}") from None
    if game.won(state) != result.won:
        raise WrongResult(f"after its {len(result.moves)} moves the game is {'not ' if result.won else ''}won")


def odds_table(
    results: Iterable[FairResult], games: Mapping[str, Game], searches: Mapping[str, GameSummary]
) -> list[str]:
    """Return the table in Markdown, a line for each game; `games` and `searches` are the games and the published run.

    Raises WrongResult if the results of one game are of several seeds or versions.
    """
    by_game: dict[str, dict[int, FairResult]] = {}
    for one in results:
        by_game.setdefault(one.game, {})[one.deal] = one
    lines = [f"| {' | '.join(_HEAD)} |", "| --- |" + " ---: |" * (len(_HEAD) - 1)]
    for slug, found in sorted(by_game.items()):
        if len({(one.seed, one.rules, one.solver, one.policy) for one in found.values()}) > 1:
            raise WrongResult(f"the results of {slug} are of several seeds or versions, and make no one table")
        lines.append(f"| {' | '.join(_cells(games[slug], list(found.values()), searches.get(slug)))} |")
    return lines


def _cells(game: Game, found: list[FairResult], search: GameSummary | None) -> list[str]:
    wins = [one for one in found if one.won]
    return [
        game.slug,
        str(count_unknown(first_knowledge(game.deal(deal_seed(game.slug, 0))))),
        f"{len(found):,}",
        f"{len(wins):,} ({format_range(wilson_interval(len(wins), len(found)))})",
        "" if search is None else format_range(search.can_be_won),
        f"{round(median(one.searched for one in found)):,}",
        str(round(median(len(one.moves) for one in wins))) if wins else "",
    ]
