"""Duplicate matches: those of the player, open ones of others, and challenges to other players."""

from functools import partial

from rich.text import Text

from cadogan.sdk.errors import NotFound
from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_moment
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_row
from cadogan.terminal.lobby.evening_screen import EveningScreen, open_evening
from cadogan.terminal.lobby.evening_words import format_pair
from cadogan.terminal.words import t
from cadogan.wire.matches import MatchCard, NewMatch

RELOAD_SECONDS = 5
"""After this time the list is loaded again, while it is in front."""


async def challenge_rows(app: TerminalApp) -> list[Row]:
    """Return a row for each match to which others challenge the player. Raises Unreachable."""
    player = (await app.client.who_am_i()).player
    if player is None:
        return []
    try:
        found = await app.client.list_matches()
    except NotFound:  # a server of an earlier version has none
        return []
    waiting = [one for one in found.matches if is_challenge_to(one, player.id) and one.starts_at > found.at]
    return [_make_row(app, one, player.id) for one in waiting]


async def open_matches(app: TerminalApp) -> None:
    """Open the list of matches."""
    await app.push_screen(MatchesScreen())


def is_challenge_to(card: MatchCard, player: str) -> bool:
    """Return whether a match waits until this player accepts it."""
    return card.state == "waiting" and card.opponent is not None and card.opponent.id == player


def format_card(card: MatchCard, reader: str) -> str:
    """Return the next action for a match, or its starting time. `reader` is the id of the player who reads it."""
    if is_challenge_to(card, reader):
        return f"{t('matches.for_you')}, {t('matches.until', moment=format_moment(card.starts_at))}"
    if card.state == "waiting":
        return t("matches.not_accepted" if card.challenger.id == reader else "matches.take")
    return t("evenings.on") if card.state == "on" else format_moment(card.starts_at)


class MatchesScreen(ListScreen):
    """The matches of the player, and those that wait for anybody; each opens when it is chosen."""

    def on_mount(self) -> None:
        """Load the list again from time to time."""
        self.set_interval(RELOAD_SECONDS, self._reload_if_in_front)

    async def load(self, panel: ListPanel) -> None:
        """Show the ways to make a match, and the lists."""
        app = terminal_app(panel)
        found, player = await app.client.list_matches(), (await app.client.who_am_i()).player
        reader = player.id if player else ""
        heading = Text(t("matches.title"), "bold").append(f"\n{t('matches.how')}", "not bold")
        rows = [make_row(t("matches.play"), action=partial(_challenge, app), key="play")]
        for title, cards in (("matches.own", found.matches), ("matches.waiting", found.waiting)):
            if cards:
                rows += [make_row(""), make_row(t(title)), *(_make_row(app, one, reader) for one in cards)]
        panel.fill(heading, rows)

    def _reload_if_in_front(self) -> None:
        if self.is_current:
            self.reload()


def _make_row(app: TerminalApp, card: MatchCard, reader: str) -> Row:
    pair = format_pair(card.challenger, card.opponent)
    return make_row((pair, 40), format_card(card, reader), action=partial(open_evening, app, card.id), key=card.id)


async def _challenge(app: TerminalApp) -> None:
    """Ask for an opponent, create the match or join a waiting one, and open it."""
    ways = t("matches.against_anyone"), t("matches.against_player"), t("matches.against_link")
    match await app.choose(t("matches.against"), *ways):
        case 0:
            wanted = NewMatch(against="anyone")
        case 1:
            answers = await app.ask(t("matches.against_player"), t("matches.opponent"))
            if answers is None:
                return
            wanted = NewMatch(against="player", opponent=answers[0].strip())
        case 2:
            wanted = NewMatch(against="link")
        case _:
            return
    await app.push_screen(EveningScreen(await app.client.make_match(wanted)))
