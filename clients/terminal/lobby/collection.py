"""A player's collection as a text: shields, badges, and every game with its first and its best win."""

from collections.abc import Mapping
from datetime import UTC, datetime

from cadogan.terminal.app import terminal_app
from cadogan.terminal.dialogs import TextDialog
from cadogan.terminal.formatting import format_day, format_duration, format_score, sorting_key
from cadogan.terminal.list_screen import ListPanel
from cadogan.terminal.words import t
from cadogan.wire.collection import Badge, CollectedGame, Collection


async def open_collection(panel: ListPanel, player: str) -> None:
    """Show the collection of the player with this id."""
    app = terminal_app(panel)
    collection = await app.client.show_collection(player)
    names = {slug: card.name for slug, card in (await app.rules_by_slug()).items()}
    await app.push_screen_wait(TextDialog(collection_text(collection, names)))


def collection_text(collection: Collection, names: Mapping[str, str]) -> str:
    """Return a collection in Markdown. `names` are the names of all games by their slugs."""
    own = {game.rules: game for game in collection.games}
    won = sum(game.won > 0 for game in collection.games if game.rules in names)
    honours = [t("collection.shield", game=names.get(shield.rules, shield.rules)) for shield in collection.shields]
    honours += [
        f"{t('collection.shield_held', game=names.get(one.rules, one.rules))} ({one.month})" for one in collection.held
    ]
    honours += [f"{_badge_words(badge, names)} ({format_day(badge.day)})" for badge in collection.badges]
    by_name = sorted(names, key=lambda slug: sorting_key(names[slug]))
    parts = [
        f"# {t('collection.title')}",
        t("collection.won_of", won=won, count=len(names)),
        f"## {t('collection.badges')}",
        "\n".join(f"- {words}" for words in honours or [t("collection.no_badges")]),
        f"## {t('games.title')}",
        "\n".join(
            f"- {'★' if slug in own and own[slug].won else '☆'} **{names[slug]}**: {_game_words(own.get(slug))}"
            for slug in by_name
        ),
    ]
    return "\n\n".join(parts)


def _badge_words(badge: Badge, names: Mapping[str, str]) -> str:
    game = names.get(badge.rules or "", badge.rules or "")
    match badge.kind:
        case "streak":
            return t("collection.badge_streak", count=badge.days or 0)
        case "all_levels":
            return t("collection.badge_all_levels")
        case "first_win":
            return t("collection.badge_first_win", game=game)
        case "only_win":
            return t("collection.badge_only_win", game=game, runs=badge.runs or 0)


def _game_words(game: CollectedGame | None) -> str:
    if game is None:
        return t("collection.not_played")
    if game.first_win is None or game.best_win is None:
        return t("collection.not_won", score=format_score(game.best_score, game.maximum))
    day = datetime.fromtimestamp(game.first_win.at / 1000, UTC).date().isoformat()
    moves = t("common.moves", count=game.best_win.moves)
    best = t("collection.best", moves=moves, time=format_duration(game.best_win.milliseconds))
    return f"{t('collection.first_won', day=format_day(day))}; {best}"
