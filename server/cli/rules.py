"""What the command does with the rules alone: lists games, plays one in a plain terminal, checks test positions."""

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

from engine import EngineError, Game, State, UnknownGame, all_games, game
from engine.layout import PileLayout
from engine.vectors import check_vector

_HEAPS = frozenset({"stock", "waste", "foundation", "discard"})
"""Roles of piles of which the top card and the number say enough."""
_WIDTH = 80
_MARGIN = 16
"""A line of text, and what the name of its first pile takes of it, in characters."""
HELP = "a move, `?` for the legal ones, `undo`, or `quit`"


@click.command("games")
def games_command() -> None:
    """List the games."""
    for slug, rules in all_games().items():
        click.echo(f"{slug:24} {rules.summary}")


@click.command("solo")
@click.argument("slug", metavar="GAME")
@click.option("--seed", help="Any text; the same text deals the same cards. Drawn if it is not given.")
def solo_command(slug: str, seed: str | None) -> None:
    """Play GAME by its rules alone, with no server, from moves as text on standard input."""
    try:
        rules = game(slug)
    except UnknownGame as error:
        raise click.ClickException(str(error)) from None
    chosen = seed or secrets.token_hex(8)
    click.echo(_wrapped(f"{rules.name} (seed {chosen}): {HELP}"))
    play(rules, sha256(chosen.encode()).digest(), sys.stdin)


def play(rules: Game, seed: bytes, lines: TextIO) -> None:
    """Play a game from lines of text until `quit` or their end."""
    past = [rules.deal(seed)]
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
                click.echo(_wrapped(moves) or "no move is legal")
                continue
            case "undo":
                if len(past) == 1:
                    click.echo("there is nothing to take back")
                    continue
                past.pop()
            case _:
                try:
                    past.append(rules.play(past[-1], rules.move(command), seed).state)
                except EngineError as error:
                    click.echo(str(error))
                    continue
                click.echo(f"> {command}")
        _show(rules, past)


def _show(rules: Game, past: list[State]) -> None:
    state = past[-1]
    click.echo("")
    for line in table(rules, state):
        click.echo(line)
    counters = "".join(f", {name} {value}" for name, value in rules.write_counters(state).items())
    end = {"playing": "", "won": ": won!", "stuck": ": no move is left (`undo` or `quit`)"}[rules.status(state)]
    click.echo(f"score {rules.score(state)} of {rules.maximum}, {len(past) - 1} moves{counters}{end}")


def table(rules: Game, state: State) -> Iterator[str]:
    """The piles as lines of at most 80 characters: heaps by their top card, grids in rows, the rest card by card."""
    seen = rules.view(state)
    for _, group in groupby(rules.layout, key=lambda place: place.group):
        piles = list(group)
        show = _heap if piles[0].role in _HEAPS else _cards
        texts = {place.name: show(seen[place.name]) for place in piles}
        broadest = max(map(len, texts.values()))
        if len(piles) == 1 or broadest > 8:
            for name, text in texts.items():
                yield _wrapped(f"{name:>{_MARGIN - 2}}  {text}", " " * _MARGIN)
            continue
        for row in _rows(piles, (_WIDTH - _MARGIN) // (broadest + 2)):
            cells = "".join(f"{texts[place.name]:{broadest + 2}}" for place in row)
            yield f"{row[0].name:>{_MARGIN - 2}}  {cells.rstrip()}"


def _rows(piles: list[PileLayout], most: int) -> Iterator[list[PileLayout]]:
    """Rows as on the table where they are alike and fit on a line, else as many piles on each line as fit."""
    rows = [list(row) for _, row in groupby(piles, key=lambda place: place.y)]
    if len({len(row) for row in rows}) > 1 or not 1 < len(rows[0]) <= most:
        rows = [piles]
    for row in rows:
        for start in range(0, len(row), most):
            yield row[start : start + most]


def _wrapped(text: str, margin: str = "") -> str:
    return fill(text, _WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)


def _cards(pile: list[str | int]) -> str:
    return " ".join(f"[{part}]" if isinstance(part, int) else part for part in pile) or "--"


def _heap(pile: list[str | int]) -> str:
    count = sum(part if isinstance(part, int) else 1 for part in pile)
    if count < 2 or isinstance(pile[-1], int):
        return _cards(pile)
    return f"{pile[-1]} ({count})"


@click.command("vectors")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def vectors_command(files: tuple[Path, ...]) -> None:
    """Check test positions against the rules; each FILE is called after its game."""
    held = 0
    failed = 0
    for file in files:
        for name, differences in positions(file):
            held += not differences
            failed += bool(differences)
            for difference in differences:
                click.echo(f"{file.stem}: {name}: {difference}")
    click.echo(f"{held} positions hold, {failed} do not")
    if failed or not held:
        raise SystemExit(1)


def positions(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Every test position of a file by its name, with what it finds different; what cannot be read is a difference."""
    try:
        rules = game(file.stem)
        vectors = json.loads(file.read_text("utf-8"))
    except (EngineError, OSError, ValueError) as error:
        yield "the file", [str(error)]
        return
    if not isinstance(vectors, list):
        yield "the file", ["it holds no list of positions"]
        return
    for number, vector in enumerate(vectors, 1):
        if isinstance(vector, dict):
            yield str(vector.get("name", f"position {number}")), check_vector(vector, rules)
        else:
            yield f"position {number}", ["it is no object"]
