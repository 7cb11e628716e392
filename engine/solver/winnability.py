"""How often a game can be won: numbered, reproducible deals, and a line of JSON for the result of each.

The seed of a deal is computed from the game and the number of the deal; the result depends only on the seed, the number
of nodes and the versions of solver and rules. So results are reproducible on any machine, and a win can be verified
without a search, by its moves alone.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple, get_args

from cadogan.engine.errors import EngineError, WrongResult
from cadogan.engine.game import Game
from cadogan.engine.solver.solution import SOLVER_VERSION, Solution, Verdict
from cadogan.engine.solver.solve import solve

_SEED_BYTES = 32
_DOMAIN = b"cadogan/winnability/1\0"


class DealResult(NamedTuple):
    """The verdict on one numbered deal of a game, as one line of a file of results.

    `seed` is that of the deal, in hexadecimal. `rules` and `solver` are the versions used, `budget` is the limit of
    searched nodes, and `nodes` the number searched. `moves` win the deal if the verdict is ``won``.
    """

    game: str
    deal: int
    seed: str
    rules: int
    solver: int
    budget: int
    verdict: Verdict
    nodes: int
    moves: tuple[str, ...]


def deal_seed(slug: str, number: int) -> bytes:
    """Return the seed of a game's deal of this number, from 0: SHA-256 of ``cadogan/winnability/1 00 game 00 number``.

    >>> deal_seed("klondike", 0).hex()[:16]
    '4a01608d51baf2a5'
    """
    return sha256(_DOMAIN + slug.encode() + b"\0" + str(number).encode()).digest()


def decide_deal(game: Game, number: int, budget: int, search: Callable[..., Solution] = solve) -> DealResult:
    """Search the deal with this number, with at most `budget` nodes; `search` is `solve` or gives the same answers."""
    seed = deal_seed(game.slug, number)
    found = search(game, game.deal(seed), seed, budget)
    moves = tuple(map(str, found.line))
    version = game.rules_version
    return DealResult(game.slug, number, seed.hex(), version, SOLVER_VERSION, budget, found.verdict, found.nodes, moves)


def write_result(result: DealResult) -> str:
    """Write a result as one line of JSON, without the line break."""
    return json.dumps(result._asdict(), separators=(",", ":"))


def read_result(line: str) -> DealResult:
    """Read a result; the inverse of `write_result`. Raises WrongResult if the line is invalid."""
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongResult("this is no JSON") from None
    if not isinstance(fields, dict) or set(fields) != set(DealResult._fields):
        raise WrongResult(f"this is no object with {', '.join(DealResult._fields)}")
    for name in ("deal", "rules", "solver", "budget", "nodes"):
        if type(fields[name]) is not int or fields[name] < 0:
            raise WrongResult(f"{name} is {fields[name]!r}, and has to be a whole number")
    for name in ("game", "seed"):
        if not isinstance(fields[name], str):
            raise WrongResult(f"{name} is {fields[name]!r}, and has to be text")
    if fields["verdict"] not in get_args(Verdict):
        raise WrongResult(f"the verdict is {fields['verdict']!r}, and has to be won, lost or unknown")
    moves = fields["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise WrongResult("moves has to be a list of texts")
    return DealResult(**{**fields, "moves": tuple(moves)})


def check_result(game: Game, result: DealResult) -> None:
    """Check everything in a result that needs no search; if it is won, its moves are played.

    Raises WrongResult for the first error. The verdicts lost and unknown are not checked: this requires `decide_deal`
    with the same budget.
    """
    if result.rules != game.rules_version:
        raise WrongResult(f"it was found with version {result.rules} of the rules, and this is {game.rules_version}")
    seed = deal_seed(game.slug, result.deal)
    if result.seed != seed.hex():
        raise WrongResult(f"the seed of this deal is {seed.hex()}")
    if result.nodes > result.budget:
        raise WrongResult(f"{result.nodes} nodes are more than the budget of {result.budget}")
    if result.verdict != "won":
        if result.moves:
            raise WrongResult("it has moves, although it is not won")
        return
    state = game.deal(seed)
    for number, text in enumerate(result.moves, 1):
        try:
            state = game.play(state, game.move(text), seed).state
        except EngineError as error:
            raise WrongResult(f"move {number}: {error}") from None
    if not game.won(state):
        raise WrongResult(f"the game is not won after its {len(result.moves)} moves")
