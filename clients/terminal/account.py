"""Who one is, and how one has fared."""

from functools import partial

from rich.text import Text

from clients.terminal.app import TerminalApp, host
from clients.terminal.formatting import counted, duration, moment_words, status_words
from clients.terminal.list_screen import Listing, row
from clients.terminal.replay import open_replay


async def load_you(listing: Listing) -> None:
    """One's name, one's figures and latest games, and ways to be somebody else."""
    app = host(listing)
    player = (await app.client.who_am_i()).player
    if player is None:
        listing.fill(Text("Nobody is signed in here."), [row("Sign in", act=partial(_sign_in, listing))])
        return
    profile = await app.client.show_player(player.id)
    heading = Text(player.name, "bold")
    if player.guest:
        heading.append(", a guest: claim a name to keep what you play.", "not bold")
    played = counted(profile.played, "game")
    heading.append(f"\n{played} over, {profile.won} won; {counted(profile.streak, 'day')} in a row,", "not bold")
    heading.append(f" {profile.best_streak} at best.", "not bold")
    rows = []
    for recent in profile.recent:
        name = await app.name_of(recent.game.rules)
        figures = f"{recent.score:>5}  {recent.moves:>4} moves {duration(recent.milliseconds):>8}"
        cells = ((moment_words(recent.game.started_at), 15), (name, 28), (status_words(recent.game.status), 12))
        rows.append(row(*cells, figures, act=partial(open_replay, app, recent.game.id), rules=recent.game.rules))
    if player.guest:
        rows.append(row("Claim a name", act=partial(_claim, listing)))
    rows.append(row("Sign in as somebody else", act=partial(_sign_in, listing)))
    listing.fill(heading, rows)


async def _claim(listing: Listing) -> None:
    app = host(listing)
    given = await app.ask("Your name from now on", "Name, 2 to 24 letters", "Password, at least 8 letters")
    if given is not None:
        await app.client.claim_name(*given)
        listing.load()


async def _sign_in(listing: Listing) -> None:
    app = host(listing)
    given = await app.ask("Sign in", "Name", "Password")
    if given is not None:
        await app.client.sign_in(*given)
        await _changed(app)
        listing.load()


async def _changed(app: TerminalApp) -> None:
    """Another player sits here: the token is kept, and the socket is another's."""
    app.keep(app.client.token)
    await app.client.renew()
