"""The player's account: name, statistics and latest games, and ways to create an account or sign in."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.dialogs import TextDialog
from cadogan.terminal.formatting import format_duration, format_moment, format_player, format_status
from cadogan.terminal.game.game_screen import open_replay
from cadogan.terminal.list_screen import ListPanel, make_row
from cadogan.terminal.lobby.collection import open_collection
from cadogan.terminal.words import t

MAX_NUMBERED = 100
"""The number of the player's latest games whose log numbers are requested."""


async def load_account(panel: ListPanel) -> None:
    """Show the player's name, statistics and latest games, and the actions to sign in or to create an account."""
    app = terminal_app(panel)
    player = (await app.client.who_am_i()).player
    if player is None:
        panel.fill(Text(t("terminal.nobody")), [make_row(t("account.sign_in"), action=partial(_sign_in, panel))])
        return
    profile = await app.client.show_player(player.id)
    heading = Text(format_player(player), "bold")
    if player.guest:
        heading.append(f"\n{t('terminal.guest_words')}", "not bold")
    figures = {
        "profile.played": str(profile.played),
        "profile.won": str(profile.won),
        "profile.streak": t("common.days", count=profile.streak),
        "profile.best_streak": t("common.days", count=profile.best_streak),
    }
    heading.append("\n" + " · ".join(f"{t(key)}: {figure}" for key, figure in figures.items()), "not bold")
    numbers = {run.game.id: run.entry for run in (await app.client.list_own_runs(limit=MAX_NUMBERED)).runs}
    rows = []
    for recent in profile.recent:
        name = await app.rules_name(recent.game.rules)
        moves = t("common.moves", count=recent.moves)
        result = f"{recent.score:>5} {moves:>12} {format_duration(recent.milliseconds):>8}"
        cells = ((format_moment(recent.game.started_at), 15), (name, 28), (format_status(recent.game.status), 16))
        number = numbers.get(recent.game.id)
        logged = t("account.run_waits") if number is None else t("account.run_number", number=number + 1)
        line = (*cells, f"{result}  {logged}")
        rows.append(make_row(*line, action=partial(open_replay, app, recent.game.id), rules=recent.game.rules))
    rows.append(make_row(t("collection.title"), action=partial(open_collection, panel, player.id)))
    if player.guest:
        rows.append(make_row(t("account.claim"), action=partial(_claim, panel)))
    rows.append(make_row(t("terminal.sign_in_other"), action=partial(_sign_in, panel)))
    panel.fill(heading, rows)


async def _claim(panel: ListPanel) -> None:
    app = terminal_app(panel)
    answers = await app.ask(t("account.claim"), t("account.name"), t("account.password"), hide_last=True)
    if answers is not None:
        made = await app.client.claim_name(*answers)
        app.save_token(app.client.token)  # the socket uses the new token without further action
        if made.recovery_codes:
            await app.push_screen_wait(TextDialog(_codes_text(made.recovery_codes)))
        panel.load()


def _codes_text(codes: list[str]) -> str:
    """Return the text that shows recovery codes, in Markdown."""
    sections = f"# {t('account.recovery_keep')}", t("account.recovery_words"), t("account.recovery_keep_words")
    return "\n\n".join([*sections, *(f"- `{code}`" for code in codes)])


async def _sign_in(panel: ListPanel) -> None:
    app = terminal_app(panel)
    answers = await app.ask(t("account.sign_in"), t("account.name"), t("terminal.password"), hide_last=True)
    if answers is not None:
        await app.client.sign_in(*answers)
        await _use_new_token(app)
        panel.load()


async def _use_new_token(app: TerminalApp) -> None:
    """Store the token of the new player, and open the next socket with it."""
    app.save_token(app.client.token)
    await app.client.renew()
