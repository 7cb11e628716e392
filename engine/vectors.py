"""Test vectors: positions with known answers, compared with what a game does.

The test vectors of a game are a list in a JSON file, ``SLUG.json``. Each is an object with these keys; all but the name
may be left out::

    {"name": "a queen goes on a king of the other colour",
     "piles": {"waste": ["QH"], "tableau.3": ["-2D", "KS"]},   not named: empty; -2D lies face down
     "vars": {"redeals": 1},                                   counters; not named: as the game begins
     "legal": ["waste/tableau.3"],                             legal in this position
     "illegal": ["tableau.3/waste"],                           not legal in this position
     "exactly": ["waste/tableau.3"],                           every legal move of this position
     "play": ["waste/tableau.3"],                              moves to play, in this order
     "then": {"piles": {"waste": []}, "vars": {}, "score": 0, "won": false}}   what must hold afterwards

A position need not hold the whole pack.
"""

from typing import Any

from cadogan.engine.errors import EngineError
from cadogan.engine.game import Game
from cadogan.engine.state import State

SEED = bytes(32)
"""The seed from which shuffles are drawn while a test vector is played."""
KEYS = frozenset({"name", "piles", "vars", "legal", "illegal", "exactly", "play", "then"})


def check_vector(vector: dict[str, Any], game: Game) -> list[str]:
    """Return every difference between a test vector and the game's behaviour; an empty list is a success.

    `vector` is a test vector as read from its file, and `game` is the game it belongs to.
    """
    unknown = sorted(set(vector) - KEYS)
    if unknown:
        return [f"a test vector has no {', '.join(unknown)}"]
    try:
        state = game.read_state(vector.get("piles", {}), vector.get("vars", {}))
        found = _check_moves(vector, game, state)
        state, stopped = _play(vector.get("play", []), game, state)
        return [*found, *([stopped] if stopped else _check_after(vector.get("then", {}), game, state))]
    except EngineError as error:
        return [str(error)]


def _check_moves(vector: dict[str, Any], game: Game, state: State) -> list[str]:
    legal = {str(move) for move in game.legal_moves(state)}
    found = [f"{move} should be legal" for move in vector.get("legal", []) if move not in legal]
    found += [f"{move} should be illegal" for move in vector.get("illegal", []) if move in legal]
    if "exactly" in vector:
        found += [f"{move} should be legal" for move in sorted(set(vector["exactly"]) - legal)]
        found += [f"{move} should not be legal" for move in sorted(legal - set(vector["exactly"]))]
    return found


def _play(moves: list[str], game: Game, state: State) -> tuple[State, str]:
    for number, text in enumerate(moves, 1):
        try:
            state = game.play(state, game.move(text), SEED).state
        except EngineError as error:
            return state, f"play, move {number}: {error}"
    return state, ""


def _check_after(then: dict[str, Any], game: Game, state: State) -> list[str]:
    wanted = game.read_state(then.get("piles", {}), then.get("vars", {}))
    found = []
    for name in then.get("piles", {}):
        index = game.piles.index(name)
        if wanted.piles[index] != state.piles[index]:
            shown = (" ".join(game.write_piles(each).get(name, [])) or "nothing" for each in (wanted, state))
            found.append("then, {}: {} expected, {} found".format(name, *shown))
    for name, value in then.get("vars", {}).items():
        if (now := game.write_counters(state)[name]) != value:
            found.append(f"then, {name}: {value} expected, {now} found")
    for name, now in (("score", game.score(state)), ("won", game.won(state))):
        if name in then and then[name] != now:
            found.append(f"then, {name}: {then[name]} expected, {now} found")
    return found
