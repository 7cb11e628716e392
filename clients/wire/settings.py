"""How a player likes the page, kept with the account so that every browser of theirs knows it."""

from typing import Annotated, Literal

from msgspec import Meta, field

from clients.wire.values import Slug, Value

MOST_GAMES = 200
"""How many games' own colours one account keeps."""

Language = Annotated[
    str,
    Meta(
        pattern=r"^([a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})?(?!\n)$",
        description="The tag of a language; empty for whatever the browser prefers.",
        examples=["de"],
    ),
]
Colours = Literal["two", "four"]


class Settings(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a player likes the page; what is left out is as it would be for anybody.

    `one_tap` plays a card where only one place fits, `finish` offers to finish a game that plays itself, `clock` and
    `score` show these, `notation` is how moves are written. `game_colours` are those of single games.
    """

    language: Language = ""
    theme: Literal["system", "light", "dark"] = "system"
    table: Literal["green", "blue", "wine", "slate"] = "green"
    faces: Literal["standard", "large"] = "standard"
    colours: Literal["game", "two", "four"] = "game"
    hand: Literal["right", "left"] = "right"
    motion: Literal["full", "quick", "off"] = "full"
    one_tap: bool = True
    finish: bool = True
    clock: bool = True
    score: bool = True
    notation: Literal["words", "short"] = "words"
    game_colours: Annotated[dict[Slug, Colours], Meta(max_length=MOST_GAMES)] = field(default_factory=dict)


class KeptSettings(Value, frozen=True, kw_only=True):
    """What an account keeps; null for one that was never told."""

    settings: Settings | None
