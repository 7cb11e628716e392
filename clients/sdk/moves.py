"""Moves as the server writes them: parse the text of a move, and search a list of legal moves.

This needs no rules of games: the list of legal moves is enough.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Transfer:
    """The `count` top cards of `source` go onto `target`. `text` is the move as the server writes it."""

    text: str
    source: str
    target: str
    count: int

    def __str__(self) -> str:
        return self.text

    @property
    def picked(self) -> tuple[str, ...]:
        """The piles that a player picks cards from, in order."""
        return (self.source,)


@dataclass(frozen=True)
class Joint:
    """The top cards of several `piles` are taken off together, or those of two piles are exchanged."""

    text: str
    piles: tuple[str, ...]
    exchange: bool

    def __str__(self) -> str:
        return self.text

    @property
    def picked(self) -> tuple[str, ...]:
        """The piles that a player picks cards from, in order."""
        return self.piles


@dataclass(frozen=True)
class Verb:
    """A move that is not about picked cards: `deal`, `choose/hearts`."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def picked(self) -> tuple[str, ...]:
        """The piles that a player picks cards from: none."""
        return ()


Move = Transfer | Joint | Verb


def parse_move(text: str, piles: Collection[str]) -> Move:
    """Parse the text of a move in a game with these piles. A text that names none of them this way is a `Verb`.

    >>> parse_move("waste/tableau.0", ["waste", "tableau.0"])
    Transfer(text='waste/tableau.0', source='waste', target='tableau.0', count=1)
    >>> parse_move("deal", ["waste", "tableau.0"])
    Verb(text='deal')
    """
    for sign in "+~":
        joined = text.split(sign)
        if len(joined) > 1 and all(name in piles for name in joined):
            return Joint(text, tuple(joined), exchange=sign == "~")
    match text.split("/"):
        case [source, target] if source in piles and target in piles:
            return Transfer(text, source, target, 1)
        case [source, target, count] if source in piles and target in piles and count.isdecimal():
            return Transfer(text, source, target, int(count))
    return Verb(text)


def transfer_text(source: str, target: str, count: int) -> str:
    """Return the text of moving `count` top cards from one pile to another, whether that is legal or not.

    >>> transfer_text("tableau.0", "tableau.1", 3)
    'tableau.0/tableau.1/3'
    """
    return f"{source}/{target}" if count == 1 else f"{source}/{target}/{count}"


def can_pick(moves: Iterable[Move], pile: str) -> bool:
    """Return whether any of these moves takes cards from this pile."""
    return any(pile in move.picked for move in moves)


def pick_counts(moves: Iterable[Move], pile: str) -> list[int]:
    """Return how many cards these moves take from a pile: each number once, the smallest first."""
    return sorted({move.count if isinstance(move, Transfer) else 1 for move in moves if pile in move.picked})


def pick_count(moves: Iterable[Move], pile: str, depth: int) -> int:
    """Return how many cards to pick when a player picks the card at this depth of a pile; the top card has depth 1.

    That is `depth` if a move takes that many cards, else the next greater number that a move takes, else the greatest.
    It is `depth` too if no move takes cards from the pile.
    """
    counts = pick_counts(moves, pile)
    if not counts or depth in counts:
        return depth
    return next((count for count in counts if count > depth), counts[-1])


def find_targets(moves: Iterable[Move], picked: Collection[str], count: int) -> dict[str, Move]:
    """Return the piles to which the picked cards may go, each with the move that does it.

    `picked` are the piles of the picked cards, `count` is how many cards of the first. For moves of several piles the
    targets are the piles that some legal move has besides all the picked ones.
    """
    found: dict[str, Move] = {}
    for move in moves:
        if isinstance(move, Transfer):
            if tuple(picked) == (move.source,) and move.count == count:
                found[move.target] = move
        elif isinstance(move, Joint) and picked and all(pile in move.piles for pile in picked):
            for pile in move.piles:
                if pile not in picked:
                    found.setdefault(pile, move)
    return found


def find_joint(moves: Iterable[Move], picked: tuple[str, ...]) -> Joint | None:
    """Return the move of exactly these piles, or None. Of several, the one in the order of picking is preferred."""
    exact = [move for move in moves if isinstance(move, Joint) and sorted(move.piles) == sorted(picked)]
    return next((move for move in exact if move.piles == picked), exact[0] if exact else None)


def find_transfer(moves: Iterable[Move], source: str, target: str, count: int) -> Transfer | None:
    """Return the transfer of `count` cards between two piles, else the nearest with more, else with fewer cards."""
    found = [m for m in moves if isinstance(m, Transfer) and (m.source, m.target) == (source, target)]
    return min(found, key=lambda move: (move.count < count, abs(move.count - count)), default=None)


_ROLE_ORDER = ("foundation", "discard", "tableau", "reserve", "waste", "stock")
"""The roles of target piles, the best first."""


def best_move(
    moves: Iterable[Move], pile: str, count: int, roles: dict[str, str], filled: Collection[str]
) -> Move | None:
    """Return the move to the best target for the top cards of a pile: a foundation first, then a pile with cards.

    `count` is the preferred number of cards, `roles` has each pile's role, and `filled` are the piles that hold cards.
    Returns None if there is no move, or if the pile has no transfer and more than one pair.
    """
    moves = list(moves)
    away = [move for move in moves if isinstance(move, Transfer) and move.source == pile]
    if away:
        return min(
            away,
            key=lambda move: (_ROLE_ORDER.index(roles[move.target]), move.target not in filled, move.count != count),
        )
    joint = [move for move in moves if pile in move.picked]
    return joint[0] if len(joint) == 1 else None
