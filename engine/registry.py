"""The games found in `engine/games/`: one module each, with its declaration as ``GAME`` and its page beside it."""

from functools import cache
from importlib import import_module, resources
from pkgutil import iter_modules

from cadogan.engine import games
from cadogan.engine.errors import UnknownGame, WrongDeclaration
from cadogan.engine.game import Game


@cache
def slugs() -> tuple[str, ...]:
    """Return the names of all games, such as ``besieged-city``, in alphabetical order."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(games.__path__)))


@cache
def slugs_on(shelf: str) -> tuple[str, ...]:
    """Return the names of the games on one shelf (`cadogan.engine.declaration`), in alphabetical order."""
    return tuple(slug for slug in slugs() if game(slug).declaration.shelf == shelf)


@cache
def game(slug: str) -> Game:
    """Return one game by its name, such as ``besieged-city``.

    Raises UnknownGame, or WrongDeclaration when the game file contradicts itself or has no page of rules.
    """
    if slug not in slugs():
        raise UnknownGame(f"there is no game {slug!r}: `cadogan games` lists them")
    name = slug.replace("-", "_")
    module = import_module(f"{games.__name__}.{name}")
    page = resources.files(games).joinpath(f"{name}.md")
    if not page.is_file():
        raise WrongDeclaration(f"{slug} has no page of rules: write engine/games/{name}.md")
    return Game(slug, module.GAME, page.read_text("utf-8"))


def all_games() -> dict[str, Game]:
    """Return all games by name, in alphabetical order."""
    return {slug: game(slug) for slug in slugs()}
