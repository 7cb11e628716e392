"""Dialogs: choose an answer, fill in some lines, read a text."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Markdown, OptionList
from textual.widgets.option_list import Option

from cadogan.terminal.words import t

_CSS = """
ChoiceDialog, FormDialog, TextDialog { align: center middle; }
.question { width: auto; max-width: 90%; height: auto; max-height: 90%; padding: 1 2; border: round $primary;
    background: $surface; }
.question Label { margin-bottom: 1; }
.question OptionList, .question OptionList:focus { width: auto; min-width: 30; height: auto; max-height: 20;
    border: none; background: $surface; }
.question Input { width: 50; margin-bottom: 1; }
TextDialog .question { width: 84; height: 90%; }
"""


class ChoiceDialog(ModalScreen[int | None]):
    """Lets the player choose one of several answers. The result is its index, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "terminal.back")]
    DEFAULT_CSS = _CSS

    def __init__(self, question: str, answers: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._answers = answers

    def compose(self) -> ComposeResult:
        """Show the question, and the answers in a list."""
        with Vertical(classes="question"):
            yield Label(self._question, markup=False)
            yield OptionList(*(Option(answer) for answer in self._answers), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen answer."""
        self.dismiss(event.option_index)


class FormDialog(ModalScreen[list[str] | None]):
    """Lets the player fill in some lines. The result is their texts, or None.

    With `hide_last` the last line hides its text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "terminal.back")]
    DEFAULT_CSS = _CSS

    def __init__(self, question: str, labels: Sequence[str], hide_last: bool = False) -> None:
        super().__init__()
        self._question = question
        self._labels = labels
        self._hide_last = hide_last

    def compose(self) -> ComposeResult:
        """Show the question, and the lines below each other."""
        with Vertical(classes="question"):
            yield Label(self._question, markup=False)
            for number, label in enumerate(self._labels, 1):
                yield Input(placeholder=label, password=self._hide_last and number == len(self._labels))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the next line; after the last one, return all lines."""
        lines = list(self.query(Input))
        place = lines.index(event.input)
        if place + 1 < len(lines):
            lines[place + 1].focus()
        else:
            self.dismiss([line.value for line in lines])


class TextDialog(ModalScreen[None]):
    """Shows a text in Markdown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss(None)", "terminal.back"),
    ]
    DEFAULT_CSS = _CSS

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Show the text; it can be scrolled."""
        with VerticalScroll(classes="question"):
            yield Markdown(self._text, open_links=False)  # links from a server must not be opened


class KeysDialog(TextDialog):
    """Shows a list of keys: each as its sign or a text key of its name, and a text key of its description."""

    def __init__(self, keys: Sequence[tuple[str, str]], below: str = "") -> None:
        rows = "\n".join(f"- **{t(key) if '.' in key else key}**: {t(what)}" for key, what in keys)
        super().__init__(f"# {t('terminal.keys')}\n\n{rows}\n\n{below}")
