"""No text of a server commands the terminal, wherever it is shown."""

from functools import partial

import pytest
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Markdown, Static

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.dialogs import ChoiceDialog, TextDialog
from cadogan.terminal.list_screen import ListPanel, make_row
from tests.terminal.offline_games import open_screen, screen_text, sees, until

HOSTILE = "\x1b]0;mine\x07[red]\x1b[2J\x9b31m\u202eBob\u2066\u200b"
SHOWN = "]0;mine[red][2J31mBob"
COMMANDS = "\x1b\x07\x9b\u202e\u2066\u200b"


async def test_control_characters_are_shown_nowhere() -> None:
    class Hostile(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Static(f"line {HOSTILE}", markup=False)
            yield ListPanel(self.load)

        async def load(self, panel: ListPanel) -> None:
            panel.fill(f"heading {HOSTILE}", [make_row((f"row {HOSTILE}", 40), "\x1bend")])

    async with open_screen(Hostile) as pilot:
        app = terminal_app(pilot.app.screen)
        await until(pilot, lambda: f"heading {SHOWN}" in screen_text(app))
        assert f"line {SHOWN}" in screen_text(app)
        assert f"row {SHOWN}".ljust(40) + "end" in screen_text(app)
        for dialog, shown in (
            (ChoiceDialog(f"ask {HOSTILE}", [HOSTILE]), f"ask {SHOWN}"),
            (TextDialog(f"# text {HOSTILE}"), f"text {SHOWN}"),
        ):
            app.push_screen(dialog)
            await until(pilot, partial(_shows, app, shown))
            assert not [one for one in COMMANDS if one in app.export_screenshot()]
            app.pop_screen()


def _shows(app: TerminalApp, text: str) -> bool:
    return text in screen_text(app)


async def test_a_link_in_a_text_of_the_server_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_screen(lambda: TextDialog("[rules](file:///etc/hostname)")) as pilot:
        opened: list[str] = []
        monkeypatch.setattr(pilot.app, "open_url", lambda url, *, new_tab=True: opened.append(url))
        await sees(pilot, "rules")
        shown = pilot.app.screen.query_one(Markdown)
        shown.post_message(Markdown.LinkClicked(shown, "file:///etc/hostname"))
        await pilot.pause()
        assert opened == []
