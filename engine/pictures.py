"""Small pictures of tables, as data: the positions of the cards of a sample deal."""

from math import cos, radians, sin
from typing import Literal, NamedTuple

from cadogan.engine.arrangement import RATIO
from cadogan.engine.cards import DOWN
from cadogan.engine.game import Game
from cadogan.engine.layout import PileLayout
from cadogan.engine.state import Pile, State

FACE_UP_STEP = 0.24
FACE_DOWN_STEP = 0.1
"""The distance between the cards of a spread pile, as a fraction of a card, if the layout has none."""
MAX_SQUARED_CARDS = 1
"""Maximum number of cards drawn of a pile that does not spread: those below are invisible."""

Look = Literal["place", "up", "down"]


class Drawn(NamedTuple):
    """One card of a picture, or an empty place: its x in card widths, its y in card heights, its turn in degrees."""

    x: float
    y: float
    turn: float
    look: Look


class Picture(NamedTuple):
    """The size of a table in card widths and heights, and what lies on it, from the bottom to the top."""

    width: float
    height: float
    drawn: tuple[Drawn, ...]


def sample_position(game: Game) -> State:
    """Return the first position of a fixed sample deal, which is never played."""
    return game.deal(bytes(32))


def draw_picture(game: Game) -> Picture:
    """Return the picture of a game's table after the deal.

    >>> from cadogan.engine import game
    >>> picture = draw_picture(game("klondike"))
    >>> round(picture.width, 1), len([one for one in picture.drawn if one.look == "up"])
    (7.6, 7)
    """
    state = sample_position(game)
    drawn = [one for pile, cards in zip(game.layout, state.piles, strict=True) for one in _draw_pile(pile, cards)]
    reaches = [_reach(one.turn) for one in drawn]
    left = min(one.x - across for one, (across, _) in zip(drawn, reaches, strict=True))
    top = min(one.y - down for one, (_, down) in zip(drawn, reaches, strict=True))
    right = max(one.x + 1 + across for one, (across, _) in zip(drawn, reaches, strict=True))
    bottom = max(one.y + 1 + down for one, (_, down) in zip(drawn, reaches, strict=True))
    moved = tuple(one._replace(x=round(one.x - left, 2), y=round(one.y - top, 2)) for one in drawn)
    return Picture(round(right - left, 2), round(bottom - top, 2), moved)


def _reach(turn: float) -> tuple[float, float]:
    """Return how far a turned card reaches beyond its place on each side: in card widths, and in card heights.

    >>> [round(reach, 2) for reach in _reach(90)]
    [0.2, -0.14]
    """
    across, down = abs(cos(radians(turn))), abs(sin(radians(turn)))
    return (across + down * RATIO - 1) / 2, (down / RATIO + across - 1) / 2


def _draw_pile(pile: PileLayout, cards: Pile) -> list[Drawn]:
    spread = pile.spread
    if not cards:
        return [] if spread.only_filled else [Drawn(pile.x, pile.y, pile.turn, "place")]
    looks: list[Look] = ["down" if card & DOWN else "up" for card in cards]
    if spread.cards:
        return [Drawn(x, y, turn, look) for (x, y, turn), look in zip(spread.cards, looks, strict=False)]
    if spread.direction == "none":
        return [Drawn(pile.x, pile.y, pile.turn, look) for look in looks[-MAX_SQUARED_CARDS:]]
    across = {"right": 1, "left": -1}.get(spread.direction, 0)
    downwards = {"down": 1, "up": -1}.get(spread.direction, 0)
    found, reach = [], 0.0
    for look in looks:
        found.append(Drawn(pile.x + across * reach, pile.y + downwards * reach, pile.turn, look))
        reach += spread.step if spread.step is not None else FACE_UP_STEP if look == "up" else FACE_DOWN_STEP
    return found
