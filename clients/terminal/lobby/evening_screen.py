"""The screen of one evening: its rounds, or the deals of an arena, to play, and its standing."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.game.game_screen import open_game
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_row
from cadogan.terminal.lobby.evening_words import find_own_points, format_state, standing_rows
from cadogan.terminal.words import t
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.evenings import Evening
from cadogan.wire.values import Player

OVER = ("provisional", "final", "void")
"""The states of an evening in which nothing is played any more."""


class EveningScreen(ListScreen):
    """One evening. It follows the evening by the server's clock, and offers what is open to be played."""

    def __init__(self, evening: Evening) -> None:
        super().__init__()
        self._evening = evening
        self._standing: EveningStanding | None = None
        self._player: Player | None = None

    def on_mount(self) -> None:
        """Show each second how much time is left."""
        self.set_interval(1, self._reload_if_visible)

    def on_screen_resume(self) -> None:
        """Follow the evening from now on, as it is now."""
        terminal_app(self).run_in_background(self._follow, name=f"follow {self._evening.id}", owner=self)

    def action_reload(self) -> None:
        """Request the evening again."""
        self.on_screen_resume()

    async def load(self, panel: ListPanel) -> None:
        """Show what is on, what the player can do, and the standing."""
        app, evening = terminal_app(panel), self._evening
        heading = Text(evening.title, "bold").append(f"\n{format_state(evening, app.now())}", "not bold")
        if evening.arena is not None:
            own = find_own_points(self._standing, self._player.id if self._player else "")
            heading.append(f" · {own}" if own else "", "not bold").append(f"\n{t('evenings.arena_how')}", "not bold")
        panel.fill(heading, [*self._actions(app), *standing_rows(self._standing)])

    def _actions(self, app: TerminalApp) -> list[Row]:
        evening, rows = self._evening, list[Row]()
        if evening.state == "round" and evening.may_play:
            rows.append(self._play_row(app))
        if evening.may_enter and not evening.is_entered:
            rows.append(make_row(t("evenings.enter"), action=partial(self._enter, app), key="enter"))
        elif evening.is_entered and evening.state not in OVER:
            rows.append(make_row(t("evenings.leave"), action=partial(self._leave, app), key="leave"))
        return rows

    def _play_row(self, app: TerminalApp) -> Row:
        if (arena := self._evening.arena) is not None:
            return make_row(
                t("evenings.arena_play", number=arena.next or 1), action=partial(self._play, app), key="play"
            )
        number = self._evening.round or 1
        coming = self._evening.rounds[number - 1]
        if coming.own_result is not None:
            return make_row(t("evenings.own_ended"))
        words = "evenings.go_on" if coming.own else "evenings.play"
        return make_row(t(words, round=number), action=partial(self._play, app), key="play")

    async def _follow(self) -> None:
        client = terminal_app(self).client
        self._player = (await client.who_am_i()).player
        async for evening in client.follow_evening(self._evening.id):
            self._evening, self._standing = evening, await client.show_evening_standing(evening.id)
            self._reload_if_visible()

    async def _play(self, app: TerminalApp) -> None:
        await open_game(app, (await app.client.open_evening_deal(self._evening.id)).game)

    async def _enter(self, app: TerminalApp) -> None:
        player, name = (await app.client.who_am_i()).player, None
        if player is not None and player.guest:
            answers = await app.ask(t("evenings.first_name"), "")
            if answers is None:
                return
            name = answers[0].strip() or None
        self._evening = await app.client.enter_evening(self._evening.id, name)
        self.reload()

    async def _leave(self, app: TerminalApp) -> None:
        if await app.choose(t("evenings.leave_question"), t("evenings.leave"), t("common.no")) == 0:
            self._evening = await app.client.leave_evening(self._evening.id)
            self.reload()

    def _reload_if_visible(self) -> None:
        if self.is_current:
            self.reload()
