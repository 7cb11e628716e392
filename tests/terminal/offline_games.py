"""The client without a server: games dealt by the rules, shown on a screen whose text can be read."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256

import msgspec
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

import engine
from clients.sdk.client import Client
from clients.sdk.game import Game
from clients.sdk.http import Http
from clients.sdk.reconnecting_socket import Line
from clients.sdk.session import Faces, expand
from clients.terminal.app import TerminalApp
from clients.wire import messages as wire
from clients.wire.bodies import Layout, RulesPage
from clients.wire.codec import encode
from clients.wire.examples import BODY_EXAMPLES
from engine.layout import layout_as_dict
from tests.sdk.server_messages import VIEW

NOW = 1_795_176_000_000
"""2026-11-20, noon."""
SEED = sha256(b"seats").digest()


class StillLine(Line):
    """A line that never opens."""

    def _start(self) -> None:
        self.is_open = True


def position(slug: str, moves: int = 0, seed: bytes = SEED) -> engine.State:
    """A position of a game, so many moves of chance after its deal; always the same."""
    rules, chance = engine.game(slug), random.Random(1)
    state = rules.deal(seed)
    for _ in range(moves):
        legal = list(rules.legal_moves(state))
        if not legal:
            break
        state = rules.play(state, chance.choice(legal), seed).state
    return state


def faces(slug: str, state: engine.State) -> dict[str, Faces]:
    """What may be seen of a position."""
    return {name: expand(cards) for name, cards in engine.game(slug).view(state).items()}


def rules_page(slug: str) -> RulesPage:
    """A game's rules as a server sends them."""
    rules = engine.game(slug)
    (page,) = (example for example in BODY_EXAMPLES if isinstance(example, RulesPage))
    layout = msgspec.convert(layout_as_dict(rules.layout), Layout)
    return msgspec.structs.replace(page, slug=slug, name=rules.name, layout=layout, maximum=rules.maximum)


def view(slug: str, state: engine.State, moves: int = 0, **changed: object) -> wire.View:
    """What a server shows a game's player of a position."""
    rules = engine.game(slug)
    card = msgspec.structs.replace(VIEW.game, rules=slug, mode="casual", ranked=False, started_at=NOW)
    shown = msgspec.structs.replace(
        VIEW,
        game=card,
        piles=rules.view(state),
        counters=rules.write_counters(state),
        legal=[str(move) for move in rules.legal_moves(state)],
        score=rules.score(state),
        moves=moves,
        clock=0,
        watchers=0,
    )
    return msgspec.structs.replace(shown, **changed)


def seat(slug: str, moves: int = 0, **changed: object) -> Game:
    """A seat at a game, so many moves after its deal."""
    game = Game(StillLine("ws://nowhere.example", {}), VIEW.game.id, rules_page(slug))
    tell(game, view(slug, position(slug, moves), moves, **changed))
    return game


def tell(game: Game, message: wire.Message) -> None:
    """Let the server say something about a game."""
    line = game._line
    for heard in line.conversation.receive(encode(message)):
        line._tell(heard)


@asynccontextmanager
async def shown(
    screen: Callable[[], Screen[None]], size: tuple[int, int] = (100, 30), now: int = NOW
) -> AsyncIterator[Pilot[None]]:
    """A screen of the client in a terminal of this size."""
    app = TerminalApp(Client(Http("http://nowhere.example")), lambda _: None, screen, now=lambda: now)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def text_of(app: App[None]) -> str:
    """What the screen in front shows, as plain text."""
    lines = ("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
    return "\n".join(line.rstrip() for line in lines) + "\n"


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Let the client work until something holds. Raises AssertionError, with the screen, if it does not."""
    deadline = asyncio.get_running_loop().time() + 60
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, text_of(pilot.app)
        await pilot.pause(0.01)
