"""HTTP: the rules, as lists, pages and layouts; and the documents of the interface itself."""

from collections import Counter
from functools import cache

import msgspec
from aiohttp import web
from markdown_it import MarkdownIt

from clients.wire import schema
from clients.wire.bodies import Layout, RulesCard, RulesList, RulesPage
from engine import Game, UnknownGame, all_games, game
from engine.layout import as_dict
from server.refusals import NotFound
from server.requests import answer

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


async def list_rules(_: web.Request) -> web.Response:
    """Every set of rules."""
    return answer(_list())


async def show_rules(request: web.Request) -> web.Response:
    """One set of rules, with its page and layout."""
    slug = request.match_info["slug"]
    try:
        return answer(_page(slug))
    except UnknownGame:
        raise NotFound("There are no such rules.") from None


async def openapi(_: web.Request) -> web.Response:
    """The HTTP interface's document."""
    return _document(schema.openapi())


async def asyncapi(_: web.Request) -> web.Response:
    """The socket's document."""
    return _document(schema.asyncapi())


@cache
def _list() -> RulesList:
    return RulesList(rules=[_card(rules) for rules in all_games().values()])


@cache
def _page(slug: str) -> RulesPage:
    rules = game(slug)
    return RulesPage(
        **msgspec.structs.asdict(_card(rules)),
        layout=msgspec.convert(as_dict(rules.layout), Layout),
        page=_markdown.render(rules.page),
        maximum=rules.maximum,
    )


def _card(rules: Game) -> RulesCard:
    return RulesCard(
        slug=rules.slug,
        name=rules.name,
        summary=rules.summary,
        packs=max(Counter(rules.declaration.pack).values()),
        rules_version=rules.rules_version,
    )


def _document(document: schema.Document) -> web.Response:
    return web.Response(body=msgspec.json.encode(document), content_type="application/json")
