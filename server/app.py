"""A server: the place that builds its parts and connects them. `cadogan.server.web_app` adds those that only handlers
need."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog

from cadogan.server.analysis.decided_positions import DecidedPositions
from cadogan.server.analysis.jobs import AnalysisJobs
from cadogan.server.cluster.bus import PLAYER_PREFIX, SESSION_PREFIX, SIGNS_PREFIX, STRUCK_PREFIX, TALK_PREFIX, Bus
from cadogan.server.cluster.choose_bus import make_bus
from cadogan.server.competitions.casual.competition import CasualCompetition
from cadogan.server.competitions.casual.games import CasualGames
from cadogan.server.competitions.competition import Competition, Competitions
from cadogan.server.competitions.daily.attempts import DailyAttempts
from cadogan.server.competitions.daily.beacon_days import BeaconDays
from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.competition import DailyCompetition
from cadogan.server.competitions.daily.progress import DailyProgress
from cadogan.server.competitions.daily.schedule import default_calendar, read_calendar
from cadogan.server.competitions.daily.stuck_runs import StuckRuns
from cadogan.server.competitions.races.commands import RaceCommands
from cadogan.server.competitions.races.competition import RaceCompetition
from cadogan.server.competitions.races.live import LiveRaces
from cadogan.server.competitions.races.repository import RaceRepository
from cadogan.server.competitions.races.settlement import RaceSettlement
from cadogan.server.config import Settings, process_count
from cadogan.server.core.batching import Batcher
from cadogan.server.core.clock import Clock, now
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.cores import count_cores
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.database.connections import MAX_OVERFLOW, POOL_SIZE, Database, open_database
from cadogan.server.database.pooler import require_own_sessions
from cadogan.server.database.revisions import require_current
from cadogan.server.eventlog.streams import DAYS, GAMES, RACES
from cadogan.server.fairness.beacon_source import BeaconAddress, BeaconSource
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.fairness.stored_certificates import StoredCertificates
from cadogan.server.games.archived_games import ArchivedGames
from cadogan.server.games.commits import CommitPublisher
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import GameIndex
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.run_results import RunResults
from cadogan.server.house.schedule import HouseSchedule
from cadogan.server.leaderboards.live import LiveBoards
from cadogan.server.leaderboards.queries import BoardQueries
from cadogan.server.leaderboards.struck_runs import StruckRuns
from cadogan.server.operations.host_keys import host_key_of
from cadogan.server.play.access import Access
from cadogan.server.play.analyses import Analyses
from cadogan.server.play.continuations import Continuations
from cadogan.server.play.game_commands import GameCommands
from cadogan.server.play.histories import Histories
from cadogan.server.play.history_bodies import HistoryBodies
from cadogan.server.play.resync import Resync
from cadogan.server.play.spectating import Spectating
from cadogan.server.play.view_log import ViewLog
from cadogan.server.play.wake_ups import GAME, WakeUps
from cadogan.server.play.winnability import WinnabilityQuestions
from cadogan.server.players.persons import Persons
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.players.profiles import Profiles
from cadogan.server.players.session_connections import SessionConnections
from cadogan.server.players.sign_in.accounts import Accounts
from cadogan.server.players.sign_in.personal_tokens import PersonalTokens
from cadogan.server.realtime.coalescing import Coalescer
from cadogan.server.realtime.connection import Viewer
from cadogan.server.realtime.game_feed import GameFeed
from cadogan.server.realtime.hub import Hub
from cadogan.server.realtime.presence import Presence
from cadogan.server.realtime.topics import game_topic, race_topic
from cadogan.server.storage.sql_store import SqlStore
from cadogan.server.talk.group_talk import GroupTalk
from cadogan.server.talk.live_talk import LiveTalk
from cadogan.server.talk.signs import Signs
from cadogan.server.transparency.signing.host_key import HostKey
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.transparency_log import TransparencyLog
from cadogan.server.transparency.witness import Witness

HISTORY_EVENTS_RATE = 100
HISTORY_EVENTS_BURST = 500
"""How many events of histories may be read by one player, or one address, for each command that the settings allow."""
CLOSE_TIMEOUT_SECONDS = 2.0
"""Seconds for what is under way when the server stops; it may wait for a database that is silent."""

log = structlog.stdlib.get_logger("cadogan")


@dataclass(frozen=True)
class Server:
    """The parts of one server, all but HTTP; `make_server` says how they are connected."""

    settings: Settings
    now: Clock
    clocks: ClockCheck
    metrics: Metrics
    database: Database
    store: SqlStore
    deals: SealedDeals
    index: GameIndex
    accounts: Accounts
    players: PlayerCache
    persons: Persons
    profiles: Profiles
    personal_tokens: PersonalTokens
    sessions: SessionConnections
    bus: Bus
    wake_ups: WakeUps
    resync: Resync
    coalescer: Coalescer
    hub: Hub
    presence: Presence
    feed: GameFeed
    commits: CommitPublisher
    competitions: Competitions
    cache: GameCache
    commands: GameCommands
    access: Access
    spectating: Spectating
    histories: Histories
    analysis_jobs: AnalysisJobs
    decided_positions: DecidedPositions
    analyses: Analyses
    winnability: WinnabilityQuestions
    continuations: Continuations
    reader: GameReader
    outlines: GameOutlines
    bodies: HistoryBodies
    history_limit: AddressLimit
    casual_games: CasualGames
    schedule: HouseSchedule
    challenges: DailyChallenges
    beacon: BeaconSource | None
    attempts: DailyAttempts
    run_results: RunResults
    progress: DailyProgress
    race_repository: RaceRepository
    races: RaceSettlement
    race_commands: RaceCommands
    live_races: LiveRaces
    boards: BoardQueries
    struck_runs: StruckRuns
    live_boards: LiveBoards
    talk: GroupTalk
    live_talk: LiveTalk
    signs: Signs
    host_key: HostKey
    transparency: TransparencyLog
    witness: Witness

    def publish_struck(self, game_id: str) -> None:
        """Tell those who watch, on every node, that a run was struck off the boards or put back."""
        self.show_struck(game_id)
        self.wake_ups.publish_struck(game_id)

    def show_struck(self, game_id: str) -> None:
        """Tell those who watch on this node that a run was struck off the boards or put back."""
        self.live_boards.schedule_reload(game_id)
        self.live_races.on_struck(game_id)
        self.progress.on_struck(game_id)

    async def refresh(self, viewer: Viewer) -> None:
        """Send a viewer that fell behind fresh views of everything it is subscribed to."""
        live = (self.live_races, self.live_boards, self.live_talk)
        for part in (self.spectating, self.progress, *live, self.analyses):
            await part.refresh(viewer)

    def flush(self) -> None:
        """Send now what waits for the end of an interval."""
        self.coalescer.flush()
        self.live_boards.publish_now()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is under way in the background."""
        parts = (self.resync, self.cache, self.sessions, self.races, self.live_races, self.live_boards)
        for _ in range(2):  # what one part has ended may have started something in another
            for part in (*parts, self.progress, self.spectating, self.live_talk, self.signs):
                await part.wait_until_idle()


