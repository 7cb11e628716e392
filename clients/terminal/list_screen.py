"""Selection lists with a heading, which most screens of the client are."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from cadogan.terminal.app import Action, TerminalApp, terminal_app
from cadogan.terminal.translated_screen import TranslatedScreen
from cadogan.terminal.words import t


@dataclass(frozen=True)
class Row:
    """One line of a list. `action` is run when it is chosen; a row without one does nothing.

    `rules` is the slug of the rules of the row's game. When a list is loaded again, the row with the same `key` stays
    highlighted.
    """

    text: Text
    action: Action | None = None
    rules: str | None = None
    key: str = ""


def make_row(
    *cells: tuple[str, int] | str, action: Action | None = None, rules: str | None = None, key: str = ""
) -> Row:
    """Return a row of cells. A cell is a text, or a text and its width in columns, including the space after it."""
    parts = [cell if isinstance(cell, str) else fit(cell[0], cell[1] - 1) + " " for cell in cells]
    return Row(Text("".join(parts), no_wrap=True, overflow="ellipsis"), action, rules, key)


def make_link_row(app: TerminalApp, link: str) -> Row:
    """Return a row that tells the player to send others this link, and copies it."""

    async def copy() -> None:
        app.copy_to_clipboard(link)
        app.notify(t("terminal.copied"))

    return make_row(t("terminal.send_link", link=link), action=copy, key="link")


def fit(text: str, width: int) -> str:
    """Return the text in exactly this many columns; one that is too wide ends with an ellipsis.

    >>> fit("Ada", 5), fit("Canfield", 5)
    ('Ada  ', 'Canf…')
    """
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


class ListPanel(Vertical):
    """A heading and a list of rows. `load` is called to fill it."""

    DEFAULT_CSS = """
    ListPanel { height: 1fr; padding: 0 1; }
    ListPanel .heading { height: auto; margin-bottom: 1; }
    ListPanel OptionList, ListPanel OptionList:focus { height: 1fr; border: none; padding: 0; background: transparent;
        text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, load: Callable[["ListPanel"], Awaitable[None]], id: str | None = None) -> None:
        super().__init__(id=id)
        self._load = load
        self._rows: Sequence[Row] = ()

    def compose(self) -> ComposeResult:
        """Show the heading and the list."""
        yield Static("…", classes="heading", markup=False)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Load the list."""
        self.load()

    def load(self) -> None:
        """Load the list, for the first time or again."""
        terminal_app(self).run_in_background(self._run_load, name=f"load {self.id}")

    def fill(self, heading: str | Text, rows: Sequence[Row]) -> None:
        """Show these rows, and keep the highlight where it was. Does nothing while the screen is closing."""
        found = self.query(OptionList)
        if not found:
            return
        options = found.first()
        index = options.highlighted
        key = self._rows[index].key if index is not None and index < len(self._rows) else ""
        if key:
            index = next((number for number, line in enumerate(rows) if line.key == key), index)
        self._rows = rows
        self.query_one(Static).update(heading)
        options.clear_options()
        options.add_options(Option(line.text) for line in rows)
        choosable = [number for number, line in enumerate(rows) if line.action is not None]
        if choosable:
            options.highlighted = index if index in choosable else choosable[0]

    @property
    def highlighted_rules(self) -> str | None:
        """The slug of the rules of the highlighted row's game."""
        index = self.query_one(OptionList).highlighted
        return self._rows[index].rules if index is not None and index < len(self._rows) else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Run the action of the chosen row."""
        event.stop()
        act = self._rows[event.option_index].action
        if act is not None:
            terminal_app(self).run_in_background(act)

    async def _run_load(self) -> None:
        await self._load(self)


class ListScreen(TranslatedScreen):
    """A screen that shows one list. Subclasses fill it in `load`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r,f5", "reload", "terminal.refresh", key_display="^r"),
        Binding("escape,q", "app.pop_screen", "terminal.back", key_display="esc"),
    ]

    def compose(self) -> ComposeResult:
        """Show the list, and the keys below it."""
        yield ListPanel(self.load)
        yield Footer()

    async def load(self, panel: ListPanel) -> None:
        """Fill the list. Every subclass must define this; Textual's metaclass does not allow an abstract base class."""
        raise NotImplementedError

    def action_reload(self) -> None:
        """Load the list again."""
        self.reload()

    def reload(self) -> None:
        """Load the list again. Does nothing while the screen is closing."""
        for panel in self.query(ListPanel):
            panel.load()

    def on_screen_resume(self) -> None:
        """Load the list again when the screen is in front again."""
        self.reload()
