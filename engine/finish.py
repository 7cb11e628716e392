"""Finishing by itself: whether nothing is left to decide in a position, so that the rest of the game can be played for
the player.

A move *gains* if it raises the score and shows the player no new card. The rest of a game is offered if it is won
whichever gaining move is played at each step; where only one move is legal, this one is played. Each line that the
search follows is played by the rules up to the win, so an offer always leads to a win.

Foundations grow independently of each other, and the orders in which cards go home are far too many to try. So if
playing a gaining move leaves each other gaining move possible, no other one depends on it, and only this one is
followed. Where gaining moves compete for a card, as pairs do, each of them must win.

An offer tells nothing about hidden cards. A move that turns a card up or shuffles is never followed, so every position
that the search reaches can be seen from the first one; and of each it asks only what a player is told of it: the legal
moves, the score, and whether the game is won. So two positions that look alike have the same offer.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import NamedTuple

from cadogan.engine.cards import DOWN
from cadogan.engine.game import Game
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.state import State

MAX_MOVES = 400
"""How many legal moves the positions that one search looks at have together, at most."""
ENDS_WITH = 8
"""How many points may be left to win where no card goes home, as in the mazes: there, few moves in a row are gains."""
MAX_PACES = 8
"""How many moves without a gain may follow each other where only one move is legal."""


class _Gain(NamedTuple):
    """A gaining move, and the position after it."""

    move: Move
    after: State


def find_finish(game: Game, state: State, legal: Sequence[Move] | None = None) -> tuple[Move, ...]:
    """Return the moves that finish the game, the first one first; none if something is left to decide.

    Pass the legal moves of the position as `legal` if they are known, to avoid computing them again.

    >>> from cadogan.engine import game
    >>> klondike = game("klondike")
    >>> home = [[f"{rank}{suit}" for rank in "A23456789TJQK"] for suit in "SHDC"]
    >>> piles = {f"foundation.{number}": cards for number, cards in enumerate(home)}
    >>> piles["foundation.0"], piles["tableau.3"] = home[0][:-2], home[0][:-3:-1]
    >>> [str(move) for move in find_finish(klondike, klondike.read_state(piles))]
    ['tableau.3/foundation.0', 'tableau.3/foundation.0']
    """
    return _Search(game).find(state, game.legal_moves(state) if legal is None else legal)


class _Facts(NamedTuple):
    """What a search needs to know of the rules of a game."""

    roles: tuple[str, ...]
    """The role of each pile."""
    all_go_home: bool
    """Whether every card must go home for the highest score."""
    is_plain: bool
    """Whether, in addition, a move does nothing but move its cards."""
    ends_with: float
    """How many points may be left to win."""


@cache
def _facts(game: Game) -> _Facts:
    declaration = game.declaration
    roles = tuple(group.role for group in declaration.groups for _ in group)
    all_go_home = game.maximum == len(declaration.pack)
    is_plain = all_go_home and not declaration.automatic and not any(route.play for route in declaration.routes)
    stays_on_tableau = "tableau" in roles and "foundation" not in roles
    return _Facts(roles, all_go_home, is_plain, ENDS_WITH if stays_on_tableau else inf)


class _Search:
    """One search. It fails as a whole as soon as one of the ways that it follows does not win, or it gets too long."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._left = MAX_MOVES
        self._known: dict[State, tuple[Move, ...]] = {}
        self._facts = _facts(game)
        self._is_plain = False

    def find(self, state: State, legal: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves from this position to the win, or none."""
        game, facts = self._game, self._facts
        score = game.score(state)
        if game.maximum - score > facts.ends_with:
            return ()
        if facts.all_go_home and score == game.home(state):
            self._is_plain = facts.is_plain
            for pile, role in zip(state.piles, facts.roles, strict=True):
                if role != "stock" and any([card & DOWN for card in pile]):
                    return ()  # every card must go home, so one would have to be turned up
        if not self._first_gains_win(state, legal):
            return ()
        return self.follow(state, MAX_PACES) or ()

    def _first_gains_win(self, state: State, legal: Sequence[Move]) -> bool:
        """Whether the game is won if the first gaining move is played at each step.

        Nearly all positions without an offer fail here, before it is asked which moves depend on others.
        """
        left, paces = MAX_MOVES, MAX_PACES
        game = self._game
        while not game.won(state):
            left -= len(legal)
            if left < 0:
                return False
            if (gain := next(self._gains_of(state, legal), None)) is not None:
                state, paces = gain.after, MAX_PACES
            elif paces and (only := self._only_move(state, legal)) is not None:
                state, paces = only.after, paces - 1
            else:
                return False
            legal = game.legal_moves(state)
        return True

    def follow(self, state: State, paces: int) -> tuple[Move, ...] | None:
        """Return the moves from a position to the win, or None. `paces` is how many moves without a gain may come."""
        game, path, states = self._game, list[Move](), list[State]()
        line: tuple[Move, ...] | None
        while not game.won(state):
            if (line := self._known.get(state)) is not None:
                break
            gains = self._gains(state)
            if not gains:
                only = self._only_move(state, game.legal_moves(state)) if paces and self._left >= 0 else None
                if only is None:
                    return None
                gains, paces = [only], paces - 1
            else:
                paces = MAX_PACES
            chosen = gains[0] if len(gains) == 1 else next((one for one in gains if self._is_free(one, gains)), None)
            if chosen is None:
                line = self._follow_each(gains)
                break
            path.append(chosen.move)
            states.append(state)
            state = chosen.after
        else:
            line = ()
        if line is None:
            return None
        found = (*path, *line)
        for number, passed in enumerate(states):
            self._known[passed] = found[number:]
        return found

    def _follow_each(self, gains: list[_Gain]) -> tuple[Move, ...] | None:
        """Return the line of the first move if every one of these moves wins."""
        first: tuple[Move, ...] | None = None
        for move, after in gains:
            line = self.follow(after, MAX_PACES)
            if line is None:
                return None
            first = first or (move, *line)
        return first

    def _gains(self, state: State) -> list[_Gain]:
        """Return the gaining moves; none if the search gets too long."""
        legal = self._game.legal_moves(state)
        self._left -= len(legal)
        return [] if self._left < 0 else list(self._gains_of(state, legal))

    def _gains_of(self, state: State, legal: Sequence[Move]) -> Iterator[_Gain]:
        """Yield the gaining moves. In plain games, moves within the tableau are not tried: they gain nothing there."""
        game, roles = self._game, self._facts.roles
        score = game.score(state)
        for move in legal:
            if self._is_plain and move.verb == TRANSFER and roles[move.piles[1]] not in ("foundation", "discard"):
                continue
            after = game.successor(state, move)
            if game.score(after) > score and not game.play_legal(state, move).revealed:
                yield _Gain(move, after)

    def _only_move(self, state: State, legal: Sequence[Move]) -> _Gain | None:
        """Return the only legal move of a position; None if there are others, or if it reveals something."""
        if len(legal) != 1:
            return None
        played = self._game.play_legal(state, legal[0])
        return None if played.revealed else _Gain(legal[0], played.state)

    def _is_free(self, one: _Gain, gains: list[_Gain]) -> bool:
        """Whether every other gaining move, or one that takes the same card to an equal pile, is legal after this one.

        Of the moves of the same card only those to equal piles are left out: which of these is played makes no
        difference.
        """
        if self._left < 0:
            return False
        legal = self._game.legal_moves(one.after)
        self._left -= len(legal)
        texts = {move.text for move in legal}
        sources = {(move.piles[0], move.cards) for move in legal if move.verb == TRANSFER}
        for other in gains:
            if other.move.text in texts or other is one:
                continue
            if one.move.verb != TRANSFER or other.move.verb != TRANSFER:
                return False
            if other.move.piles[0] != one.move.piles[0]:
                if (other.move.piles[0], other.move.cards) not in sources:
                    return False
            elif not self._lies_equal(one, other):
                return False
        return True

    def _lies_equal(self, one: _Gain, other: _Gain) -> bool:
        """Whether two moves of one card lead to positions that differ only in the names of the two target piles."""
        first, second = one.move.piles[1], other.move.piles[1]
        piles = list(other.after.piles)
        piles[first], piles[second] = piles[second], piles[first]
        return tuple(piles) == one.after.piles and one.after.counters == other.after.counters
