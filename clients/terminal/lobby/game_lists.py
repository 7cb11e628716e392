"""The list of all games, and the list of live games."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import terminal_app
from cadogan.terminal.formatting import format_duration, format_player, format_score
from cadogan.terminal.game.game_screen import deal, open_game
from cadogan.terminal.list_screen import ListPanel, make_row
from cadogan.terminal.words import t


async def load_games(panel: ListPanel) -> None:
    """Show every set of rules. Choosing one deals a casual game, by a number where its deals have numbers."""
    app = terminal_app(panel)
    cards = (await app.rules_by_slug()).values()
    rows = [
        make_row((card.name, 34), card.summary, action=partial(deal, app, card.slug), rules=card.slug) for card in cards
    ]
    panel.fill(Text(f"{t('games.found', count=len(rows))}. {t('terminal.choose_game')}"), rows)


async def load_live(panel: ListPanel) -> None:
    """Show the games that are being played. Choosing one watches it."""
    app = terminal_app(panel)
    games = (await app.client.list_live_games()).games
    rules = await app.rules_by_slug()
    rows = []
    for game in games:
        name = await app.rules_name(game.rules)
        score = format_score(game.score, rules[game.rules].maximum if game.rules in rules else None)
        moves = t("common.moves", count=game.moves)
        figures = f"{score:>11} {moves:>12} {format_duration(game.milliseconds):>8}"
        rows.append(
            make_row(
                (format_player(game.player), 22),
                (name, 28),
                figures,
                action=partial(open_game, app, game.game),
                rules=game.rules,
                key=game.game,
            )
        )
    live = f"{t('watch.being_played')}. {t('terminal.choose_live')}"
    panel.fill(Text(live if rows else t("watch.nobody_plays")), rows)
