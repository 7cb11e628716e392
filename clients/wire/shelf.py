"""The bodies of the shelf: every game with a picture of its table, its duration and its difficulty."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.bodies import RulesCard
from cadogan.wire.values import Count, Value


class Picture(Value, frozen=True, kw_only=True):
    """A small picture of a table after the deal: its size in card widths and heights, and its cards.

    `drawn` goes from the bottom to the top. Each entry has an x in card widths, a y in card heights, a turn in degrees,
    and 0 for an empty place, 1 for a face-up card, 2 for a face-down card.
    """

    width: float
    height: float
    drawn: list[list[float]]


class ShelfGame(RulesCard, frozen=True, kw_only=True):
    """One game on the shelf.

    `shelf` is `book` for the games of Lady Cadogan's book, both Mazes and Quatorze, and `well_known` for those that
    nearly everybody knows. `minutes` is how long a game takes: measured here if `measured`, else estimated from its
    cards. `played` and `won` count the games that people have finished here.
    """

    shelf: Annotated[str, Meta(examples=["book", "well_known"])]
    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    also_known_as: list[str]
    picture: Picture
    minutes: Annotated[int, Meta(ge=1)]
    measured: bool
    played: Count
    won: Count


class Shelf(Value, frozen=True, kw_only=True):
    """Every game, sorted by name."""

    games: list[ShelfGame]
