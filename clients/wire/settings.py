"""The settings of the web page, which are stored with the account for all browsers of a player."""

from typing import Annotated, Literal

from msgspec import Meta, field

from cadogan.wire.values import Slug, Value

MAX_GAME_COLOURS = 200
"""How many games may have colours of their own in one account's settings."""

Language = Annotated[
    str,
    Meta(
        pattern=r"^([a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})?\Z",
        description="The tag of a language; empty for the language of the browser.",
        examples=["de"],
    ),
]
Colours = Literal["two", "four"]


class Settings(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of the web page. Omitted keys have their defaults.

    `faces` is the size of rank and suit, `design` what else is on a face, `backs` the pattern of the backs. `one_tap`
    moves a card at one tap if it has only one target. `finish` offers to finish a game without remaining decisions, and
    `finish_alone` finishes it without asking. `sound` plays a sound for moves and for a won game. `clock` and `score`
    show these. `puzzles` lets a lost game of the player become a puzzle for the server. `winnable` deals casual games
    with cards that can be won. `notation` is how moves are written. `game_colours` has the colours of single games.
    """

    language: Language = ""
    theme: Literal["system", "light", "dark"] = "system"
    table: Literal["green", "blue", "wine", "slate"] = "green"
    faces: Literal["standard", "large"] = "standard"
    design: Literal["pictures", "simple", "corners"] = "pictures"
    backs: Literal["lattice", "waves", "stars", "plain"] = "lattice"
    colours: Literal["game", "two", "four"] = "game"
    hand: Literal["right", "left"] = "right"
    motion: Literal["full", "quick", "off"] = "full"
    one_tap: bool = True
    finish: bool = True
    finish_alone: bool = False
    sound: bool = False
    clock: bool = True
    score: bool = True
    puzzles: bool = True
    winnable: bool = False
    notation: Literal["words", "short"] = "words"
    game_colours: Annotated[dict[Slug, Colours], Meta(max_length=MAX_GAME_COLOURS)] = field(default_factory=dict)


class KeptSettings(Value, frozen=True, kw_only=True):
    """The settings that are stored with an account; null if none were stored."""

    settings: Settings | None
