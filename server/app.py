"""A server: the one place that builds its parts and connects them. `cadogan.server.web_app` serves it over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from cadogan.server.config import Settings, contact_of, process_count, witness_keys
from cadogan.server.core.clock import Clock, now
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.cluster.bus import Bus
from cadogan.server.core.cluster.choose_bus import make_bus
from cadogan.server.core.database.connections import (
    MAX_OVERFLOW,
    POOL_SIZE,
    USES_OF_AN_ADDRESS,
    Database,
    open_database,
)
from cadogan.server.core.database.pooler import require_own_sessions
from cadogan.server.core.database.revisions import require_current
from cadogan.server.core.event_loop import Batcher, Coalescer, count_cores
from cadogan.server.core.eventlog.background_tasks import OutageLog
from cadogan.server.core.eventlog.commits import CommitPublisher
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.fairness.winnable_search import WinnableSearch
from cadogan.server.core.games.access import Access, ViewLog
from cadogan.server.core.games.competition import Competition, Competitions, RunResults
from cadogan.server.core.games.game_cache import Committed, GameCache
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.games.game_reader import ArchivedGames, GameOutlines, GameReader
from cadogan.server.core.games.history_bodies import HistoryBodies
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.core.live.connection import Viewer
from cadogan.server.core.live.http_stream import Stream
from cadogan.server.core.live.hub import GameFeed, Hub, game_topic, race_topic
from cadogan.server.core.live.presence import Presence
from cadogan.server.core.logs import RefusalLog, RequestLog
from cadogan.server.core.mailer import Mailer, SmtpServer
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.people import Persons, PlayerCache
from cadogan.server.core.rate_limits import RequestLimits
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.operations.host_keys import host_key_of
from cadogan.server.operations.merkle_roots import MerkleRoots
from cadogan.server.operations.upkeep import WriteCheck
from cadogan.server.part import Part, Parts
from cadogan.server.subjects.accounts.oidc_provider import OidcProvider
from cadogan.server.subjects.accounts.own_sessions import SessionConnections
from cadogan.server.subjects.accounts.sign_in import SignIn
from cadogan.server.subjects.admin.administration import Administration
from cadogan.server.subjects.admin.history_browser import HistoryBrowser
from cadogan.server.subjects.admin.stored_settings import StoredSchedule
from cadogan.server.subjects.analysis.analysis_routes import Continuations
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.hints import Hints
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from cadogan.server.subjects.analysis.lent_work import LentGames
from cadogan.server.subjects.analysis.played_deals import PlayedDeals
from cadogan.server.subjects.analysis.questions import Analyses, WinnabilityQuestions
from cadogan.server.subjects.casual import CasualCompetition, CasualGames
from cadogan.server.subjects.catalog import GameTallies
from cadogan.server.subjects.chat.group_chat import GroupChat
from cadogan.server.subjects.chat.live_chat import LiveChat
from cadogan.server.subjects.chat.reactions import Reactions
from cadogan.server.subjects.collection.collected import Collections
from cadogan.server.subjects.daily.attempts import DailyAttempts
from cadogan.server.subjects.daily.beacon_days import BeaconAddress, BeaconDays, BeaconSource
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.competition import AbandonedRuns, DailyCompetition, StuckRuns
from cadogan.server.subjects.daily.days import DayCommitted, DayRepository
from cadogan.server.subjects.daily.progress import DailyProgress
from cadogan.server.subjects.daily.rules import default_calendar, read_calendar
from cadogan.server.subjects.daily.yesterday import Yesterday
from cadogan.server.subjects.evenings.evening_list import EveningList
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.guest_names import GuestNames
from cadogan.server.subjects.evenings.leading.leading import EveningLeading
from cadogan.server.subjects.evenings.leading.outage_watch import OutageWatch
from cadogan.server.subjects.evenings.leading.series import EveningSeries
from cadogan.server.subjects.evenings.matches.matches import Matches
from cadogan.server.subjects.evenings.views import EveningViews
from cadogan.server.subjects.evenings.virtual.virtual_evenings import VirtualEvenings
from cadogan.server.subjects.games.game_commands import GameCommands
from cadogan.server.subjects.games.histories import Histories, Receipts
from cadogan.server.subjects.games.results import IdleGames, Results, UnfinishedGames
from cadogan.server.subjects.games.spectating import Spectating
from cadogan.server.subjects.known_rules import installed
from cadogan.server.subjects.leaderboards.disqualified_runs import DisqualifiedRuns
from cadogan.server.subjects.leaderboards.live import LiveBoards
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.server.subjects.news.news import News
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.players.own_data import OwnData, PlayerSettings
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.server.subjects.puzzles.choosing import PuzzleSource
from cadogan.server.subjects.puzzles.puzzles import Puzzles
from cadogan.server.subjects.races.commands import RaceCommands
from cadogan.server.subjects.races.live import LiveRaces
from cadogan.server.subjects.races.repository import RaceCommitted, RaceRepository
from cadogan.server.subjects.races.settlement import RaceCompetition, RaceSettlement
from cadogan.server.subjects.ratings.final_evenings import FinalEvenings
from cadogan.server.subjects.ratings.form_queries import FormQueries
from cadogan.server.subjects.ratings.rater import Rater
from cadogan.server.subjects.reviews.reviews import Reviews
from cadogan.server.subjects.seasons.seasons import Seasons
from cadogan.server.subjects.seasons.sessions import SeasonSessions
from cadogan.server.subjects.seasons.stored_seasons import StoredSeasons
from cadogan.server.subjects.shields.month_runs import MonthRuns
from cadogan.server.subjects.shields.shields import MonthShields
from cadogan.server.subjects.transparency.notes import VerifierKey
from cadogan.server.subjects.transparency.sequencer import Sequencer
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witness, Witnesses
from cadogan.server.subjects.wake_ups import Resync, WakeUps

CLOSE_TIMEOUT_SECONDS = 2.0
"""How long a stopping server waits for work in progress, which may depend on an unresponsive database."""
CANCEL_TIMEOUT_SECONDS = 0.5
"""How long it waits for work that it has cancelled."""
log = structlog.stdlib.get_logger("cadogan")


class Server:
    """The parts of one server, connected but idle: nothing is read or written before `opened`.

    Nodes of one process that share a `bus` wake each other. `competitions` are made beside casual games, the daily
    challenge, races and those that are installed (`known_rules`), each from the server that it is to be part of.
    `ClockCheck` says what `steady` is for.
    """

    def __init__(
        self,
        settings: Settings,
        now: Clock = now,
        bus: Bus | None = None,
        competitions: "Iterable[Callable[[Server], Competition]]" = (),
        steady: Clock | None = None,
    ) -> None:
        self.settings, self.now, self.parts = settings, now, Parts()
        add = self.parts.add
        self.metrics = metrics = Metrics()
        self.render_metrics: Callable[[], Awaitable[bytes]] = self._render_metrics
        """Returns the metrics in Prometheus text format; with several processes, their total."""
        self.database = database = Database(settings.database_url, serving=True)
        self.clocks = ClockCheck(now, steady, None if database.is_sqlite else database.read_time)
        uses = USES_OF_AN_ADDRESS[database.url.get_backend_name()]
        self.limits = RequestLimits(settings.rate, settings.burst, settings.sockets, uses)
        self.refusal_log, self.request_log, self.outages = RefusalLog(), RequestLog(), OutageLog()
        self.sockets, self.streams = set[web.WebSocketResponse](), set[Stream]()
        has_mail = settings.smtp_url and settings.mail_from
        mailer = Mailer(SmtpServer.read(settings.smtp_url), settings.mail_from) if has_mail else None

        self.store = store = SqlStore(database)
        self.deals = deals = SealedDeals(database)
        self.index = index = GameIndex(database, store)
        self.boards = boards = BoardQueries(database)
        self.disqualified_runs = DisqualifiedRuns(database)
        self.run_results = RunResults(index)

        provider = OidcProvider.if_set(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret, now)
        self.sign_in = SignIn(database, mailer, provider, process_count(settings, count_cores()), now)
        self.players = players = PlayerCache(Batcher(self.sign_in.accounts.players).get_many)
        self.persons = persons = Persons(database, settings.fresh * 1000)
        self.profiles = Profiles(database)
        self.groups = Groups(database, now)
        self.collections = Collections(database, index, self.profiles)
        self.yesterday = Yesterday(database, boards, self.profiles, self.groups, players)
        self.player_settings = PlayerSettings(database)
        self.own_data = OwnData(database)
        add(self.sign_in.own_sessions)
        add(self.sign_in.mail_recovery)

        self.bus = bus = bus or make_bus(settings.bus, settings.database_url, metrics, database.primary)
        self.resync = Resync()
        self.wake_ups = WakeUps(bus, self.resync)
        self.hub = hub = Hub(coalescer := Coalescer())
        self.coalescer = coalescer
        self.presence = add(Presence(hub, coalescer, self.wake_ups.publish_presence))
        self.commits = commits = CommitPublisher()

        self.competitions = known = Competitions(CasualCompetition())
        self.access = access = Access(known, persons, ViewLog(store, now))
        self.analysis_jobs, self.decided_positions = AnalysisJobs(database, now), DecidedPositions(database, now)
        self.reader = reader = GameReader(store, deals, known.rules, ArchivedGames(database))
        self.outlines = outlines = GameOutlines(database, known.rules, store)
        self.bodies = add(HistoryBodies(reader))
        self.feed = add(GameFeed(hub))
        self.analyses = add(Analyses(outlines, reader, access, self.analysis_jobs, hub))
        self.cache = cache = add(GameCache(store, reader, known.rules, commits, now, bus, self._has_game_viewers))
        self.winnability = add(WinnabilityQuestions(cache, access, self.analysis_jobs, self.decided_positions, hub))
        self.commands = commands = GameCommands(
            store, cache, known, self.lift_embargo, self.limits.history, metrics, now
        )
        self.sessions = add(SessionConnections(self.sign_in.valid_sessions, self.wake_ups.publish_session))
        self.casual_games = CasualGames(deals, WinnableSearch(settings.compiled), commands, index, now)
        self.continuations = Continuations(
            outlines, reader, deals, access, self.casual_games, commands, known.rules, now
        )
        self.played_deals = PlayedDeals(database, outlines, known, players, self.casual_games)

        self.race_repository = add(
            RaceRepository(store, deals, commits, now, bus, lambda race_id: hub.has_subscribers(race_topic(race_id)))
        )
        self.races = add(RaceSettlement(self.race_repository, commands, cache, index, now, self.clocks))
        self.live_races = add(LiveRaces(self.race_repository, self.races, self.disqualified_runs, hub, players, now))
        self.race_commands = RaceCommands(self.race_repository, self.races, index, persons, now)
        self.live_boards = add(LiveBoards(boards, hub, players))
        self.group_chat = add(GroupChat(database, now))
        self.live_chat = add(LiveChat(self.group_chat, players, hub, bus, self.wake_ups.publish_talk))
        self.reactions = add(
            Reactions(database, outlines, self.races, access, players, persons, hub, self.wake_ups, now)
        )

        calendar = read_calendar(settings.calendar) if settings.calendar else default_calendar()
        self.schedule = StoredSchedule(database, calendar, now)
        self.beacon = BeaconSource(BeaconAddress.read(settings.beacon)) if settings.beacon else None
        self.certificates = certificates = StoredCertificates(database)
        self.days = add(DayRepository(store, certificates, commits, now, settings.daily_grace * 1000))
        self.challenges = challenges = DailyChallenges(
            store,
            self.days,
            deals,
            certificates,
            self.schedule.current,
            StuckRuns(index, reader, commands).end_all,
            boards.digests,
            BeaconDays(self.beacon, certificates),
            self.clocks,
        )
        self.progress = add(
            DailyProgress(
                challenges, cache, index, self.disqualified_runs, store, players, persons, hub, coalescer, bus, now
            )
        )
        self.idle_games = add(IdleGames(index, cache, commands, self.clocks, now))
        room_for = self.casual_games.room_for
        self.attempts = DailyAttempts(challenges, commands, cache, self.run_results, persons, players, room_for, now)
        left_runs = add(AbandonedRuns(challenges, index, cache, commands, now))
        known.add(add(DailyCompetition(challenges, left_runs, self.run_results, persons, now)))
        self.reviews = add(Reviews(database, challenges, outlines, reader, self.analysis_jobs, now))
        source = PuzzleSource(database, outlines, reader, access, self.player_settings)
        self.puzzles = add(Puzzles(self, source, self.continuations, outlines, reader))
        known.add(self.puzzles)
        known.add(add(RaceCompetition(self.races, self.run_results, persons)))

        self.host_key, self.transparency = host_key_of(settings), TransparencyLog(database)
        self.witness_keys = witness_keys(settings)
        self.sequencer = add(Sequencer(self.transparency, self.host_key))
        self.witness = Witness(database, self.host_key, [*map(VerifierKey.read, settings.witness_for)], now)
        add(Witnesses(self.transparency, map(RemoteWitness.read, settings.witnesses)))
        self.spectating = add(Spectating(cache, access, hub, self.presence, players, now))
        self.histories = Histories(
            outlines, self.bodies, cache, deals, known, access, index, players, self.transparency, now
        )
        self.receipts = Receipts(outlines, store, deals, self.transparency, self.host_key)
        self.hints = Hints(cache, access, self.decided_positions)
        self.unfinished_games = UnfinishedGames(index, cache, known, players, now)
        self.game_tallies = GameTallies(database, now)
        self.results = Results(
            outlines, boards, self.disqualified_runs, self.profiles, self.groups, players, access, now
        )

        self.history_browser = HistoryBrowser(database, outlines, reader, access, players)
        self.admin = Administration(database, store, reader, self.wake_ups.publish_disqualification, now)
        self.lent_games = LentGames(self.admin.analysts, outlines, reader, access)
        add(self.admin.erasure)
        add(self.admin.findings)
        self.roots = MerkleRoots(database, now)
        self.write_check = WriteCheck(database)
        origin = settings.origin[0] if settings.origin else ""
        inside = ("webhooks" in settings.private_destinations, "notifications" in settings.private_destinations)
        self.news = add(News(self, origin, mailer, contact_of(settings), *inside))
        add(self.news.notifier)
        self.evenings, self.guest_names = add(Evenings(self)), GuestNames(database)
        known.add(self.evenings)
        add(self.evenings.run_changes)
        self.virtual_evenings = add(VirtualEvenings(self))
        known.add(self.virtual_evenings)
        add(OutageWatch(database, self.evenings, self.clocks, now))
        listed = EveningList(database, now)
        self.evening_leading = EveningLeading(self, self.evenings, listed)
        self.evening_views = EveningViews(self, self.evenings, self.evening_leading, self.guest_names, listed)
        self.evening_series = add(EveningSeries(self, listed))
        self.matches = add(Matches(self, self.evenings, listed))
        self.form = FormQueries(database)
        finals = FinalEvenings(database, self.evenings)
        self.rater = add(Rater(database, finals, self.clocks, now))
        self.shields = add(MonthShields(database, MonthRuns(database, finals.runs), self.clocks, now))
        seasons, sessions = StoredSeasons(database, now), SeasonSessions(database, finals)
        self.seasons = add(Seasons(database, seasons, sessions, self.form, self.groups, self.clocks, now))
        for make_competition in (*installed("cadogan.competitions"), *competitions):
            known.add(add(make_competition(self)))
        self._connect()

    def _connect(self) -> None:
        """Connect the parts' hooks."""
        hooks, wake_ups, metrics = self.parts.hooks, self.wake_ups, self.metrics
        self.commits.subscribe(Committed, *hooks(Part.on_commit), wake_ups.on_commit)
        self.commits.subscribe_to_endings(Committed, *hooks(Part.on_end), wake_ups.on_end)
        self.commits.subscribe(RaceCommitted, wake_ups.on_race_commit, *hooks(Part.on_race_change))
        self.commits.subscribe(DayCommitted, wake_ups.on_day_commit, *hooks(Part.on_day_change))
        self.commits.subscribe(StreamCommitted, wake_ups.on_stream_commit, *hooks(Part.on_stream_change))
        for handlers in hooks(Part.wake_up_handlers):
            wake_ups.handle(handlers())
        wake_ups.handle_presence(self.presence.receive)
        self.resync.add(*hooks(Part.resync))
        metrics.watchers.set_function(lambda: self.hub.count_subscriptions(GAMES))
        metrics.database_connections.set_function(lambda: self.database.connections_in_use)
        metrics.max_database_connections.set(POOL_SIZE + MAX_OVERFLOW)
        metrics.sittings.set_function(lambda: len(self.cache))
        metrics.clock_difference_seconds.set_function(lambda: self.clocks.difference() / 1000)

    async def refresh(self, viewer: Viewer) -> None:
        """Send a viewer that fell behind current views of all its subscriptions."""
        await self.parts.call(Part.refresh, viewer)

    def flush(self) -> None:
        """Send now what is delayed until the end of an interval."""
        self.coalescer.flush()
        self.live_boards.publish_now()

    async def wait_until_idle(self) -> None:
        """Wait until no background work is in progress."""
        for _ in range(2):  # the end of one task may have started another
            await self.resync.wait_until_idle()
            await self.parts.call(Part.wait_until_idle)

    async def close(self) -> None:
        """Stop listening to other nodes, and wait at most `CLOSE_TIMEOUT_SECONDS` for work in progress."""
        self.wake_ups.close()
        others = (self.resync.close, self.admin.profile.close)
        beacon = () if self.beacon is None else (self.beacon.close,)
        closes = (*others, *self.parts.hooks(Part.close), *beacon)
        closing = [asyncio.create_task(close(), name=name_of(close)) for close in closes]
        await end_tasks(closing, CLOSE_TIMEOUT_SECONDS)

    async def _render_metrics(self) -> bytes:
        return self.metrics.render()

    def _has_game_viewers(self, game_id: str) -> bool:
        return self.hub.has_subscribers(game_topic(game_id)) or self.live_races.shows_game(game_id)

    def lift_embargo(self, player: str) -> None:
        """Show a player, on every node, what this player may see now though no game of the player's own has ended."""
        self.spectating.lift_embargo(player)
        self.wake_ups.publish_player(player)


