"""Races: the list of open races, and the screen of one race from its opening to its results."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

from rich.text import Text

from cadogan.sdk.client import random_nonce
from cadogan.sdk.errors import ClientError
from cadogan.sdk.ranking import sort_racers
from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_duration, format_player, format_status
from cadogan.terminal.game.game_screen import open_game, open_replay
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_link_row, make_row
from cadogan.terminal.words import t
from cadogan.wire.messages import Race, ServerMessage
from cadogan.wire.races import NewRace
from cadogan.wire.values import Racer

TIME_LIMITS_MINUTES = (5, 10, 30, 120)
"""How long a race may take."""


async def load_races(panel: ListPanel) -> None:
    """Show the open races, and ways to open or join one."""
    app = terminal_app(panel)
    races = (await app.client.list_races()).races
    rows = []
    for race in races:
        name = await app.rules_name(race.rules)
        who = ", ".join(format_player(racer.player) for racer in race.racers)
        cells = ((name, 28), (t("time.minutes", minutes=race.seconds // 60), 10), who)
        rows.append(make_row(*cells, action=partial(_join, app, race.race), rules=race.rules, key=race.race))
    rows.append(make_row(t("races.make"), action=partial(_open, app)))
    rows.append(make_row(t("terminal.join_by_link"), action=partial(_join_by_link, app)))
    panel.fill(Text(t("terminal.choose_race")), rows)


async def _open(app: TerminalApp) -> None:
    cards = list((await app.rules_by_slug()).values())
    game = await app.choose(t("home.choose_game"), *(card.name for card in cards))
    if game is None:
        return
    time = await app.choose(t("races.time"), *(t("races.minutes", count=limit) for limit in TIME_LIMITS_MINUTES))
    if time is None:
        return
    who = await app.choose(t("terminal.who_may_join"), t("terminal.anyone_in_list"), t("terminal.anyone_with_link"))
    if who is None:
        return
    seconds = TIME_LIMITS_MINUTES[time] * 60
    wanted = NewRace(rules=cards[game].slug, nonce=random_nonce(), seconds=seconds, open=who == 0)
    await app.push_screen(RaceScreen(await app.client.open_race(wanted)))


async def _join_by_link(app: TerminalApp) -> None:
    answers = await app.ask(t("terminal.race_link"), "https://…/race/…")
    if answers is not None:
        race, token = parse_race_link(answers[0])
        await _join(app, race, token)


async def _join(app: TerminalApp, race: str, token: str | None = None) -> None:
    await app.push_screen(RaceScreen(await app.client.join_race(race, random_nonce(), token)))


def parse_race_link(link: str) -> tuple[str, str | None]:
    """Return the id and the token of a race from its link, or from its id alone.

    >>> parse_race_link("https://patience.example/race/r2s4t6u3v5w7x2yz?token=abc")
    ('r2s4t6u3v5w7x2yz', 'abc')
    """
    parts = urlsplit(link.strip())
    tokens = parse_qs(parts.query).get("token")
    return parts.path.rstrip("/").rpartition("/")[2], tokens[0] if tokens else None


class RaceScreen(ListScreen):
    """One race. When it starts, the player's game opens. When it is over, the results are shown here."""

    def __init__(self, race: Race) -> None:
        super().__init__()
        self._race = race
        self._token = race.token
        self._player_id: str | None = None
        self._game_opened = False
        self._stop: Callable[[], None] | None = None

    def on_mount(self) -> None:
        """Watch the race."""
        self._stop = terminal_app(self).client.watch_race(self._race.race, self._receive)
        self.set_interval(1, self._reload_if_visible)

    def on_unmount(self) -> None:
        """Stop watching."""
        if self._stop is not None:
            self._stop()

    async def load(self, panel: ListPanel) -> None:
        """Show the state of the race, its racers in order, and what the player can do."""
        app, race = terminal_app(panel), self._race
        if self._player_id is None:
            player = (await app.client.who_am_i()).player
            self._player_id = player.id if player else ""
        own = next((racer for racer in race.racers if racer.player.id == self._player_id), None)
        name = await app.rules_name(race.rules)
        heading = Text(t("races.title", game=name), "bold").append(f"\n{self._state_text(app.now())}", "not bold")
        rows = [self._racer_row(app, racer) for racer in sort_racers(race.racers)]
        rows += self._actions(app, own, race.host == self._player_id)
        panel.fill(heading, rows)
        if race.state == "running" and own is not None and own.meter is not None and not self._game_opened:
            self._game_opened = True
            app.run_in_background(partial(open_game, app, own.meter.game))  # the next load cancels this one

    def _state_text(self, now: int) -> str:
        race = self._race
        match race.state:
            case "open":
                limit = t("time.minutes", minutes=race.seconds // 60)
                return f"{t('races.there', count=len(race.racers), size=race.size)} {t('races.time')}: {limit}."
            case "countdown":
                seconds = max(0, -(-((race.starts_at or now) - now) // 1000))
                return t("terminal.starts_in", time=t("races.seconds", count=seconds))
            case "running":
                return t("races.left", time=format_duration(max(0, (race.ends_at or now) - now)))
            case "over":
                return f"{t('races.over')}. {t('terminal.choose_replay')}"
        return t("races.abandoned")

    def _racer_row(self, app: TerminalApp, racer: Racer) -> Row:
        meter = racer.meter
        cells: list[tuple[str, int] | str] = [(f"{racer.rank or '':>3}", 5), (format_player(racer.player), 24)]
        if meter is None:
            return make_row(*cells)
        home, moves = t("terminal.home", count=meter.home), t("common.moves", count=meter.moves)
        cells += [(home, 14), (moves, 12), (format_status(meter.status), 18)]
        over = self._race.state == "over"
        return make_row(
            *cells, format_duration(meter.milliseconds), action=partial(open_replay, app, meter.game) if over else None
        )

    def _actions(self, app: TerminalApp, own: Racer | None, is_host: bool) -> list[Row]:
        race, address = self._race, app.client.address
        match race.state:
            case "open" if own is not None:
                link = f"{address}/race/{race.race}" + (f"?token={self._token}" if self._token else "")
                rows = [make_link_row(app, link)]
                if is_host:
                    rows.append(make_row(t("races.start"), action=partial(self._start, app)))
                return [*rows, make_row(t("races.leave"), action=partial(self._leave, app))]
            case "running" if own is not None and own.meter is not None:
                return [make_row(t("terminal.to_table"), action=partial(open_game, app, own.meter.game))]
            case "over" if own is not None:
                return [make_row(t("races.rematch"), action=partial(self._rematch, app))]
        return []

    async def _start(self, app: TerminalApp) -> None:
        await app.client.start_race(self._race.race)

    async def _leave(self, app: TerminalApp) -> None:
        await app.client.leave_race(self._race.race)
        self.dismiss()

    async def _rematch(self, app: TerminalApp) -> None:
        race = await app.client.open_rematch(self._race.race, random_nonce())
        self.dismiss()
        await app.push_screen(RaceScreen(race))

    def _receive(self, message: ServerMessage | ClientError) -> None:
        if isinstance(message, Race):
            self._race = message
            self._reload_if_visible()

    def _reload_if_visible(self) -> None:
        if self.is_current or self._race.state == "running":
            self.reload()
