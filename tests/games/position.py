"""A position written as text, for tests of single rules of a game."""

from cadogan import engine
from cadogan.engine import State

SEED = bytes(32)


class Position:
    """A position of a game, on which moves are played.

    `piles` are the cards by the name of the pile, bottom first, with spaces between; `counters` are given by name.
    """

    def __init__(self, slug: str, piles: dict[str, str], **counters: int) -> None:
        self.game = engine.game(slug)
        self.state: State = self.game.read_state({name: words.split() for name, words in piles.items()}, counters)
        self.effects: tuple[str, ...] = ()

    @property
    def legal(self) -> set[str]:
        """Every legal move."""
        return set(map(str, self.game.legal_moves(self.state)))

    def play(self, *moves: str) -> "Position":
        """Play these moves, one after another, and return the position. Raises IllegalMove."""
        for move in moves:
            played = self.game.play(self.state, self.game.move(move), SEED)
            self.state = played.state
            self.effects = tuple(self.game.effect_text(effect) for effect in played.effects)
        return self

    def __getitem__(self, pile: str) -> str:
        """The cards of a pile as text; a face-down card has a minus sign before it."""
        return " ".join(self.game.write_piles(self.state).get(pile, []))

    def counter(self, name: str) -> int:
        """The value of a counter, by its name."""
        return self.game.write_counters(self.state)[name]
