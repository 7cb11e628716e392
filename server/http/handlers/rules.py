"""HTTP handlers: the rules as a list, pages and layouts, and the OpenAPI and AsyncAPI documents."""

from collections import Counter
from functools import cache

import msgspec
from aiohttp import web
from markdown_it import MarkdownIt

from cadogan.engine import Game, UnknownGame, all_games, game
from cadogan.engine.brief import brief_rules
from cadogan.engine.colour_relevance import distinguishes_colours
from cadogan.engine.deal_plan import plan_deal
from cadogan.engine.difficulty.published import level_of
from cadogan.engine.layout import layout_as_dict
from cadogan.engine.rule_pages import ENGLISH, RulePage, list_languages, read_rule_page
from cadogan.server.core.errors import NotFound, make_wire_text
from cadogan.server.http.requests import json_response, text_parameter
from cadogan.wire import schema
from cadogan.wire.bodies import BriefLine, DealPlan, Layout, Layouts, RulesCard, RulesList, RulesPage

AIM = 2
"""The number of the section of a page about the aim of the game; the first is about its setup."""
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


async def list_rules(request: web.Request) -> web.Response:
    """Answer with the list of all games, with names in the requested language."""
    return json_response(rules_in(requested_language(request, "list_rules")))


async def show_rules(request: web.Request) -> web.Response:
    """Answer with one game: its layout, and its page in the requested language."""
    slug, language = request.match_info["slug"], requested_language(request, "show_rules")
    try:
        return json_response(_page(slug, language))
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None


async def openapi(_: web.Request) -> web.Response:
    """Answer with the OpenAPI document of the HTTP interface."""
    return _document(schema.openapi())


async def asyncapi(_: web.Request) -> web.Response:
    """Answer with the AsyncAPI document of the socket."""
    return _document(schema.asyncapi())


def requested_language(request: web.Request, endpoint: str) -> str:
    """Return the requested language; English if there are no pages in it, so that the caches stay small."""
    wanted = text_parameter(request, endpoint, "language") or ENGLISH
    return wanted if wanted in list_languages() else ENGLISH


@cache
def rules_in(language: str) -> RulesList:
    """Return all games, with names in this language."""
    return RulesList(rules=[_card(rules, read_rule_page(rules.slug, language)) for rules in all_games().values()])


@cache
def _page(slug: str, language: str) -> RulesPage:
    rules, localized = game(slug), read_rule_page(slug, language)
    return RulesPage(
        **msgspec.structs.asdict(_card(rules, localized)),
        level=level_of(rules.slug),
        also_known_as=list(rules.declaration.also_known_as),
        language=localized.language,
        layout=msgspec.convert(layout_as_dict(rules.layout), Layout),
        layouts=msgspec.convert({name: layout.as_dict() for name, layout in rules.layouts.items()}, Layouts),
        colours=2 if distinguishes_colours(rules.declaration) else 4,
        deal=msgspec.convert(plan_deal(rules)._asdict(), DealPlan),
        page=_markdown.render(localized.text),
        aim=_markdown.render(_section(localized.text, AIM)),
        brief=[
            BriefLine(groups=list(line.groups), sentences=[make_wire_text(sentence) for sentence in line.sentences])
            for line in brief_rules(rules)
        ],
    )


def _section(page: str, number: int) -> str:
    """Return the text of a section of a page, without its heading; the order is the same in every language."""
    return page.split("\n## ")[number].partition("\n")[2]


def _card(rules: Game, localized: RulePage) -> RulesCard:
    return RulesCard(
        slug=rules.slug,
        name=localized.name,
        summary=localized.summary,
        packs=max(Counter(rules.declaration.pack).values()),
        rules_version=rules.rules_version,
        maximum=rules.maximum,
    )


def _document(document: schema.Document) -> web.Response:
    return web.Response(body=msgspec.json.encode(document), content_type="application/json")
