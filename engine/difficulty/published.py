"""The published measurements: the two data files beside this module, and the levels derived from them."""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from cadogan.engine.difficulty.levels import Level, compare_with_games, deal_ease, divide_into_levels, ease
from cadogan.engine.difficulty.measure import SimplePlay
from cadogan.engine.solver.winnability_summary import GameSummary

WINNABILITY_FILE = "winnability.json"
SIMPLE_PLAY_FILE = "simple_play.json"
CERTIFICATE_SECONDS = 30.0
"""Seconds of one core within which the deal of a day is to be certified, by the library of the compiled rules."""
CANDIDATES = 50
"""The deals that a day has to choose from."""
UNMEASURED: Level = "steady"
"""The level of a game that was not measured yet."""


@cache
def winnability() -> dict[str, GameSummary]:
    """Return the summary of the published run, by game."""
    return {row["game"]: GameSummary(**row) for row in _read(WINNABILITY_FILE)}


@cache
def simple_play() -> dict[str, SimplePlay]:
    """Return the measurements of simple play and first moves, by game."""
    return {row["game"]: SimplePlay(**row) for row in _read(SIMPLE_PLAY_FILE)}


@cache
def eases() -> dict[str, float]:
    """Return how easy each measured game is, from 0 to 1."""
    search = winnability()
    return {slug: ease(play, search[slug]) for slug, play in simple_play().items() if slug in search}


def level_of(slug: str) -> Level:
    """Return the level of a game; `UNMEASURED` if it was not measured.

    >>> level_of("caesar"), level_of("queens"), level_of("orchard-walk")
    ('gentle', 'stern', 'steady')
    """
    return _levels().get(slug, UNMEASURED)


def level_of_deal(slug: str, nodes: int) -> Level | None:
    """Return the level of one deal of a game, if the search won it with `nodes` nodes.

    None if the game was not measured.

    >>> level_of_deal("quatorze", 50), level_of_deal("klondike", 20_000), level_of_deal("orchard-walk", 5_000)
    ('gentle', 'stern', None)
    """
    play, search = simple_play().get(slug), winnability().get(slug)
    return None if play is None or search is None else compare_with_games(deal_ease(play, search, nodes), eases())


def is_certified_soon(slug: str) -> bool:
    """Whether a search finds a winnable deal of this game within `CERTIFICATE_SECONDS`, on nine of ten days.

    The published run decides; for a game that it does not include, the answer is true.

    >>> is_certified_soon("klondike"), is_certified_soon("queens"), is_certified_soon("orchard-walk")
    (True, False, True)
    """
    summary = winnability().get(slug)
    if summary is None:
        return True
    candidates, seconds = summary.candidates, summary.certificate_seconds
    return (
        candidates is not None and candidates <= CANDIDATES and seconds is not None and seconds <= CERTIFICATE_SECONDS
    )


def write_rows(rows: Iterable[GameSummary] | Iterable[SimplePlay]) -> str:
    """Return the content of a data file: a list in JSON, with one line for each game."""
    return "[\n" + ",\n".join(json.dumps(row._asdict()) for row in rows) + "\n]\n"


@cache
def _levels() -> dict[str, Level]:
    return divide_into_levels(eases())


def _read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))
    return rows
