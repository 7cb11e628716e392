"""Races: the open ones, and one from its opening to its results."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

from rich.text import Text

from clients.sdk.client import random_nonce
from clients.sdk.errors import ClientError
from clients.terminal.app import TerminalApp, host
from clients.terminal.formatting import counted, duration, status_words
from clients.terminal.game_screen import open_game
from clients.terminal.list_screen import Listing, ListScreen, Row, row
from clients.terminal.replay import open_replay
from clients.wire.messages import Race, ServerMessage
from clients.wire.races import NewRace
from clients.wire.values import Racer

TIMES = {"Five minutes": 300, "Ten minutes": 600, "Half an hour": 1800, "Two hours": 7200}


async def load_races(listing: Listing) -> None:
    """The open races, and ways to open or join one."""
    app = host(listing)
    races = (await app.client.list_races()).races
    rows = []
    for race in races:
        name = await app.name_of(race.rules)
        who = ", ".join(racer.player.name for racer in race.racers)
        cells = ((name, 28), (f"{race.seconds // 60} min", 10), who)
        rows.append(row(*cells, act=partial(_join, app, race.race), rules=race.rules, key=race.race))
    rows.append(row("Open a race", act=partial(_open, app)))
    rows.append(row("Join by a link", act=partial(_join_by_link, app)))
    listing.fill(Text("One deal, everybody at once. Choose a race to join it."), rows)


async def _open(app: TerminalApp) -> None:
    cards = sorted((await app.rules_cards()).values(), key=lambda card: card.name)
    game = await app.choose("Which game?", *(card.name for card in cards))
    if game is None:
        return
    time = await app.choose("How long at most?", *TIMES)
    if time is None:
        return
    who = await app.choose("Who may join?", "Anyone who finds it in the list", "Whoever has its link")
    if who is None:
        return
    wanted = NewRace(rules=cards[game].slug, nonce=random_nonce(), seconds=list(TIMES.values())[time], open=who == 0)
    await app.push_screen(RaceScreen(await app.client.open_race(wanted)))


async def _join_by_link(app: TerminalApp) -> None:
    given = await app.ask("The link of the race", "https://…/race/…")
    if given is not None:
        race, token = read_link(given[0])
        await _join(app, race, token)


async def _join(app: TerminalApp, race: str, token: str | None = None) -> None:
    await app.push_screen(RaceScreen(await app.client.join_race(race, random_nonce(), token)))


def read_link(link: str) -> tuple[str, str | None]:
    """A race's id and token, from its link or its id alone.

    >>> read_link("https://patience.example/race/r2s4t6u3v5w7x2yz?token=abc")
    ('r2s4t6u3v5w7x2yz', 'abc')
    """
    parts = urlsplit(link.strip())
    tokens = parse_qs(parts.query).get("token")
    return parts.path.rstrip("/").rpartition("/")[2], tokens[0] if tokens else None


class RaceScreen(ListScreen):
    """One race. When it starts one is led to one's table; when it is over the results are here."""

    def __init__(self, race: Race) -> None:
        super().__init__()
        self._race = race
        self._token = race.token
        self._you: str | None = None
        self._led = False
        self._stop: Callable[[], None] | None = None

    def on_mount(self) -> None:
        """Hear of it."""
        self._stop = host(self).client.watch_race(self._race.race, self._heard)
        self.set_interval(1, self._again)

    def on_unmount(self) -> None:
        """Hear no more of it."""
        if self._stop is not None:
            self._stop()

    async def load(self, listing: Listing) -> None:
        """How it stands, who is in it, and what one may do."""
        app, race = host(listing), self._race
        if self._you is None:
            player = (await app.client.who_am_i()).player
            self._you = player.id if player else ""
        own = next((racer for racer in race.racers if racer.player.id == self._you), None)
        name = await app.name_of(race.rules)
        heading = Text(f"A race: {name}", "bold").append(f"\n{self._stands(app.now())}", "not bold")
        rows = [self._racer(app, racer) for racer in race.racers]
        rows += self._actions(app, own, race.host == self._you)
        listing.fill(heading, rows)
        if race.state == "running" and own is not None and own.meter is not None and not self._led:
            self._led = True
            await open_game(app, own.meter.game)

    def _stands(self, now: int) -> str:
        race = self._race
        match race.state:
            case "open":
                return f"Waiting: {len(race.racers)} of at most {race.size} are here. {race.seconds // 60} min at most."
            case "countdown":
                seconds = max(0, -(-((race.starts_at or now) - now) // 1000))
                return f"It starts in {counted(seconds, 'second')}."
            case "running":
                return f"Under way: {duration(max(0, (race.ends_at or now) - now))} left."
            case "over":
                return "Over. Choose somebody to see that game again."
        return "Nobody came, and it was given up."

    def _racer(self, app: TerminalApp, racer: Racer) -> Row:
        meter = racer.meter
        cells: list[tuple[str, int] | str] = [(f"{racer.rank or '':>3}", 5), (racer.player.name, 24)]
        if meter is None:
            return row(*cells)
        cells += [(f"{meter.home} home", 10), (f"{meter.moves} moves", 12), (status_words(meter.status), 14)]
        over = self._race.state == "over"
        return row(*cells, duration(meter.milliseconds), act=partial(open_replay, app, meter.game) if over else None)

    def _actions(self, app: TerminalApp, own: Racer | None, hosting: bool) -> list[Row]:
        race, address = self._race, app.client.address
        match race.state:
            case "open" if own is not None:
                link = f"{address}/race/{race.race}" + (f"?token={self._token}" if self._token else "")
                rows = [row("Send others this link: ", link, act=partial(self._copy, app, link))]
                if hosting:
                    rows.append(row("Start", act=partial(self._start, app)))
                return [*rows, row("Leave", act=partial(self._leave, app))]
            case "running" if own is not None and own.meter is not None:
                return [row("To your table", act=partial(open_game, app, own.meter.game))]
            case "over" if own is not None:
                return [row("Once more, the same people", act=partial(self._rematch, app))]
        return []

    async def _start(self, app: TerminalApp) -> None:
        await app.client.start_race(self._race.race)

    async def _copy(self, app: TerminalApp, link: str) -> None:
        app.copy_to_clipboard(link)
        app.notify("The link is on the clipboard, where the terminal lets it.")

    async def _leave(self, app: TerminalApp) -> None:
        await app.client.leave_race(self._race.race)
        self.dismiss()

    async def _rematch(self, app: TerminalApp) -> None:
        race = await app.client.open_rematch(self._race.race, random_nonce())
        self.dismiss()
        await app.push_screen(RaceScreen(race))

    def _heard(self, message: ServerMessage | ClientError) -> None:
        if isinstance(message, Race):
            self._race = message
            self._again()

    def _again(self) -> None:
        if self.is_current or self._race.state == "running":
            self.again()
