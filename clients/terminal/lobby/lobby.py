"""The lobby: tabs for today's deals, all games, live games, leaderboards, races, the account and evenings."""

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, OptionList, Static, TabbedContent, TabPane

from cadogan.terminal.app import terminal_app
from cadogan.terminal.game.game_screen import deal_winnable, open_game
from cadogan.terminal.list_screen import ListPanel
from cadogan.terminal.lobby import account, daily, evenings, game_lists, leaderboards, races
from cadogan.terminal.rules_dialog import open_rules
from cadogan.terminal.translated_screen import TranslatedScreen
from cadogan.terminal.words import t

TABS = (
    ("today", "bar.today", daily.load_today),
    ("games", "bar.games", game_lists.load_games),
    ("live", "watch.live", game_lists.load_live),
    ("boards", "bar.boards", leaderboards.load_leaderboards),
    ("races", "bar.races", races.load_races),
    ("you", "profile.you", account.load_account),
    ("evenings", "evenings.evenings", evenings.load_evenings),
)

REFRESH_SECONDS = 15
"""After this time the open tab is loaded again."""


class Lobby(TranslatedScreen):
    """The first screen: a tab for each list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"tab({number - 1})", show=False) for number in range(1, len(TABS) + 1)),
        Binding(f"1-{len(TABS)}", "tab(0)", "terminal.open_tab", key_display=f"1-{len(TABS)}"),
        Binding("r", "rules", "stage.rules"),
        Binding("w", "winnable", "again.winnable_deal", show=False),
        Binding("ctrl+r,f5", "reload", "terminal.refresh", key_display="^r"),
        Binding("t", "app.light", "settings.theme"),
        Binding("q", "app.quit", "terminal.leave"),
    ]
    DEFAULT_CSS = """
    Lobby TabbedContent { height: 1fr; }
    Lobby TabPane { padding: 1 0 0 0; }
    Lobby .where { color: $text-muted; text-align: right; }
    """

    def __init__(self, opens: str | None = None) -> None:
        """Open this game at once, if its id is given."""
        super().__init__()
        self._opens = opens

    def compose(self) -> ComposeResult:
        """Show the server's address, and the tabs."""
        yield Static(Text(f"Cadogan · {terminal_app(self).client.address}"), classes="line where")
        with TabbedContent():
            for id, title, load in TABS:
                with TabPane(t(title), id=id):
                    yield ListPanel(load, id=f"{id}-list")
        yield Footer()

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """Load the list of the tab that was opened."""
        self._load_and_focus()

    def on_mount(self) -> None:
        """Reload the open tab regularly; open the game from the command line."""
        if self._opens is not None:
            terminal_app(self).run_in_background(partial(open_game, terminal_app(self), self._opens))
        self.set_interval(REFRESH_SECONDS, self._load_if_current)

    def on_screen_resume(self) -> None:
        """Load the open tab again when the screen is in front again."""
        self._load_and_focus()

    def action_tab(self, number: int) -> None:
        """Open the tab with this index."""
        self.query_one(TabbedContent).active = TABS[number][0]

    def action_reload(self) -> None:
        """Load the open tab again."""
        self._load_and_focus()

    def action_rules(self) -> None:
        """Show the rules of the highlighted row's game."""
        panel = self._open_panel()
        slug = panel.highlighted_rules if panel is not None else None
        if slug is not None:
            terminal_app(self).run_in_background(partial(open_rules, terminal_app(self), slug))

    def action_winnable(self) -> None:
        """Begin a casual game of the highlighted row's rules, with a deal that can be won."""
        panel = self._open_panel()
        slug = panel.highlighted_rules if panel is not None else None
        if slug is not None:
            terminal_app(self).run_in_background(partial(deal_winnable, terminal_app(self), slug))

    def _open_panel(self) -> ListPanel | None:
        active = self.query_one(TabbedContent).active
        return self.query_one(f"#{active}-list", ListPanel) if active else None

    def _load_if_current(self) -> None:
        panel = self._open_panel()
        if self.is_current and panel is not None:
            panel.load()

    def _load_and_focus(self) -> None:
        panel = self._open_panel()
        if panel is not None and panel.is_mounted:
            panel.load()
            panel.query_one(OptionList).focus()
