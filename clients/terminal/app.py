"""The Textual application: the client of the server, and the shared services of all screens."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, cast

from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.worker import Worker

from cadogan.sdk import Client
from cadogan.sdk.errors import ClientError, NotFound
from cadogan.sdk.reconnecting_socket import now_milliseconds
from cadogan.terminal.dialogs import ChoiceDialog, FormDialog
from cadogan.terminal.formatting import format_error, sorting_key
from cadogan.terminal.harmless_text import HarmlessText
from cadogan.terminal.words import ENGLISH, use_language
from cadogan.wire.bodies import RulesCard
from cadogan.wire.codec import WireError

SaveToken = Callable[[str | None], None]
"""Stores the token of the current player; None deletes it."""
Action = Callable[[], Awaitable[object]]
"""An action of the player. It may raise the errors of the SDK."""
_HARMLESS_TEXT = HarmlessText()


class TerminalApp(App[None]):
    """Cadogan in a terminal, for one player at one server.

    `save_token` is called with the new token when the player changes. `make_first_screen` returns the screen to begin
    with. `now` returns the time in milliseconds since 1970. `language` is the tag of the language of all texts.
    `receipts` is the folder for the receipts of finished games; None to keep none.
    """

    TITLE = "Cadogan"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "terminal.leave", show=False, priority=True)]
    CSS = ".line { height: 1; padding: 0 1; }"

    def __init__(
        self,
        client: Client,
        save_token: SaveToken,
        make_first_screen: Callable[[], Screen[None]],
        now: Callable[[], int] = now_milliseconds,
        language: str = ENGLISH,
        receipts: Path | None = None,
    ) -> None:
        super().__init__()
        use_language(language)
        client.language = language
        self.client = client
        self.save_token = save_token
        self.now = now
        self._receipts = receipts
        self._make_first_screen = make_first_screen
        self._rules: dict[str, RulesCard] = {}

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of all drawn lines, which remove terminal escape sequences in texts of a server."""
        return [*super().get_line_filters(), _HARMLESS_TEXT]

    def on_mount(self) -> None:
        """Open the first screen."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.push_screen(self._make_first_screen())

    def action_light(self) -> None:
        """Change from the dark to the light theme, or back."""
        self.theme = THEMES[self.theme == THEMES[0].name].name

    def run_in_background(self, action: Action, name: str = "", owner: DOMNode | None = None) -> None:
        """Run an action in the background, and show its error. It cancels a running action of the same `name`.

        It ends with its `owner`, a screen or widget, if it has one.
        """

        async def run() -> None:
            try:
                await action()
            except (ClientError, WireError) as error:
                self.notify(format_error(error), severity="error", markup=False)

        _: Worker[None] = (owner or self).run_worker(run, group=name or "default", exclusive=bool(name))

    async def keep_receipt(self, game: str) -> None:
        """Keep the receipt of the player's finished game, if receipts are kept. Raises ClientError."""
        if self._receipts is None:
            return
        with suppress(NotFound):  # a server of an earlier version gives none
            try:
                await self.client.keep_receipt(game, self._receipts)
            except OSError as error:
                self.notify(str(error), severity="warning", markup=False)

    async def rules_by_slug(self) -> dict[str, RulesCard]:
        """Return every set of rules by its slug, sorted by name; they are requested only once. Raises Unreachable."""
        if not self._rules:
            cards = (await self.client.list_rules(self.client.language)).rules
            self._rules = {card.slug: card for card in sorted(cards, key=lambda card: sorting_key(card.name))}
        return self._rules

    async def rules_name(self, slug: str) -> str:
        """Return the name of the rules with this slug. Raises Unreachable."""
        card = (await self.rules_by_slug()).get(slug)
        return card.name if card else slug

    async def ask(self, question: str, *labels: str, hide_last: bool = False) -> list[str] | None:
        """Ask the player to fill in some lines, and return them; None if the player leaves the dialog.

        With `hide_last` the last line hides its text, for a password.
        """
        return await self.push_screen_wait(FormDialog(question, labels, hide_last))

    async def choose(self, question: str, *answers: str) -> int | None:
        """Ask the player to choose an answer, and return its index; None if the player leaves the dialog."""
        return await self.push_screen_wait(ChoiceDialog(question, answers))


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
"""The dark and the light theme."""


def terminal_app(widget: Widget) -> TerminalApp:
    """Return the application to which a widget or screen belongs."""
    return cast(TerminalApp, widget.app)
