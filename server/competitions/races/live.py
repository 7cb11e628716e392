"""Showing races: a race whole, to who asks and to everybody who follows it; of the games no more than the meters.

What all followers are told is the same; it is said at once when the race itself changes, of the meters at most once a
second. The race's secret is told when the race is over, the token of its link only to those who are in it.
"""

from collections.abc import Iterable, Sequence

from clients.wire import messages as wire
from clients.wire.codec import encode
from clients.wire.values import Player, Racer
from server.competitions.races import race_state
from server.competitions.races.race_state import RaceState
from server.competitions.races.repository import RaceRepository
from server.eventlog.background_tasks import BackgroundTasks
from server.games import game_messages
from server.games.game_state import GameState, Step
from server.leaderboards.ranking import race_rank_key, ranks
from server.players.player_cache import PlayerCache
from server.realtime.connection import Viewer, frame
from server.realtime.hub import Hub


class Shown:
    """A race as it was last shown: who is in it by name, and their games by player."""

    __slots__ = ("games", "match", "players")

    def __init__(self, match: RaceState, players: dict[str, Player], games: Iterable[GameState]) -> None:
        self.match = match
        self.players = players
        self.games: dict[str, GameState] = {}
        for game in games:
            self.see(game)

    def see(self, game: GameState) -> None:
        """Take a game that is later than the one seen before."""
        seen = self.games.get(game.player)
        if seen is None or seen.version <= game.version:
            self.games[game.player] = game

    def message(self, now: int, *, id: str | None = None, token: str | None = None) -> wire.Race:
        """The race whole."""
        match, opened = self.match, self.match.opened
        return wire.Race(
            id=id,
            race=match.id,
            rules=opened.game,
            state=match.state(now),
            size=opened.size,
            seconds=opened.seconds,
            countdown=opened.countdown,
            open=opened.open,
            commitment=opened.commitment,
            opened_at=match.opened_at,
            version=match.version,
            at=now,
            racers=self._racers(now),
            invited=[self.players[player] for player in match.invited],
            host=match.host,
            starts_at=match.starts_at,
            ends_at=match.ends_at,
            nonce=match.started.nonce if match.started else None,
            secret=match.finished.secret if match.finished else None,
            rematch=match.rematch,
            token=token,
        )

    def _racers(self, now: int) -> list[Racer]:
        results = self.match.finished.results if self.match.finished else ()
        found = ranks([race_rank_key(result) for result in results])
        rank_of = {result.player: rank for result, rank in zip(results, found, strict=True)}
        racers = []
        for racer in self.match.racers:
            player, game = self.players[racer.player], self.games.get(racer.player)
            meter = game_messages.progress(game, player).at(now) if game else None
            racers.append(Racer(player=player, nonce=racer.nonce, meter=meter, rank=rank_of.get(racer.player)))
        return racers


class LiveRaces:
    """What one node shows of races."""

    def __init__(self, keeper: RaceRepository, hub: Hub, roster: PlayerCache) -> None:
        self._keeper = keeper
        self._hub = hub
        self._roster = roster
        self._shown: dict[str, Shown] = {}
        self.background = BackgroundTasks()

    async def show(self, match: RaceState, player: str | None) -> wire.Race:
        """The race as it stands; for those in it with its token."""
        shown = await self._load(match)
        token = await self._keeper.token(match) if player in match.players else None
        return shown.message(self._keeper.now(), token=token)

    async def show_all(self, found: Iterable[RaceState]) -> list[wire.Race]:
        """These races as they stand."""
        return [(await self._load(match)).message(self._keeper.now()) for match in found]

    async def watch(self, viewer: Viewer, asked: wire.WatchRace) -> None:
        """Show a race now and from then on. Raises NotFound."""
        await self._follow(viewer, asked.race, asked.id)

    async def refresh(self, viewer: Viewer) -> None:
        """Show the races that the viewer follows afresh."""
        for entered in tuple(viewer.rooms):
            if entered.startswith(race_state.STREAM):
                await self._follow(viewer, entered.removeprefix(race_state.STREAM), None)

    def shows(self, game_id: str) -> bool:
        """Whether somebody here follows a race that this game is in."""
        return any(game.id == game_id for shown in self._shown.values() for game in shown.games.values())

    def changed(self, match: RaceState) -> None:
        """The race itself has changed: tell everybody who follows it."""
        if self._hub.entered(room(match.id)):
            self.background.start(self._retell, match)

    def told(self, steps: Sequence[Step]) -> None:
        """A game got on: tell those who follow its race, soon."""
        after = steps[-1].after
        shown = self._shown.get(after.dealt.race or "")
        if shown is not None:
            shown.see(after)
            self._hub.say_soon(room(shown.match.id), lambda: shown.message(self._keeper.now()))

    async def close(self) -> None:
        """Let what is under way end."""
        await self.background.close()

    async def _follow(self, viewer: Viewer, match_id: str, id: str | None) -> None:
        loaded = await self._load(await self._keeper.get(match_id))
        # From here to the end nothing waits, so that no change falls between what is shown and what is told.
        self._hub.enter(viewer, room(match_id))
        viewer.write(frame(encode(self._keep(loaded).message(self._keeper.now(), id=id))))

    async def _retell(self, match: RaceState) -> None:
        shown = self._keep(await self._load(match))
        self._hub.say(room(match.id), shown.message(self._keeper.now()))

    async def _load(self, match: RaceState) -> Shown:
        players = await self._roster.players((*match.players, *match.invited))
        return Shown(match, players, await self._keeper.games(match))

    def _keep(self, shown: Shown) -> Shown:
        """The later of what was read and what is kept; what nobody follows is kept no longer."""
        self._shown = {known: one for known, one in self._shown.items() if self._hub.entered(room(known))}
        kept = self._shown.get(shown.match.id)
        for game in kept.games.values() if kept else ():
            shown.see(game)
        if kept is not None and kept.match.version > shown.match.version:
            shown = Shown(kept.match, kept.players, shown.games.values())
        self._shown[shown.match.id] = shown
        return shown


def room(match_id: str) -> str:
    """The room of those who follow a race."""
    return race_state.stream(match_id)