def make_server(
    settings: Settings,
    now: Clock = now,
    bus: Bus | None = None,
    competitions: Iterable[Callable[[Server], Competition]] = (),
    steady: Clock | None = None,
) -> Server:
    """Return the parts of a server, connected and not yet at work. Nothing is read or written before `run`.

    Nodes of one process that share a `bus` wake each other. `competitions` are made beside casual games, the daily
    challenge and races, each from the server that it is to be part of. `ClockCheck` says what `steady` is for.
    """
    metrics = Metrics()
    database = Database(settings.database_url, serving=True)
    clocks = ClockCheck(now, steady, None if database.is_sqlite else database.read_time)
    store, deals = SqlStore(database), SealedDeals(database)
    index = GameIndex(database, store.workers)
    accounts = Accounts(database, now, processes=process_count(settings, count_cores()))
    profiles, boards = Profiles(database), BoardQueries(database)
    players = PlayerCache(Batcher(accounts.players).get_many)
    struck_runs = StruckRuns(database)
    persons = Persons(database, settings.fresh * 1000)
    results = RunResults(index)

    bus = bus or make_bus(settings.bus, settings.database_url, metrics, database.primary)
    resync = Resync()
    wake_ups = WakeUps(bus, resync)
    personal_tokens = PersonalTokens(database, now)

    async def valid_sessions(sessions: Collection[str]) -> set[str]:
        valid = await accounts.valid_sessions(sessions)
        return valid | await personal_tokens.valid(set(sessions) - valid)

    sessions = SessionConnections(valid_sessions, wake_ups.publish_session)

    hub = Hub(coalescer := Coalescer())
    presence = Presence(hub, coalescer, wake_ups.publish_presence)
    feed = GameFeed(hub)
    live_boards = LiveBoards(boards, hub, players)

    def is_game_watched(game_id: str) -> bool:
        return hub.has_subscribers(game_topic(game_id)) or live_races.shows_game(game_id)

    def is_race_watched(race_id: str) -> bool:
        return hub.has_subscribers(race_topic(race_id))

    def on_spoiled_unbegun(player: str) -> None:
        spectating.lift_embargo(player)
        wake_ups.publish_player(player)

    known, commits = Competitions(CasualCompetition()), CommitPublisher()
    reader = GameReader(store, deals, known.rules, ArchivedGames(database))
    outlines, bodies = GameOutlines(database, known.rules, store.workers), HistoryBodies(reader)
    cache = GameCache(store, reader, bus, commits, is_game_watched, now)
    history_limit = AddressLimit(settings.rate * HISTORY_EVENTS_RATE, settings.burst * HISTORY_EVENTS_BURST)
    commands = GameCommands(store, cache, known, commits, on_spoiled_unbegun, history_limit, metrics, now)
    access = Access(known, persons, ViewLog(store, now))
    jobs, decided = AnalysisJobs(database, now), DecidedPositions(database, now)
    casual_games = CasualGames(deals, commands, index, now)
    spectating = Spectating(cache, access, hub, presence, players, now)

    host_key, transparency = host_key_of(settings), TransparencyLog(database)

    calendar = read_calendar(settings.calendar) if settings.calendar else default_calendar()
    stuck_runs, grace = StuckRuns(index, reader, commands), settings.daily_grace * 1000
    certificates, schedule = StoredCertificates(database), HouseSchedule(database, calendar, now)
    beacon = BeaconSource(BeaconAddress.read(settings.beacon)) if settings.beacon else None
    beacon_days = BeaconDays(beacon, certificates)
    challenges = DailyChallenges(
        store, deals, certificates, schedule.current, grace, stuck_runs.end_all, boards.digests, beacon_days, clocks
    )
    progress = DailyProgress(challenges, cache, index, struck_runs, store, players, persons, hub, coalescer, bus, now)
    known.add(DailyCompetition(challenges, progress, results, persons, now))

    race_repository = RaceRepository(store, deals, bus, wake_ups.publish, is_race_watched, now)
    races = RaceSettlement(race_repository, commands, cache, index, now, clocks)
    live_races = LiveRaces(race_repository, races, struck_runs, hub, players, now)
    talk = GroupTalk(database, now)
    signs = Signs(database, outlines, races, access, players, persons, hub, wake_ups, now)
    live_talk = LiveTalk(talk, players, hub, bus, wake_ups.publish_talk)
    known.add(RaceCompetition(races, live_races, results, persons))

    commits.subscribe(feed.on_commit, known.on_commit, wake_ups.on_commit)
    commits.subscribe_to_ends(spectating.on_end, live_boards.on_end, wake_ups.on_end)
    race_repository.on_change(live_races.on_race_change, spectating.on_race_change)
    challenges.on_change(progress.on_day_change, spectating.on_day_change)
    challenges.on_write(wake_ups.publish_day)
    wake_ups.handle(GAME, cache.on_wake_up, progress.on_wake_up, live_boards.on_wake_up)
    wake_ups.handle(RACES, races.on_wake_up)
    wake_ups.handle(DAYS, progress.on_day_wake_up)
    wake_ups.handle(PLAYER_PREFIX, lambda player, _: spectating.lift_embargo(player))
    wake_ups.handle(SESSION_PREFIX, lambda session, _: sessions.check_sessions(session))
    wake_ups.handle(TALK_PREFIX, live_talk.on_wake_up)
    wake_ups.handle(SIGNS_PREFIX, signs.on_wake_up)
    wake_ups.handle_presence(presence.receive)
    resync.add(sessions.resync, presence.resync, live_boards.resync, cache.resync, races.resync, progress.resync)
    resync.add(live_talk.resync)
    metrics.watchers.set_function(lambda: hub.count_subscriptions(GAMES))
    metrics.database_connections.set_function(lambda: database.connections_in_use)
    metrics.max_database_connections.set(POOL_SIZE + MAX_OVERFLOW)
    metrics.sittings.set_function(lambda: len(cache))

    server = Server(
        settings=settings,
        now=now,
        clocks=clocks,
        metrics=metrics,
        database=database,
        store=store,
        deals=deals,
        index=index,
        accounts=accounts,
        players=players,
        persons=persons,
        profiles=profiles,
        personal_tokens=personal_tokens,
        sessions=sessions,
        bus=bus,
        wake_ups=wake_ups,
        resync=resync,
        coalescer=coalescer,
        hub=hub,
        presence=presence,
        feed=feed,
        commits=commits,
        competitions=known,
        cache=cache,
        commands=commands,
        access=access,
        spectating=spectating,
        analysis_jobs=jobs,
        decided_positions=decided,
        analyses=Analyses(outlines, reader, access, jobs, hub),
        winnability=WinnabilityQuestions(cache, access, jobs, decided, hub),
        continuations=Continuations(outlines, reader, deals, access, casual_games, commands, known.rules, now),
        histories=Histories(outlines, bodies, cache, deals, challenges, access, index, players, transparency, now),
        reader=reader,
        outlines=outlines,
        bodies=bodies,
        history_limit=history_limit,
        casual_games=casual_games,
        schedule=schedule,
        challenges=challenges,
        beacon=beacon,
        attempts=DailyAttempts(challenges, commands, cache, results, persons, players, now),
        run_results=results,
        progress=progress,
        race_repository=race_repository,
        races=races,
        race_commands=RaceCommands(race_repository, races, index, persons, now),
        live_races=live_races,
        boards=boards,
        struck_runs=struck_runs,
        live_boards=live_boards,
        talk=talk,
        live_talk=live_talk,
        signs=signs,
        host_key=host_key,
        transparency=transparency,
        witness=Witness(database, host_key, [*map(VerifierKey.read, settings.witness_for)], now),
    )
    wake_ups.handle(STRUCK_PREFIX, lambda game_id, _: server.show_struck(game_id))
    for make_competition in competitions:
        known.add(make_competition(server))
    return server


