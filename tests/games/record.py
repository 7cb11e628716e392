"""Record what a game does, for the tests that every game passes.

``python -m tests.games.record [SLUG...]`` writes these files of the games named, or of all:

- ``transcripts/SLUG.txt``: one game, the first moves to read and a hash of the rest;
- ``nodes/SLUG.json``: how many lines of play of each length there are;
- ``vectors/SLUG.json``, if there is none: a first draft of test vectors, which somebody must check and complete;
- ``wins/SLUG.json``, if there is none: a won game, which `tests.games.wins` searches for up to five minutes.

Read the difference before you commit it: the tests compare the game with these files from then on.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from cadogan import engine
from cadogan.engine import Game, State
from tests.games import wins
from tests.games.walks import eager_walk, random_walk, seed

HERE = Path(__file__).parent
TRANSCRIPTS, NODES = HERE / "transcripts", HERE / "nodes"
VECTORS, MORE_VECTORS = HERE / "vectors", HERE / "more_vectors"
"""Test vectors (`cadogan.engine.vectors`): one file for each game, and for most games a second one with more of
them."""
TRANSCRIPT_MOVES, READ_MOVES, DRAFT_MOVES = 60, 40, 3
DRAFT = "draft"
"""How the name of a test vector begins that nobody has checked."""
DEPTH, MOST_NODES = 5, 4000
"""Lines of play are counted to this length, or until there are so many of them."""


def position_text(game: Game, state: State) -> list[str]:
    """Write a position as lines, one for each pile that holds cards; a stretch of face-down cards is its number."""
    width = max(map(len, game.piles))
    lines = [
        f"  {name:{width}}  {' '.join(str(part) if isinstance(part, str) else f'({part})' for part in pile)}"
        for name, pile in game.view(state).items()
        if pile
    ]
    counters = " ".join(f"{name}={value}" for name, value in game.write_counters(state).items())
    return [*lines, f"  score {game.score(state)}, home {game.home(state)}{', ' + counters if counters else ''}"]


def transcript(game: Game) -> str:
    """Write one game: the deal, the first moves with their effects and where they lead, and a hash of what follows."""
    state = game.deal(seed(1))
    lines = [f"{game.name}, rules version {game.rules_version}, deal 1", *position_text(game, state)]
    read = list[str]()
    for number, (_, move, played) in enumerate(eager_walk(game, 1, TRANSCRIPT_MOVES), 1):
        state = played.state
        lines.append(f"{number}. {move}: {', '.join(game.effect_text(effect) for effect in played.effects)}")
        if number == READ_MOVES:
            read, lines = [*lines, *position_text(game, state)], []
    lines = [*lines, f"{game.status(state)}:", *position_text(game, state)]
    if read:
        rest = "\n".join(lines)
        lines = [*read, f"and then {sha256(rest.encode()).hexdigest()}"]
    return "\n".join([*lines, ""])


def node_counts(game: Game) -> dict[str, list[int]]:
    """Count the lines of play of each length that start from a deal, and from a later position of another."""
    later = game.deal(seed(2))
    for _, _, played in random_walk(game, 2, 40):
        later = played.state
    return {"deal 1": _count_lines(game, game.deal(seed(1))), "deal 2, later": _count_lines(game, later)}


def _count_lines(game: Game, state: State) -> list[int]:
    level, counts = [state], [1]
    while True:
        choices = [(each, game.legal_moves(each)) for each in level]
        counts.append(sum(len(legal) for _, legal in choices))
        if len(counts) > DEPTH or counts[-1] > MOST_NODES:
            return counts
        level = [game.play_legal(each, move, bytes(32)).state for each, legal in choices for move in legal]


def draft_vectors(game: Game) -> list[dict[str, Any]]:
    """Write what the game does now as test vectors: the first moves of deal 1, one vector for each.

    A draft proves nothing until somebody has compared each vector with the rules.
    """
    drafts = []
    for number, (before, move, played) in enumerate(eager_walk(game, 1, DRAFT_MOVES), 1):
        old, new = game.write_piles(before), game.write_piles(played.state)
        drafts.append(
            {
                "name": f"{DRAFT} {number}: compare it with the rules, then say here what it shows",
                "piles": old,
                "vars": game.write_counters(before),
                "exactly": sorted(map(str, game.legal_moves(before))),
                "play": [str(move)],
                "then": {
                    "piles": {name: new.get(name, []) for name in game.piles if old.get(name) != new.get(name)},
                    "vars": game.write_counters(played.state),
                    "score": game.score(played.state),
                    "won": game.won(played.state),
                },
            }
        )
    return drafts


def main(slugs: list[str]) -> None:
    """Write the files of these games, or of all."""
    for slug in slugs or engine.slugs():
        game = engine.game(slug)
        (TRANSCRIPTS / f"{slug}.txt").write_text(transcript(game))
        (NODES / f"{slug}.json").write_text(json.dumps(node_counts(game), indent=1) + "\n")
        vectors = VECTORS / f"{slug}.json"
        if not vectors.exists():
            lines = ",\n ".join(json.dumps(each, ensure_ascii=False) for each in draft_vectors(game))
            vectors.write_text(f"[\n {lines}\n]\n")
            print(f"{vectors.relative_to(HERE.parents[1])} is a draft: check it against the rules")
        if not (wins.WINS / f"{slug}.json").exists():
            wins.record_win(game)
        print(f"{slug}: recorded", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