async def end_tasks(tasks: Collection[asyncio.Task[None]], seconds: float) -> None:
    """Wait for tasks at most `seconds`, cancel the unfinished ones, and log cancelled and failed tasks."""
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late, timeout=CANCEL_TIMEOUT_SECONDS)
    for task in tasks:
        error = task.exception() if task.done() and not task.cancelled() else None
        if error is not None or task in late:
            reason = type(error).__name__ if error else "late"
            log.warning("background_task_cut_off", task=task.get_name(), reason=reason)


def name_of(method: Callable[..., object]) -> str:
    """Return the class of the part and the name of its method, which it may inherit."""
    return f"{type(getattr(method, '__self__', None)).__name__}.{method.__name__}"


@asynccontextmanager
async def opened(server: Server) -> AsyncIterator[Server]:
    """Open the server's database; on exit, write pending data and close it.

    Raises DatabaseNotCurrent, or what the driver raises when the database does not answer.
    """
    try:
        if server.settings.migrate:
            from cadogan.server.core.database.migrations import (
                migrate,  # alembic is imported here because nothing else in a server needs it
            )

            async with open_database(server.settings.database_url) as database:
                await migrate(database)
        await require_own_sessions(server.database)
        await require_current(server.database)
        yield server
        await server.close()
        server.coalescer.close()
        server.presence.stop()
    finally:
        closing = asyncio.gather(server.bus.close(), server.store.close())
        await asyncio.wait([closing], timeout=CLOSE_TIMEOUT_SECONDS + 1)
        await server.database.close()
        await closing
