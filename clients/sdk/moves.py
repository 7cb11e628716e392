"""Legal moves as the server writes them: reading a move's text, and asking a list of them what leads where.

Nothing here knows a game; everything is answered from the texts.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Transfer:
    """So many top cards of a pile go on another."""

    text: str
    source: str
    target: str
    count: int

    def __str__(self) -> str:
        return self.text

    @property
    def handles(self) -> tuple[str, ...]:
        """The piles a player puts a hand on, in order."""
        return (self.source,)


@dataclass(frozen=True)
class Joint:
    """The top cards of several piles are taken together, or exchanged."""

    text: str
    piles: tuple[str, ...]
    exchange: bool

    def __str__(self) -> str:
        return self.text

    @property
    def handles(self) -> tuple[str, ...]:
        """The piles a player puts a hand on, in order."""
        return self.piles


@dataclass(frozen=True)
class Verb:
    """What joins no piles: `deal`, `choose/hearts`."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def handles(self) -> tuple[str, ...]:
        """The piles a player puts a hand on: none."""
        return ()


Move = Transfer | Joint | Verb


def parse_move(text: str, piles: Collection[str]) -> Move:
    """Read a move's text. A text that joins none of these piles is a verb.

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
    """The text of moving so many top cards, legal or not.

    >>> transfer_text("tableau.0", "tableau.1", 3)
    'tableau.0/tableau.1/3'
    """
    return f"{source}/{target}" if count == 1 else f"{source}/{target}/{count}"


def can_lift(moves: Iterable[Move], pile: str) -> bool:
    """Whether any legal move begins at this pile."""
    return any(pile in move.handles for move in moves)


def lift_counts(moves: Iterable[Move], pile: str) -> list[int]:
    """How many cards legal moves take from a pile, each number once, the smallest first."""
    return sorted({move.count if isinstance(move, Transfer) else 1 for move in moves if pile in move.handles})


def lift_count(moves: Iterable[Move], pile: str, grasped: int) -> int:
    """How many cards come along when somebody takes hold so many cards deep.

    As many as asked if a move takes so many, else the next greater number that moves, else the greatest, else as asked.
    """
    counts = lift_counts(moves, pile)
    if not counts or grasped in counts:
        return grasped
    return next((count for count in counts if count > grasped), counts[-1])


def targets(moves: Iterable[Move], picked: Collection[str], count: int) -> dict[str, Move]:
    """Where the cards in hand may go, and by which move; for pairs and exchanges the partners of all picked piles."""
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


def joint_move(moves: Iterable[Move], picked: tuple[str, ...]) -> Joint | None:
    """The legal move that joins exactly these piles; where several do, the one in the order of picking."""
    exact = [move for move in moves if isinstance(move, Joint) and sorted(move.piles) == sorted(picked)]
    return next((move for move in exact if move.piles == picked), exact[0] if exact else None)


def transfer_between(moves: Iterable[Move], source: str, target: str, count: int) -> Transfer | None:
    """The transfer between two piles nearest to the number of cards held: that number, else more, else fewer."""
    found = [m for m in moves if isinstance(m, Transfer) and (m.source, m.target) == (source, target)]
    return min(found, key=lambda move: (move.count < count, abs(move.count - count)), default=None)


_ORDER = ("foundation", "discard", "tableau", "reserve", "waste", "stock")


def best_move(
    moves: Iterable[Move], pile: str, count: int, roles: dict[str, str], filled: Collection[str]
) -> Move | None:
    """The best place for the top cards of a pile: a foundation first, then a pile with cards, then whatever is left.

    None if there is no move, or if several pairs would do. `filled` are the piles that hold cards.
    """
    moves = list(moves)
    away = [move for move in moves if isinstance(move, Transfer) and move.source == pile]
    if away:
        return min(
            away, key=lambda move: (_ORDER.index(roles[move.target]), move.target not in filled, move.count != count)
        )
    joint = [move for move in moves if pile in move.handles]
    return joint[0] if len(joint) == 1 else None
