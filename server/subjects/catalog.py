"""The games that can be played: their rules, pictures, how often they are won, and the documents of the wire."""

from functools import cache
from math import ceil
from typing import NamedTuple

import msgspec
from aiohttp import web
from markdown_it import MarkdownIt
from msgspec.structs import asdict, replace
from sqlalchemy import case, func, select, union_all

from cadogan.engine import Game, UnknownGame, all_games, game
from cadogan.engine.brief import brief_rules
from cadogan.engine.cards import SUITS, suit
from cadogan.engine.colour_relevance import distinguishes_colours
from cadogan.engine.deal_plan import plan_deal
from cadogan.engine.difficulty.published import level_of, winnability
from cadogan.engine.layout import layout_as_dict
from cadogan.engine.pictures import draw_picture, sample_position
from cadogan.engine.rule_pages import ENGLISH, RulePage, list_languages, read_rule_page
from cadogan.engine.solver.winnability_summary import GameSummary
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import archived_games, games, players, strikes
from cadogan.server.core.errors import NotFound, make_wire_text
from cadogan.server.core.shares import SharedLock
from cadogan.server.core.web.requests import json_response, server_of, text_parameter
from cadogan.wire import schema
from cadogan.wire.bodies import BriefLine, DealPlan, Layout, Layouts, RulesCard, RulesList, RulesPage
from cadogan.wire.shelf import Picture, Shelf, ShelfGame
from cadogan.wire.winnability import GameWinnability, Interval, Verdicts, WinnabilityTable

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


