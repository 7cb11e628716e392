"""The terminal client without a server: positions dealt by the engine, and screens whose text can be read."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from unittest.mock import patch

import msgspec
from rich.console import Console
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from cadogan import engine
from cadogan.sdk.client import Client
from cadogan.sdk.game import Game
from cadogan.sdk.http import HttpClient
from cadogan.sdk.reconnecting_socket import ReconnectingSocket
from cadogan.terminal.app import TerminalApp
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.message import Message
from tests.harness.patience import soon
from tests.sdk.engine_positions import position, rules_page
from tests.sdk.server_messages import VIEW

NOW = 1_795_176_000_000
"""Noon on 2026-11-20, in milliseconds since 1970."""


class OfflineSocket(ReconnectingSocket):
    """A socket that never connects."""

    def start(self) -> None:
        """Do nothing but look open."""
        self.is_open = True


def view(slug: str, state: engine.State, moves: int = 0, **changed: object) -> wire.View:
    """Return what a server shows a game's player of a position; `changed` replaces keys of it."""
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


def offline_game(slug: str, moves: int = 0, **changed: object) -> Game:
    """Return a game after this many random moves, as its player sees it; `changed` replaces keys of its first view."""
    game = Game(OfflineSocket("ws://nowhere.example", dict), VIEW.game.id, rules_page(slug))
    receive(game, view(slug, position(slug, moves), moves, **changed))
    return game


def receive(game: Game, message: Message) -> None:
    """Let a game receive a message of the server."""
    game.socket.receive_frame(encode(message))


@asynccontextmanager
async def open_screen(
    screen: Callable[[], Screen[None]], size: tuple[int, int] = (100, 30), now: int = NOW, language: str = "en"
) -> AsyncIterator[Pilot[None]]:
    """Show a screen of the client in a terminal of this many columns and lines."""
    client = Client(HttpClient("http://nowhere.example"))
    app = TerminalApp(client, lambda _: None, screen, now=lambda: now, language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def screen_text(app: App[None]) -> str:
    """Return what the screen in front shows, as plain text: a screenshot that is exported as text, not as SVG."""
    with patch.object(Console, "export_svg", lambda console, **_: console.export_text()):
        return "".join(f"{line.rstrip()}\n" for line in app.export_screenshot().splitlines())


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Let the client work until a condition holds. Raises AssertionError with the screen if it does not in time.

    Reading a screen takes about as long as drawing it, so a condition that does not hold yet is checked less often.
    """
    loop = asyncio.get_running_loop()
    deadline, seconds = loop.time() + soon(), 0.01
    while not holds():
        assert loop.time() < deadline, screen_text(pilot.app)
        await pilot.pause(seconds)
        seconds = min(seconds * 2, 0.1)


async def write(pilot: Pilot[None], text: str, *keys: str) -> None:
    """Type a text once a field has the focus: what is typed before is lost. Then press these keys."""
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    await pilot.press(*text, *keys)


async def sees(pilot: Pilot[None], *texts: str) -> None:
    """Wait until the screen shows all of these texts."""

    def shows_all() -> bool:
        shown = screen_text(pilot.app)
        return all(text in shown for text in texts)

    await until(pilot, shows_all)
