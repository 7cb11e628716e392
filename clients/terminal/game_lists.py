"""Every game there is, and those that are being played."""

from functools import partial

from rich.text import Text

from clients.terminal.app import host
from clients.terminal.formatting import counted, duration
from clients.terminal.game_screen import deal, open_game
from clients.terminal.list_screen import Listing, row


async def load_games(listing: Listing) -> None:
    """Every set of rules: choose one, and it is dealt."""
    app = host(listing)
    cards = (await app.rules_cards()).values()
    rows = [
        row((card.name, 34), card.summary, act=partial(deal, app, card.slug), rules=card.slug)
        for card in sorted(cards, key=lambda card: card.name)
    ]
    listing.fill(Text(f"{counted(len(rows), 'game')}. Choose one to play a deal of your own; r shows its rules."), rows)


async def load_live(listing: Listing) -> None:
    """The games that are being played: choose one to watch it."""
    app = host(listing)
    games = (await app.client.list_live_games()).games
    rows = []
    for game in games:
        name = await app.name_of(game.rules)
        figures = f"{game.home:>3} home {game.moves:>4} moves {duration(game.milliseconds):>8}"
        rows.append(
            row(
                (game.player.name, 22),
                (name, 28),
                figures,
                act=partial(open_game, app, game.game),
                rules=game.rules,
                key=game.game,
            )
        )
    listing.fill(Text("Games being played. Choose one to watch it." if rows else "Nobody plays just now."), rows)