def _count_packs(rules: Game) -> int:
    """Return the number of packs. A pack has four suits: eight suits of spades are two packs."""
    return max(1, rules.packs * len({suit(card) for card in rules.declaration.pack}) // len(SUITS))


def _card(rules: Game, localized: RulePage) -> RulesCard:
    return RulesCard(
        slug=rules.slug,
        name=localized.name,
        summary=localized.summary,
        packs=_count_packs(rules),
        rules_version=rules.rules_version,
        maximum=rules.maximum,
    )


def _document(document: schema.Document) -> web.Response:
    return web.Response(body=msgspec.json.encode(document), content_type="application/json")


async def show_winnability(request: web.Request) -> web.Response:
    """Answer with the results of the published run for every game in it."""
    return json_response(_winnability_in(requested_language(request, "show_winnability")))


@cache
def _winnability_in(language: str) -> WinnabilityTable:
    names = {card.slug: card.name for card in rules_in(language).rules}
    searched = [summary for slug, summary in winnability().items() if slug in names]
    return WinnabilityTable(
        solver=max(summary.solver for summary in searched),
        games=[_game(summary, names[summary.game]) for summary in searched],
    )


def _game(summary: GameSummary, name: str) -> GameWinnability:
    low, high = summary.can_be_won
    return GameWinnability(
        slug=summary.game,
        name=name,
        level=level_of(summary.game),
        rules_version=summary.rules,
        deals=summary.deals,
        budget=summary.budget,
        won=_verdicts(summary, summary.won),
        lost=_verdicts(summary, summary.lost),
        unknown=_verdicts(summary, summary.unknown),
        can_be_won=Interval(low=round(low, 4), high=round(high, 4)),
        nodes=summary.nodes,
        nodes_per_second=summary.nodes_per_second or None,
        seconds=None if summary.seconds is None else round(summary.seconds, 4),
        moves=summary.moves,
    )


def _verdicts(summary: GameSummary, deals: int) -> Verdicts:
    low, high = summary.interval(deals)
    return Verdicts(deals=deals, low=round(low, 4), high=round(high, 4))


MAX_AGE_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which the figures are cached, because the query reads all games."""
MIN_MOVES = 10
"""Games resigned after fewer moves are not counted."""
MAX_GAME_MILLISECONDS = 60 * 60 * 1000
"""Longer games are left out of the mean time, because they were interrupted."""


class GameTally(NamedTuple):
    """Finished games of one kind. `milliseconds` is their mean time, over `timed` games; 0 if there are none."""

    played: int = 0
    won: int = 0
    timed: int = 0
    milliseconds: int = 0


class GameTallies:
    """The figures of all games in a database, of people and not of bots. Archived games still count."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now
        self._lock = SharedLock()
        self._read_at: int | None = None
        self._tallies: dict[str, GameTally] = {}

    async def all(self) -> dict[str, GameTally]:
        """Return the figures by the game's slug, at most `MAX_AGE_MILLISECONDS` old."""
        async with self._lock:
            now = self._now()
            if self._read_at is None or not 0 <= now - self._read_at < MAX_AGE_MILLISECONDS:
                self._tallies = await self._read()
                self._read_at = now
        return self._tallies

    async def _read(self) -> dict[str, GameTally]:
        names = ("game", "status", "moves", "milliseconds")
        stored = select(*(games.c[name] for name in names)).outerjoin(players, players.c.id == games.c.player)
        stored = stored.where(games.c.finished_at.is_not(None), games.c.origin.is_(None), players.c.owner.is_(None))
        stored = stored.where(games.c.id.not_in(select(strikes.c.game_id)))
        archived = select(*(archived_games.c[name] for name in names))
        over = union_all(stored.where(games.c.moves >= MIN_MOVES), archived.where(archived_games.c.moves >= MIN_MOVES))
        each = over.subquery().c
        is_timed = (each.status != "resigned") & (each.milliseconds <= MAX_GAME_MILLISECONDS)
        rows = select(
            each.game,
            func.count().label("played"),
            func.sum(case((each.status == "won", 1), else_=0)).label("won"),
            func.sum(case((is_timed, 1), else_=0)).label("timed"),
            func.sum(case((is_timed, each.milliseconds), else_=0)).label("milliseconds"),
        ).group_by(each.game)
        return {
            row.game: GameTally(row.played, int(row.won), int(row.timed), int(row.milliseconds) // (row.timed or 1))
            for row in await self._database.fetch(rows)
        }


MIN_TIMED_GAMES = 5
"""Minimum number of finished games for showing their measured duration instead of an estimate."""
SECONDS_PER_MOVE = 4
"""Seconds per move in an estimate of the duration."""
LOOKS = ("place", "up", "down")


async def show_shelf(request: web.Request) -> web.Response:
    """Answer with all games, with names in the requested language."""
    language, tallies = requested_language(request, "show_shelf"), await server_of(request).game_tallies.all()
    cards = rules_in(language).rules
    return json_response(
        Shelf(games=[_shelf_game(card.slug, language, tallies.get(card.slug, GameTally())) for card in cards])
    )


def estimate_minutes(rules: Game) -> int:
    """Return the estimated minutes of a whole game: one move for each card not home, and one for each deal.

    >>> estimate_minutes(game("klondike"))
    6
    """
    state = sample_position(rules)
    stock = sum(group.size(state) for group in rules.declaration.groups if group.role == "stock")
    moves = len(rules.declaration.pack) - rules.home(state) + stock
    return max(1, ceil(moves * SECONDS_PER_MOVE / 60))


def _shelf_game(slug: str, language: str, tally: GameTally) -> ShelfGame:
    shown = replace(_unplayed(slug, language), played=tally.played, won=tally.won)
    if tally.timed < MIN_TIMED_GAMES:
        return shown
    return replace(shown, minutes=max(1, round(tally.milliseconds / 60_000)), measured=True)


@cache
def _unplayed(slug: str, language: str) -> ShelfGame:
    """Return the entry of a game that nobody has played on this server yet."""
    rules, picture = game(slug), draw_picture(game(slug))
    (card,) = (card for card in rules_in(language).rules if card.slug == slug)
    return ShelfGame(
        **asdict(card),
        shelf=rules.declaration.shelf,
        level=level_of(rules.slug),
        also_known_as=list(rules.declaration.also_known_as),
        picture=Picture(
            width=picture.width,
            height=picture.height,
            drawn=[[one.x, one.y, one.turn, LOOKS.index(one.look)] for one in picture.drawn],
        ),
        minutes=estimate_minutes(rules),
        measured=False,
        played=0,
        won=0,
    )
