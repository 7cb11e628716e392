"""The terminal client as a whole: who one is, at which server, and questions that any screen may ask."""

from collections.abc import Awaitable, Callable
from typing import ClassVar, cast

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.worker import Worker

from clients.sdk import Client
from clients.sdk.errors import ClientError
from clients.sdk.reconnecting_socket import now_milliseconds
from clients.terminal.dialogs import Ask, Choose
from clients.wire.bodies import RulesCard
from clients.wire.codec import WireError

Keep = Callable[[str | None], None]
"""Keeps the token of whoever one is now."""
Act = Callable[[], Awaitable[None]]
"""Something to do; what it asks of the server may be refused."""


class TerminalApp(App[None]):
    """Cadogan in a terminal, for one player at one server. `first` makes the screen that it begins with."""

    TITLE = "Cadogan"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Leave", show=False, priority=True)]
    CSS = ".line { height: 1; padding: 0 1; }"

    def __init__(
        self, client: Client, keep: Keep, first: Callable[[], Screen[None]], now: Callable[[], int] = now_milliseconds
    ) -> None:
        super().__init__()
        self.client = client
        self.keep = keep
        self.now = now
        self._first = first
        self._cards: dict[str, RulesCard] = {}

    def on_mount(self) -> None:
        """Begin."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.push_screen(self._first())

    def action_light(self) -> None:
        """From dark to light, or back."""
        self.theme = THEMES[self.theme == THEMES[0].name].name

    def attempt(self, work: Act, name: str = "") -> None:
        """Do something beside everything else; a refusal is shown. Of several of one name only the last goes on."""

        async def trying() -> None:
            try:
                await work()
            except (ClientError, WireError) as error:
                self.notify(str(error), severity="error", markup=False)

        _: Worker[None] = self.run_worker(trying, group=name or "default", exclusive=bool(name))

    async def rules_cards(self) -> dict[str, RulesCard]:
        """Every set of rules by its slug, asked for once. Raises Unreachable."""
        if not self._cards:
            self._cards = {card.slug: card for card in (await self.client.list_rules()).rules}
        return self._cards

    async def name_of(self, slug: str) -> str:
        """What a game is called. Raises Unreachable."""
        card = (await self.rules_cards()).get(slug)
        return card.name if card else slug

    async def ask(self, question: str, *labels: str) -> list[str] | None:
        """Ask for some lines; None if they are not given."""
        return await self.push_screen_wait(Ask(question, labels))

    async def choose(self, question: str, *answers: str) -> int | None:
        """Ask which of several answers; its number, or None."""
        return await self.push_screen_wait(Choose(question, answers))


THEMES = (
    Theme(
        "cadogan", primary="#3f9a62", accent="#e0b84c", foreground="#e8e4d8", background="#121512", surface="#1c211d"
    ),
    Theme(
        "cadogan-light",
        primary="#2c7a4b",
        accent="#9a6a00",
        foreground="#1d1f1b",
        background="#f6f3ea",
        surface="#ffffff",
        dark=False,
    ),
)
"""Dark, and light."""


def host(widget: Widget) -> TerminalApp:
    """The app that a widget or screen is part of."""
    return cast(TerminalApp, widget.app)
