"""Signs: predefined phrases and pictures that players send to each other at a race or at the end of a game.

A sign is sent as a code, which each client shows in its user's language.
"""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.message import Message
from cadogan.wire.values import Moment, Player, Value

SignCode = Annotated[
    Literal["hello", "good_luck", "well_played", "so_close", "thanks", "again", "star", "smile", "wow"],
    Meta(description="A phrase (`hello` to `again`) or a picture (`star`, `smile`, `wow`)."),
]


class GiveSign(Value, frozen=True, kw_only=True):
    """Send a sign. It replaces the player's earlier sign at the same place."""

    sign: SignCode


class Sign(Value, frozen=True, kw_only=True):
    """The last sign of a player at a game or a race."""

    by: Player
    sign: SignCode
    at: Moment


class Signs(Value, frozen=True, kw_only=True):
    """The signs at a game or a race, one of each player, the earliest first; the latest 50 at most."""

    signs: list[Sign]


class SignsChanged(Message, frozen=True, kw_only=True):
    """A sign was sent: the message has all signs at a game or a race that the client is subscribed to.

    `about` is `game/` and its id, or `race/` and its id.
    """

    about: Annotated[str, Meta(min_length=1, max_length=80, examples=["game/k3v7q2m5x4c6z2ab"])]
    signs: list[Sign]
