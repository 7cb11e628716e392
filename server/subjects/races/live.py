"""Live races: sends the whole race, with the meters of its games, on request and to all its viewers.

All viewers get the same message: at once when the race itself changes, at most once a second when only its meters do.
It has the race's secret once the race is over. Only racers get the token of its link.
"""

from collections.abc import Iterable, Mapping

from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import DISQUALIFICATION_PREFIX, WakeUpHandlers
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.eventlog.projections import StrikeRow
from cadogan.server.core.eventlog.streams import RACES, id_of
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.game_messages import progress_of
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import Hub, race_topic
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.ranking import race_rank_key, ranks
from cadogan.server.subjects.leaderboards.disqualified_runs import DisqualifiedRuns, shown_strike
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.races.repository import RaceCommitted, RaceRepository
from cadogan.server.subjects.races.settlement import RaceSettlement
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.values import Player, Racer


class ShownRace:
    """A race as it was last sent: its racers, their games by player, and the strikes by game id."""

    __slots__ = ("disqualified", "games", "players", "race")

    def __init__(
        self,
        race: RaceState,
        players: dict[str, Player],
        games: Iterable[GameState],
        disqualified: Mapping[str, StrikeRow],
    ) -> None:
        self.race = race
        self.players = players
        self.disqualified = disqualified
        self.games: dict[str, GameState] = {}
        for game in games:
            self.update(game)

    def update(self, game: GameState) -> None:
        """Replace a game, unless a later version of it is stored."""
        shown = self.games.get(game.player)
        if shown is None or shown.version <= game.version:
            self.games[game.player] = game

    def message(self, now: int, *, id: str | None = None, token: str | None = None) -> wire.Race:
        """Return the message with the whole race at `now`."""
        race, opened = self.race, self.race.opened
        return wire.Race(
            id=id,
            race=race.id,
            rules=opened.game,
            state=race.state(now),
            size=opened.size,
            seconds=opened.seconds,
            countdown=opened.countdown,
            open=opened.open,
            commitment=opened.commitment,
            opened_at=race.opened_at,
            version=race.version,
            at=now,
            racers=self._racers(now),
            invited=[self.players[player] for player in race.invited],
            host=race.host,
            starts_at=race.starts_at,
            ends_at=race.ends_at,
            nonce=race.started.nonce if race.started else None,
            secret=race.finished.secret if race.finished else None,
            rematch=race.rematch,
            token=token,
        )

    def _racers(self, now: int) -> list[Racer]:
        results = self.race.finished.results if self.race.finished else ()
        reasons = {
            result.player: shown_strike(row).reason for result in results if (row := self.disqualified.get(result.game))
        }
        results = tuple(result for result in results if result.player not in reasons)
        places = ranks([race_rank_key(result) for result in results])
        rank_of = dict(zip((result.player for result in results), places, strict=True))
        racers = []
        for racer in self.race.racers:
            player, game = self.players[racer.player], self.games.get(racer.player)
            meter = progress_of(game, player).at(now) if game else None
            rank, disqualified = rank_of.get(racer.player), reasons.get(racer.player)
            racers.append(Racer(player=player, nonce=racer.nonce, meter=meter, rank=rank, struck=disqualified))
        return racers


class LiveRaces(BackgroundPart):
    """The races that are watched on one node."""

    def __init__(
        self,
        repository: RaceRepository,
        settlement: RaceSettlement,
        disqualified_runs: DisqualifiedRuns,
        hub: Hub,
        players: PlayerCache,
        now: Clock,
    ) -> None:
        super().__init__()
        self._repository = repository
        self._settlement = settlement
        self._disqualified_runs = disqualified_runs
        self._hub = hub
        self._players = players
        self._now = now
        self._shown: dict[str, ShownRace] = {}

    async def show(self, race: RaceState, player: str | None) -> wire.Race:
        """Return the race as it is now, with its token if the player is a racer."""
        shown = await self._load(race)
        token = await self._repository.invitation_token(race.id) if player in race.players else None
        return shown.message(self._now(), token=token)

    async def show_all(self, races: Iterable[RaceState]) -> list[wire.Race]:
        """Return these races as they are now."""
        return [(await self._load(race)).message(self._now()) for race in races]

    async def subscribe(self, viewer: Viewer, race_id: str, id: str | None) -> None:
        """Send a race now and at every change. Raises NotFound."""
        loaded = await self._load(await self._settlement.get(race_id))
        # No await from here to the end, so that no change is lost between this message and the next.
        self._hub.subscribe(viewer, race_topic(race_id))
        viewer.write(frame(encode(self._cache(loaded).message(self._now(), id=id))))

    async def refresh(self, viewer: Viewer) -> None:
        """Send every race that the viewer watches again."""
        for topic in tuple(viewer.topics):
            if topic.startswith(RACES):
                await self.subscribe(viewer, id_of(topic), None)

    def shows_game(self, game_id: str) -> bool:
        """Return whether a viewer on this node watches the race of this game."""
        return any(game.id == game_id for shown in self._shown.values() for game in shown.games.values())

    def on_race_change(self, committed: RaceCommitted) -> None:
        """Send a race that has changed to everybody who watches it."""
        self._schedule_send(committed.state)

    def _schedule_send(self, race: RaceState) -> None:
        if self._hub.has_subscribers(race_topic(race.id)):
            self.background.start(self._send, race.id)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for struck or restored runs."""
        return {DISQUALIFICATION_PREFIX: self.on_disqualification}

    def on_disqualification(self, game_id: str, _: int) -> None:
        """Send the race of a struck or restored game to its viewers."""
        for shown in self._shown.values():
            if any(game.id == game_id for game in shown.games.values()):
                self._schedule_send(shown.race)

    def on_commit(self, committed: Committed) -> None:
        """Schedule sending the race of a changed game to its viewers."""
        game = committed.state
        shown = self._shown.get(game.dealt.race or "")
        if shown is not None:
            shown.update(game)
            self._hub.schedule_send(race_topic(shown.race.id), lambda: shown.message(self._now()))

    async def _send(self, race_id: str) -> None:
        race = await self._settlement.get(race_id)  # waits until the games are dealt, if the race is starting now
        shown = self._cache(await self._load(race))
        self._hub.send(race_topic(race.id), shown.message(self._now()))

    async def _load(self, race: RaceState) -> ShownRace:
        players = await self._players.players((*race.players, *race.invited))
        results = race.finished.results if race.finished else ()
        disqualified = await self._disqualified_runs.among([result.game for result in results])
        return ShownRace(race, players, await self._settlement.games(race), disqualified)

    def _cache(self, shown: ShownRace) -> ShownRace:
        """Return the later of the race that was read and the stored one; drop stored races without viewers."""
        self._shown = {known: one for known, one in self._shown.items() if self._hub.has_subscribers(race_topic(known))}
        stored = self._shown.get(shown.race.id)
        for game in stored.games.values() if stored else ():
            shown.update(game)
        if stored is not None and stored.race.version > shown.race.version:
            shown = ShownRace(stored.race, stored.players, shown.games.values(), shown.disqualified)
        self._shown[shown.race.id] = shown
        return shown
