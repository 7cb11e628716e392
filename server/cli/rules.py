"""The commands that need only the rules: `games` lists them, `solo` plays one, `vectors` checks test positions."""

import json
import secrets
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import TextIO

import click

from cadogan.engine import EngineError, Game, State, UnknownDeal, UnknownGame, all_games, game
from cadogan.engine.layout import PileLayout
from cadogan.engine.vectors import check_vector
from cadogan.server.cli.output import Failure, say

_TOP_CARD_ROLES = frozenset({"stock", "waste", "foundation", "discard"})
"""Roles of piles that are drawn as their top card and number of cards."""
_LINE_CHARACTERS = 80
_MARGIN_CHARACTERS = 16
"""The width of the left margin, which holds the name of the first pile in a line."""
PROMPT_HELP = "a move, `?` for the legal ones, `undo`, or `quit`"


@click.command("games")
def games_command() -> None:
    """List the games."""
    for slug, rules in all_games().items():
        say(f"{slug:24} {rules.summary}")


@click.command("solo")
@click.argument("slug", metavar="GAME")
@click.option("--seed", help="Any text; the same text deals the same cards. By default the seed is random.")
@click.option("--number", type=int, help="The number of a deal, as in Microsoft's FreeCell: the same cards as there.")
def solo_command(slug: str, seed: str | None, number: int | None) -> None:
    """Play GAME in a plain terminal, without a server; moves are read as text from standard input."""
    try:
        rules = game(slug)
    except UnknownGame as error:
        raise Failure(str(error)) from None
    chosen = seed or secrets.token_hex(8)
    seed_bytes = sha256(chosen.encode()).digest()
    try:
        start = rules.deal(seed_bytes, number)
    except UnknownDeal as error:
        raise Failure(str(error)) from None
    deal = f"seed {chosen}" if number is None else f"deal number {number}"
    say(_wrapped(f"{rules.name} ({deal}): {PROMPT_HELP}"), keep="\n")
    play(rules, start, seed_bytes, sys.stdin)


def play(rules: Game, start: State, seed: bytes, lines: TextIO) -> None:
    """Play a game from this position with commands from these lines, until `quit` or the last line."""
    past = [start]
    _show(rules, past)
    for line in lines:
        command = line.strip()
        match command:
            case "":
                continue
            case "quit":
                return
            case "?":
                moves = " ".join(str(move) for move in rules.legal_moves(past[-1]))
                say(_wrapped(moves) or "no move is legal", keep="\n")
                continue
            case "undo":
                if len(past) == 1:
                    say("there is nothing to take back")
                    continue
                past.pop()
            case _:
                try:
                    past.append(rules.play(past[-1], rules.move(command), seed).state)
                except EngineError as error:
                    say(str(error))
                    continue
                say(f"> {command}")
        _show(rules, past)


def _show(rules: Game, past: list[State]) -> None:
    state = past[-1]
    say("")
    for line in draw_table(rules, state):
        say(line, keep="\n")
    counters = "".join(f", {name} {value}" for name, value in rules.write_counters(state).items())
    end = {"playing": "", "won": ": won!", "stuck": ": no move is left (`undo` or `quit`)"}[rules.status(state)]
    say(f"score {rules.score(state)} of {rules.maximum}, {len(past) - 1} moves{counters}{end}")


def draw_table(rules: Game, state: State) -> Iterator[str]:
    """Yield the piles as lines of at most 80 characters.

    Piles with a role like the stock are drawn as their top card, grids in rows, other piles card by card.
    """
    seen = rules.view(state)
    for _, group in groupby(rules.layout, key=lambda place: place.group):
        piles = list(group)
        show = _top_card if piles[0].role in _TOP_CARD_ROLES else _cards
        texts = {place.name: show(seen[place.name]) for place in piles}
        broadest = max(map(len, texts.values()))
        if len(piles) == 1 or broadest > 8:
            for name, text in texts.items():
                yield _wrapped(f"{name:>{_MARGIN_CHARACTERS - 2}}  {text}", " " * _MARGIN_CHARACTERS)
            continue
        for row in _rows(piles, (_LINE_CHARACTERS - _MARGIN_CHARACTERS) // (broadest + 2)):
            cells = "".join(f"{texts[place.name]:{broadest + 2}}" for place in row)
            yield f"{row[0].name:>{_MARGIN_CHARACTERS - 2}}  {cells.rstrip()}"


def _rows(piles: list[PileLayout], limit: int) -> Iterator[list[PileLayout]]:
    """Yield the rows of the table if they have equal lengths and fit on a line, else as many piles per line as fit."""
    rows = [list(row) for _, row in groupby(piles, key=lambda place: place.y)]
    if len({len(row) for row in rows}) > 1 or not 1 < len(rows[0]) <= limit:
        rows = [piles]
    for row in rows:
        for start in range(0, len(row), limit):
            yield row[start : start + limit]


def _wrapped(text: str, margin: str = "") -> str:
    return fill(text, _LINE_CHARACTERS, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)


def _cards(pile: list[str | int]) -> str:
    return " ".join(f"[{part}]" if isinstance(part, int) else part for part in pile) or "--"


def _top_card(pile: list[str | int]) -> str:
    count = sum(part if isinstance(part, int) else 1 for part in pile)
    if count < 2 or isinstance(pile[-1], int):
        return _cards(pile)
    return f"{pile[-1]} ({count})"


@click.command("vectors")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def vectors_command(files: tuple[Path, ...]) -> None:
    """Check test positions against the rules. The name of each FILE is that of its game."""
    passed = 0
    failed = 0
    for file in files:
        for name, differences in check_positions(file):
            passed += not differences
            failed += bool(differences)
            for difference in differences:
                say(f"{file.stem}: {name}: {difference}")
    say(f"{passed} positions hold, {failed} do not")
    if failed or not passed:
        raise SystemExit(1)


def check_positions(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each test position in a file, and its differences from the rules.

    An unreadable position counts as a difference.
    """
    try:
        rules = game(file.stem)
        vectors = json.loads(file.read_text("utf-8"))
    except (EngineError, OSError, ValueError) as error:
        yield "the file", [str(error)]
        return
    if not isinstance(vectors, list):
        yield "the file", ["it does not hold a list of positions"]
        return
    for number, vector in enumerate(vectors, 1):
        if isinstance(vector, dict):
            yield str(vector.get("name", f"position {number}")), check_vector(vector, rules)
        else:
            yield f"position {number}", ["it is not an object"]
