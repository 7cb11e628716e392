"""The list of evenings and of challenges to the player, and a way to enter one by its code."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_moment, format_weekly
from cadogan.terminal.list_screen import ListPanel, make_row
from cadogan.terminal.lobby.evening_screen import EveningScreen, open_evening
from cadogan.terminal.lobby.matches import challenge_rows, open_matches
from cadogan.terminal.words import t

STATES = {"coming": "evenings.coming", "on": "evenings.on", "over": "evenings.past", "void": "evenings.past"}
"""The word for each state of an evening in the list."""


async def load_evenings(panel: ListPanel) -> None:
    """Show the challenges to the player, the evenings that are on, to come and over, and a way to enter by a code."""
    app = terminal_app(panel)
    rows = await challenge_rows(app)
    rows.append(make_row(t("evenings.have_code"), action=partial(_open_by_code, app), key="code"))
    rows.append(make_row(t("matches.title"), action=partial(open_matches, app), key="matches"))
    for one in (await app.client.list_evenings()).evenings:
        weekly = format_weekly(one.starts_at) if one.is_weekly else ""
        cells = ((one.title, 36), (t(STATES[one.state]), 12), (one.code, 8), (format_moment(one.starts_at), 14), weekly)
        rows.append(make_row(*cells, action=partial(open_evening, app, one.id), key=one.id))
    panel.fill(Text(t("evenings.how")), rows)


async def _open_by_code(app: TerminalApp) -> None:
    """Open the evening with the code, or the link with it, that the player fills in."""
    answers = await app.ask(t("evenings.have_code"), "K3V7Q2")
    if answers is not None:
        code = answers[0].strip().rstrip("/").rpartition("/")[2]
        await app.push_screen(EveningScreen(await app.client.find_evening(code.upper())))
