"""The screen of one evening: its rounds to play, and its standing."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_duration, format_player
from cadogan.terminal.game.game_screen import open_game
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_row
from cadogan.terminal.words import t
from cadogan.wire.evening_standings import EveningRow, EveningStanding
from cadogan.wire.evenings import Evening


class EveningScreen(ListScreen):
    """One evening. It follows the evening by the server's clock, and offers the open round to be played."""

    def __init__(self, evening: Evening) -> None:
        super().__init__()
        self._evening = evening
        self._standing: EveningStanding | None = None

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
        heading = Text(evening.title, "bold").append(f"\n{self._state_text(app.now())}", "not bold")
        panel.fill(heading, [*self._actions(app), *self._standing_rows()])

    def _state_text(self, now: int) -> str:
        evening = self._evening
        match evening.state:
            case "announced" | "entry":
                opens_at = evening.rounds[0].opens_at
                return t("evenings.begins_in", rounds=len(evening.rounds), time=_remaining(opens_at, now))
            case "round" | "pause":
                coming = evening.rounds[(evening.round or 1) - 1]
                is_open = evening.state == "round"
                left = _remaining(coming.closes_at if is_open else coming.opens_at, now)
                words = "evenings.round_open" if is_open else "evenings.round_coming"
                return t(words, round=coming.round, rounds=len(evening.rounds), time=left)
            case "provisional":
                return t("evenings.provisional", time=_remaining(evening.final_at, now))
            case "final":
                return t("evenings.final")
        return t("evenings.void", reason=evening.void or "")

    def _actions(self, app: TerminalApp) -> list[Row]:
        evening, rows = self._evening, list[Row]()
        if evening.state == "round" and evening.may_play:
            number = evening.round or 1
            coming = evening.rounds[number - 1]
            words = "evenings.go_on" if coming.own else "evenings.play"
            if coming.own_result is None:
                rows.append(make_row(t(words, round=number), action=partial(self._play, app), key="play"))
        if evening.may_enter and not evening.is_entered:
            rows.append(make_row(t("evenings.enter"), action=partial(self._enter, app), key="enter"))
        elif evening.is_entered and evening.state not in ("provisional", "final", "void"):
            rows.append(make_row(t("evenings.leave"), action=partial(self._leave, app), key="leave"))
        return rows

    def _standing_rows(self) -> list[Row]:
        standing = self._standing
        fields = (standing.corrected or standing.fields) if standing is not None else []
        rows = [make_row(t("evenings.frozen"))] if standing is not None and standing.frozen else []
        for field in fields:
            rows += [make_row(""), make_row(t(f"evenings.field_{field.field}"))]
            rows += [_standing_row(row) for row in field.rows]
        return rows or [make_row(t("evenings.nobody_yet"))]

    async def _follow(self) -> None:
        client = terminal_app(self).client
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


def _standing_row(row: EveningRow) -> Row:
    shares = "  ".join(share.shown if share.how != "not_opened" else "–" for share in row.shares)
    return make_row((f"{row.place:>3}.", 5), (format_player(row.player), 24), (row.shown, 9), shares)


def _remaining(at: int, now: int) -> str:
    return format_duration(max(0, at - now))
