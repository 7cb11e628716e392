"""Every game in `engine/games/`: one module each, holding its declaration as ``GAME``, with its page beside it."""

from functools import cache
from importlib import import_module, resources
from pkgutil import iter_modules

import engine.games
from engine.errors import UnknownGame, WrongDeclaration
from engine.game import Game


@cache
def slugs() -> tuple[str, ...]:
    """The names of all games, as their rule sheets' files are called, in alphabetical order."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(engine.games.__path__)))


@cache
def game(slug: str) -> Game:
    """One game by its name. Raises UnknownGame."""
    if slug not in slugs():
        raise UnknownGame(f"there is no game {slug!r}: `cadogan games` lists them")
    name = slug.replace("-", "_")
    module = import_module(f"engine.games.{name}")
    page = resources.files(engine.games).joinpath(f"{name}.md")
    if not page.is_file():
        raise WrongDeclaration(f"{slug} has no page of rules: write engine/games/{name}.md")
    return Game(slug, module.GAME, page.read_text("utf-8"))


def all_games() -> dict[str, Game]:
    """All games by name, in alphabetical order."""
    return {slug: game(slug) for slug in slugs()}
