"""Two of the nets under every game, written to files: a transcript to read, and node counts.

``python -m tests.games.record [SLUG...]`` writes them anew. Read the difference before you commit it.
"""

import json
import sys
from pathlib import Path

import engine
from engine import Game, State
from tests.games.walks import eager_walk, random_walk, seed

HERE = Path(__file__).parent
TRANSCRIPTS, NODES = HERE / "transcripts", HERE / "nodes"
VECTORS, POSITIONS = HERE / "vectors", HERE / "positions"
"""Test positions (FORMAT): those that stand beside the sheets, and our own."""
MOVES, DEPTH, MOST_NODES = 60, 5, 4000


def position_text(game: Game, state: State) -> list[str]:
    """The position as lines, one for each pile that holds cards; a stretch of face-down cards as its number."""
    width = max(map(len, game.piles))
    lines = [
        f"  {name:{width}}  {' '.join(str(part) if isinstance(part, str) else f'({part})' for part in pile)}"
        for name, pile in game.view(state).items()
        if pile
    ]
    counters = " ".join(f"{name}={value}" for name, value in game.write_counters(state).items())
    return [*lines, f"  score {game.score(state)}, home {game.home(state)}{', ' + counters if counters else ''}"]


def transcript(game: Game) -> str:
    """One game to read: the deal, moves with their effects, and the position again after every twenty."""
    lines = [f"{game.name}, rules version {game.rules_version}, deal 1", *position_text(game, game.deal(seed(1)))]
    state = game.deal(seed(1))
    for number, (_, move, played) in enumerate(eager_walk(game, 1, MOVES), 1):
        lines.append(f"{number}. {move}")
        lines += [f"     {game.effect_text(effect)}" for effect in played.effects]
        state = played.state
        if number % 20 == 0:
            lines += position_text(game, state)
    return "\n".join([*lines, f"{game.status(state)}:", *position_text(game, state), ""])


def node_counts(game: Game) -> dict[str, list[int]]:
    """How many different lines of play of each length start from the deal, and from a later position."""
    later = game.deal(seed(2))
    for _, _, played in random_walk(game, 2, 40):
        later = played.state
    return {"deal 1": _counts(game, game.deal(seed(1))), "deal 2, later": _counts(game, later)}


def _counts(game: Game, state: State) -> list[int]:
    level, counts = [state], [1]
    while True:
        choices = [(each, game.legal_moves(each)) for each in level]
        counts.append(sum(len(legal) for _, legal in choices))
        if len(counts) > DEPTH or counts[-1] > MOST_NODES:
            return counts
        level = [game.play_legal(each, move, bytes(32)).state for each, legal in choices for move in legal]


def main(slugs: list[str]) -> None:
    for slug in slugs or engine.slugs():
        game = engine.game(slug)
        (TRANSCRIPTS / f"{slug}.txt").write_text(transcript(game))
        (NODES / f"{slug}.json").write_text(json.dumps(node_counts(game), indent=1) + "\n")
        print(slug)


if __name__ == "__main__":
    main(sys.argv[1:])
