"""The list of all games, and the list of live games."""

from functools import partial

from rich.text import Text

from clients.terminal.app import terminal_app
from clients.terminal.formatting import format_duration, pluralize
from clients.terminal.game_screen import deal, open_game
from clients.terminal.list_screen import ListPanel, make_row


async def load_games(panel: ListPanel) -> None:
    """Show every set of rules. Choosing one deals a casual game."""
    app = terminal_app(panel)
    cards = (await app.rules_by_slug()).values()
    rows = [
        make_row((card.name, 34), card.summary, action=partial(deal, app, card.slug), rules=card.slug)
        for card in sorted(cards, key=lambda card: card.name)
    ]
    panel.fill(Text(f"{pluralize(len(rows), 'game')}. Choose one to play it; r shows its rules."), rows)


async def load_live(panel: ListPanel) -> None:
    """Show the games that are being played. Choosing one watches it."""
    app = terminal_app(panel)
    games = (await app.client.list_live_games()).games
    rules = await app.rules_by_slug()
    rows = []
    for game in games:
        name = await app.rules_name(game.rules)
        maximum = f" of {rules[game.rules].maximum}" if game.rules in rules else ""
        figures = f"{f'{game.score}{maximum}':>10} {game.moves:>4} moves {format_duration(game.milliseconds):>8}"
        rows.append(
            make_row(
                (game.player.name, 22),
                (name, 28),
                figures,
                action=partial(open_game, app, game.game),
                rules=game.rules,
                key=game.game,
            )
        )
    panel.fill(Text("Games being played. Choose one to watch it." if rows else "Nobody is playing right now."), rows)