@asynccontextmanager
async def opened(server: Server) -> AsyncIterator[Server]:
    """Open the server's database; at the end write what waits, and close it.

    Raises DatabaseNotCurrent, or what the driver raises when the database does not answer.
    """
    try:
        if server.settings.migrate:
            from cadogan.server.database.migrations import (
                migrate,  # with alembic, which a server needs for nothing else
            )

            async with open_database(server.settings.database_url) as database:
                await migrate(database)
        await require_own_sessions(server.database)
        await require_current(server.database)
        yield server
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await _close(server)
        server.coalescer.close()
        server.presence.close()
    finally:
        closing = asyncio.gather(server.bus.close(), server.store.close())
        await asyncio.wait([closing], timeout=CLOSE_TIMEOUT_SECONDS + 1)
        await server.database.close()
        await closing


async def _close(server: Server) -> None:
    """Stop listening to the other nodes, and wait for what is under way."""
    server.wake_ups.close()
    await server.resync.close()
    await server.bodies.close()
    await server.analyses.close()
    await server.winnability.close()
    await server.cache.close()
    await server.sessions.close()
    await server.races.close()
    await server.live_races.close()
    await server.live_boards.close()
    await server.live_talk.close()
    await server.signs.close()
    await server.progress.close()
    await server.spectating.close()
    if server.beacon is not None:
        await server.beacon.close()
