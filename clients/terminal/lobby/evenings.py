"""The list of evenings, and a way to enter one by its code."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_moment
from cadogan.terminal.list_screen import ListPanel, make_row
from cadogan.terminal.lobby.evening_screen import EveningScreen
from cadogan.terminal.words import t

STATES = {"coming": "evenings.coming", "on": "evenings.on", "over": "evenings.past", "void": "evenings.past"}
"""The word for each state of an evening in the list."""


async def load_evenings(panel: ListPanel) -> None:
    """Show the evenings that are on, to come and over, and a way to enter one by its code."""
    app = terminal_app(panel)
    rows = [make_row(t("evenings.have_code"), action=partial(_open_by_code, app), key="code")]
    for one in (await app.client.list_evenings()).evenings:
        cells = ((one.title, 40), (t(STATES[one.state]), 12), (one.code, 8), format_moment(one.starts_at))
        rows.append(make_row(*cells, action=partial(_open, app, one.id), key=one.id))
    panel.fill(Text(t("evenings.how")), rows)


async def _open(app: TerminalApp, id: str) -> None:
    await app.push_screen(EveningScreen(await app.client.show_evening(id)))


async def _open_by_code(app: TerminalApp) -> None:
    answers = await app.ask(t("evenings.have_code"), "K3V7Q2")
    if answers is not None:
        await app.push_screen(EveningScreen(await app.client.find_evening(answers[0].strip().upper())))
