"""A position in words, for tests that each hold one sentence of a game's rules."""

import engine
from engine import State

SEED = bytes(32)


class Scene:
    """A position of a game; piles as words, bottom first."""

    def __init__(self, slug: str, piles: dict[str, str], **counters: int) -> None:
        self.game = engine.game(slug)
        self.state: State = self.game.read_state({name: words.split() for name, words in piles.items()}, counters)
        self.effects: tuple[str, ...] = ()

    @property
    def legal(self) -> set[str]:
        """Every legal move."""
        return set(map(str, self.game.legal_moves(self.state)))

    def play(self, *moves: str) -> "Scene":
        """Play these moves, one after another. Raises IllegalMove."""
        for move in moves:
            played = self.game.play(self.state, self.game.move(move), SEED)
            self.state = played.state
            self.effects = tuple(self.game.effect_text(effect) for effect in played.effects)
        return self

    def __getitem__(self, pile: str) -> str:
        """The cards of a pile, face-down ones with their sign."""
        return " ".join(self.game.write_piles(self.state).get(pile, []))

    def counter(self, name: str) -> int:
        """The value of a counter."""
        return self.game.write_counters(self.state)[name]
