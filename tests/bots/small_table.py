"""A small table for tests of bots: a foundation, four piles of the tableau and a stock."""

from typing import Literal

from cadogan.sdk.moves import parse_move
from cadogan.sdk.session import DOWN, Session
from cadogan.wire.bodies import PilePlace

Role = Literal["stock", "waste", "foundation", "tableau", "reserve", "discard"]


def place(name: str, role: Role, group: str | None = None) -> PilePlace:
    """Return the place of a pile; where it lies does not matter to bots."""
    return PilePlace(name=name, group=group or name, role=role, x=0, y=0, turn=0, spread="none")


PLACES = [
    place("foundation", "foundation"),
    *(place(f"tableau.{number}", "tableau", "tableau") for number in range(4)),
    place("stock", "stock"),
]
TABLE = {
    "foundation": ("AH",),
    "tableau.0": (DOWN, "2H"),
    "tableau.1": ("9S", "8H"),
    "tableau.2": ("9C",),
    "tableau.3": (),
    "stock": (DOWN, DOWN),
}


def table(*moves: str, **piles: tuple[str, ...]) -> Session:
    """Return the table with these legal moves; `piles` replaces the cards of some piles (`tableau_0`)."""
    laid = TABLE | {name.replace("_", "."): pile for name, pile in piles.items()}
    return Session(sight="seat", piles=laid, moves=tuple(parse_move(move, laid) for move in moves))
