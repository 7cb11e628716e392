"""Napoleon's Square, with single cards: twelve cards instead of twelve packets, and no king can block a packet."""

from dataclasses import replace

from cadogan.engine.declaration import SafeHome
from cadogan.engine.games.napoleons_square import GAME as NAPOLEONS_SQUARE
from cadogan.engine.games.napoleons_square import square, stock
from cadogan.engine.parts import rest, rows, shuffle

GAME = replace(
    NAPOLEONS_SQUARE,
    name="Napoleon's Square, with single cards",
    summary="Twelve single cards on three sides of a square are built down in suit and feed eight aces.",
    counters=(),
    deal=(shuffle(), rows(square), rest(stock)),
    specials=(),
    automatic=(),
    safe_home=SafeHome(),
)
