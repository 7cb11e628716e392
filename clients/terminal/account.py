"""The player's account: name, statistics and latest games, and ways to create an account or sign in."""

from functools import partial

from rich.text import Text

from clients.terminal.app import TerminalApp, terminal_app
from clients.terminal.formatting import format_duration, format_moment, format_status, pluralize
from clients.terminal.list_screen import ListPanel, make_row
from clients.terminal.replay import open_replay


async def load_account(panel: ListPanel) -> None:
    """Show the player's name, statistics and latest games, and the ways to become another player."""
    app = terminal_app(panel)
    player = (await app.client.who_am_i()).player
    if player is None:
        panel.fill(Text("Nobody is signed in here."), [make_row("Sign in", action=partial(_sign_in, panel))])
        return
    profile = await app.client.show_player(player.id)
    heading = Text(player.name, "bold")
    if player.guest:
        heading.append(", a guest: create an account to keep what you play.", "not bold")
    played = pluralize(profile.played, "game")
    heading.append(f"\n{played} over, {profile.won} won; {pluralize(profile.streak, 'day')} in a row,", "not bold")
    heading.append(f" {profile.best_streak} at best.", "not bold")
    rows = []
    for recent in profile.recent:
        name = await app.rules_name(recent.game.rules)
        figures = f"{recent.score:>5}  {recent.moves:>4} moves {format_duration(recent.milliseconds):>8}"
        cells = ((format_moment(recent.game.started_at), 15), (name, 28), (format_status(recent.game.status), 12))
        rows.append(
            make_row(*cells, figures, action=partial(open_replay, app, recent.game.id), rules=recent.game.rules)
        )
    if player.guest:
        rows.append(make_row("Create account", action=partial(_claim, panel)))
    rows.append(make_row("Sign in as another player", action=partial(_sign_in, panel)))
    panel.fill(heading, rows)


async def _claim(panel: ListPanel) -> None:
    app = terminal_app(panel)
    answers = await app.ask("Your name from now on", "Name, 2 to 24 letters", "Password, at least 8 characters")
    if answers is not None:
        await app.client.claim_name(*answers)
        app.save_token(app.client.token)  # the socket takes the new token by itself
        panel.load()


async def _sign_in(panel: ListPanel) -> None:
    app = terminal_app(panel)
    answers = await app.ask("Sign in", "Name", "Password")
    if answers is not None:
        await app.client.sign_in(*answers)
        await _use_new_token(app)
        panel.load()


async def _use_new_token(app: TerminalApp) -> None:
    """Store the token of the new player, and open the next socket with it."""
    app.save_token(app.client.token)
    await app.client.renew()
