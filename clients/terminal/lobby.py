"""The lobby: today's card, all games, what is being played, boards, races, and who one is."""

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static, TabbedContent, TabPane

from clients.terminal import account, daily, game_lists, leaderboards, races
from clients.terminal.app import host
from clients.terminal.html_to_markdown import open_rules
from clients.terminal.list_screen import Listing

TABS = (
    ("today", "Today", daily.load_today),
    ("games", "Games", game_lists.load_games),
    ("live", "Live", game_lists.load_live),
    ("boards", "Boards", leaderboards.load_boards),
    ("races", "Races", races.load_races),
    ("you", "You", account.load_you),
)


REFRESHED = 15
"""Seconds after which what is looked at is loaded again."""


class Lobby(Screen[None]):
    """Tabs of lists."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"tab({number - 1})", show=False) for number in range(1, len(TABS) + 1)),
        Binding("1-6", "tab(0)", "Tabs", key_display="1-6"),
        Binding("r", "rules", "Rules"),
        Binding("ctrl+r,f5", "again", "Refresh", key_display="^r"),
        Binding("t", "app.light", "Light or dark"),
        Binding("q", "app.quit", "Leave"),
    ]
    DEFAULT_CSS = """
    Lobby TabbedContent { height: 1fr; }
    Lobby TabPane { padding: 1 0 0 0; }
    Lobby .where { color: $text-muted; text-align: right; }
    """

    def compose(self) -> ComposeResult:
        """The server, and the tabs."""
        yield Static(Text(f"Cadogan · {host(self).client.address}"), classes="line where")
        with TabbedContent():
            for id, title, load in TABS:
                with TabPane(title, id=id):
                    yield Listing(load, id=f"{id}-list")
        yield Footer()

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """What is looked at is loaded again."""
        self._look()

    def on_mount(self) -> None:
        """Look again now and then."""
        self.set_interval(REFRESHED, self._refresh)

    def on_screen_resume(self) -> None:
        """Things may have changed meanwhile."""
        self._look()

    def action_tab(self, number: int) -> None:
        """Look at another tab."""
        self.query_one(TabbedContent).active = TABS[number][0]

    def action_again(self) -> None:
        """Load what is looked at again."""
        self._look()

    def action_rules(self) -> None:
        """Read the rules of the game that is chosen."""
        listing = self._listing()
        slug = listing.subject if listing is not None else None
        if slug is not None:
            host(self).attempt(partial(open_rules, host(self), slug))

    def _listing(self) -> Listing | None:
        active = self.query_one(TabbedContent).active
        return self.query_one(f"#{active}-list", Listing) if active else None

    def _refresh(self) -> None:
        listing = self._listing()
        if self.is_current and listing is not None:
            listing.load()

    def _look(self) -> None:
        listing = self._listing()
        if listing is not None and listing.is_mounted:
            listing.load()
            listing.query_one(OptionList).focus()
