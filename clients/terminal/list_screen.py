"""Lists of things to choose from, with a heading: what most of the client consists of."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from clients.terminal.app import Act, host


@dataclass(frozen=True)
class Row:
    """One line to choose; what cannot be chosen does nothing.

    `rules` are those of the game that it is about; the line of the same `key` stays chosen when others come before it.
    """

    text: Text
    act: Act | None = None
    rules: str | None = None
    key: str = ""


def row(*cells: tuple[str, int] | str, act: Act | None = None, rules: str | None = None, key: str = "") -> Row:
    """A line of cells, each as wide as said; what is not given a width is shown whole."""
    parts = [cell if isinstance(cell, str) else set_cell_size(cell[0], cell[1] - 1) + " " for cell in cells]
    return Row(Text("".join(parts), no_wrap=True, overflow="ellipsis"), act, rules, key)


class Listing(Vertical):
    """A heading and lines to choose from; whoever makes one says how it is loaded."""

    DEFAULT_CSS = """
    Listing { height: 1fr; padding: 0 1; }
    Listing .heading { height: auto; margin-bottom: 1; }
    Listing OptionList, Listing OptionList:focus { height: 1fr; border: none; padding: 0; background: transparent;
        text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, load: Callable[["Listing"], Awaitable[None]], id: str | None = None) -> None:
        super().__init__(id=id)
        self._filled = load
        self._rows: Sequence[Row] = ()

    def compose(self) -> ComposeResult:
        """The heading and the list."""
        yield Static("…", classes="heading", markup=False)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Load it."""
        self.load()

    def load(self) -> None:
        """Load it, or load it again."""
        host(self).attempt(self._loaded, name=f"load {self.id}")

    def fill(self, heading: str | Text, rows: Sequence[Row]) -> None:
        """Show these lines; one stays where one was. Nothing is shown when it is being put away."""
        found = self.query(OptionList)
        if not found:
            return
        options = found.first()
        place = options.highlighted
        key = self._rows[place].key if place is not None and place < len(self._rows) else ""
        if key:
            place = next((number for number, line in enumerate(rows) if line.key == key), place)
        self._rows = rows
        self.query_one(Static).update(heading)
        options.clear_options()
        options.add_options(Option(line.text) for line in rows)
        free = [number for number, line in enumerate(rows) if line.act is not None]
        if free:
            options.highlighted = place if place in free else free[0]

    @property
    def subject(self) -> str | None:
        """The rules of the game that the chosen line is about."""
        place = self.query_one(OptionList).highlighted
        return self._rows[place].rules if place is not None and place < len(self._rows) else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what the line is for."""
        event.stop()
        act = self._rows[event.option_index].act
        if act is not None:
            host(self).attempt(act)

    async def _loaded(self) -> None:
        await self._filled(self)


class ListScreen(Screen[None]):
    """A screen that is one list; what is in it, each such screen says in its own `load`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r,f5", "again", "Refresh", key_display="^r"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="esc"),
    ]

    def compose(self) -> ComposeResult:
        """The list, and the keys below."""
        yield Listing(self.load)
        yield Footer()

    async def load(self, listing: Listing) -> None:
        """Fill the list. Every such screen has its own; ABC cannot say so beside the metaclass of Textual's screens."""
        raise NotImplementedError

    def action_again(self) -> None:
        """Load the list again."""
        self.again()

    def again(self) -> None:
        """Load the list again, unless the screen is being put away."""
        for listing in self.query(Listing):
            listing.load()

    def on_screen_resume(self) -> None:
        """Things may have changed meanwhile."""
        self.again()
