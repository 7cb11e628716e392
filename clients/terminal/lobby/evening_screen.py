"""The screen of one evening: its rounds, or the deals of an arena, to play, and its standing."""

from functools import partial
from typing import cast

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.game.game_screen import open_game
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_link_row, make_row
from cadogan.terminal.lobby.evening_words import (
    find_own_points,
    format_series,
    format_state,
    format_title,
    standing_rows,
)
from cadogan.terminal.words import t
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.evening_values import EveningLevel
from cadogan.wire.evenings import Evening
from cadogan.wire.matches import NewMatch
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
        state = format_state(evening, app.now(), self._reader)
        heading = Text(format_title(evening), "bold").append(f"\n{state}", "not bold")
        if evening.arena is not None:
            own = find_own_points(self._standing, self._reader)
            heading.append(f" · {own}" if own else "", "not bold").append(f"\n{t('evenings.arena_how')}", "not bold")
        if (series := format_series(evening)) != "":
            heading.append(f"\n{series}", "not bold")
        panel.fill(heading, [*self._actions(app), *standing_rows(self._standing)])

    @property
    def _reader(self) -> str:
        """The id of the player who reads this; empty before it is known."""
        return self._player.id if self._player else ""

    def _actions(self, app: TerminalApp) -> list[Row]:
        evening, rows = self._evening, list[Row]()
        match, is_over = evening.match, evening.state in OVER
        if evening.state == "round" and evening.may_play:
            rows.append(self._play_row(app))
        if evening.teams is not None:
            rows.extend(self._team_rows(app))
        elif evening.may_enter and not evening.is_entered:
            words = t("matches.accept" if match else "evenings.enter")
            rows.append(make_row(words, action=partial(self._enter, app), key="enter"))
        if evening.is_entered and not is_over:
            words = t("matches.withdraw" if self._may_withdraw else "evenings.leave")
            rows.append(make_row(words, action=partial(self._leave, app), key="leave"))
        if match is not None and match.waits and match.opponent is None:
            rows.append(make_link_row(app, f"{app.client.address}/e/{evening.code}"))
        elif match is not None and match.waits and match.opponent is not None and match.opponent.id == self._reader:
            rows.append(make_row(t("matches.decline"), action=partial(self._leave, app), key="decline"))
        if evening.series is not None and evening.series.next is not None:
            rows.append(
                make_row(t("evenings.next"), action=partial(open_evening, app, evening.series.next), key="next")
            )
        rival = find_rival(evening, self._player)
        if is_over and rival is not None:
            rows.append(make_row(t("matches.again"), action=partial(self._challenge_again, app, rival), key="again"))
        return rows

    def _team_rows(self, app: TerminalApp) -> list[Row]:
        """Return a row for each team that the player may enter, or change to."""
        evening = self._evening
        if not evening.may_enter or evening.teams is None:
            return []
        own = next((one for one in evening.entrants if one.player.id == self._reader and not one.left), None)
        if own is not None and own.is_team_fixed:
            return []
        words = t("evenings.enter" if own is None else "evenings.team")
        return [
            make_row(f"{words}: {one.name}", action=partial(self._enter, app, one.id), key=f"team-{one.id}")
            for one in evening.teams.teams
            if own is None or own.team != one.id
        ]

    @property
    def _may_withdraw(self) -> bool:
        """Whether this is a match of which no round has begun."""
        return self._evening.match is not None and all(one.state == "coming" for one in self._evening.rounds)

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
            standing = await client.show_evening_standing(evening.id)
            if evening.version >= self._evening.version:  # else the player has entered or left since this was asked
                self._evening, self._standing = evening, standing
                self._reload_if_visible()

    async def _play(self, app: TerminalApp) -> None:
        await open_game(app, (await app.client.open_evening_deal(self._evening.id)).game)

    async def _enter(self, app: TerminalApp, team: str | None = None) -> None:
        player, name = (await app.client.who_am_i()).player, None
        if player is not None and player.guest and not self._evening.is_entered:
            answers = await app.ask(t("evenings.first_name"), "")
            if answers is None:
                return
            name = answers[0].strip() or None
        self._evening = await app.client.enter_evening(self._evening.id, name, team)
        self.reload()

    async def _leave(self, app: TerminalApp) -> None:
        question = t("evenings.leave_question"), t("evenings.leave"), t("common.no")
        if self._may_withdraw or await app.choose(*question) == 0:
            self._evening = await app.client.leave_evening(self._evening.id)
            self.reload()

    async def _challenge_again(self, app: TerminalApp, rival: Player) -> None:
        match = await app.client.make_match(match_again(self._evening, rival))
        self.dismiss()
        await app.push_screen(EveningScreen(match))

    def _reload_if_visible(self) -> None:
        if self.is_current:
            self.reload()


async def open_evening(app: TerminalApp, id: str) -> None:
    """Open the screen of an evening. Raises RefusalError or Unreachable."""
    await app.push_screen(EveningScreen(await app.client.show_evening(id)))


def find_rival(evening: Evening, reader: Player | None) -> Player | None:
    """Return the opponent of the reader in a finished match who can be challenged again by name, or None."""
    if evening.match is None or evening.match.opponent is None or reader is None or reader.guest:
        return None
    pair = [evening.leader, evening.match.opponent]
    others = [one for one in pair if one.id != reader.id and not one.guest]
    return others[0] if len(others) == 1 and reader.id in [one.id for one in pair] else None


def match_again(evening: Evening, rival: Player) -> NewMatch:
    """Return a challenge to a match like this one: as many deals, of the same level."""
    level, *others = {one.level for one in evening.rounds}
    level = "mixed" if others else level
    return NewMatch(against="player", opponent=rival.name, deals=len(evening.rounds), level=cast(EveningLevel, level))
