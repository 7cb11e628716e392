"""The web application of a server: its parts where handlers find them, its routes, and what runs beside them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import structlog
from aiohttp import web

from cadogan.server.app import CLOSE_TIMEOUT_SECONDS, Server, make_server, opened
from cadogan.server.cluster.bus import Bus
from cadogan.server.competitions.daily.left_runs import LeftRuns
from cadogan.server.config import Settings, contact_of, process_count
from cadogan.server.core.clock import Clock, now
from cadogan.server.core.cores import count_cores
from cadogan.server.core.loop_lag import measure_loop_lag
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.eventlog.outages import OutageLog
from cadogan.server.house.entry import Entry
from cadogan.server.house.erasure import Erasure
from cadogan.server.house.fair_play.findings import Findings
from cadogan.server.house.fair_play.played_runs import PlayedRuns
from cadogan.server.house.fair_play.reports import Reports
from cadogan.server.house.fair_play.run_strikes import RunStrikes
from cadogan.server.house.history_browser import HistoryBrowser
from cadogan.server.house.house_log import HouseLog
from cadogan.server.house.idle_guests import clear_idle_guests
from cadogan.server.house.look.profile import StoredProfile
from cadogan.server.house.moderation import Moderation
from cadogan.server.house.player_list import PlayerList
from cadogan.server.house.roles import Roles
from cadogan.server.http import app_keys
from cadogan.server.http.guards.limits import add_limits
from cadogan.server.http.guards.refusal_log import RefusalLog, RequestLog, leave_out_unreadable_requests
from cadogan.server.http.handlers.stream import end_streams
from cadogan.server.http.middleware import add_headers, end_turn, observe, refuse
from cadogan.server.http.requests import LINGERING_SECONDS, MAX_BODY_BYTES, MAX_HEADERS
from cadogan.server.http.routes import ROUTES
from cadogan.server.http.websocket import close_sockets
from cadogan.server.leaderboards.game_tallies import GameTallies
from cadogan.server.mail.mailer import Mailer, SmtpServer
from cadogan.server.news.courier import DeliveryQueue
from cadogan.server.news.desk import NewsDesk
from cadogan.server.news.digests.readers import DigestReaders
from cadogan.server.news.digests.sender import DigestSender
from cadogan.server.news.digests.weeks import DigestWeeks
from cadogan.server.news.items import Item, Told, tell
from cadogan.server.news.notifications.notifier import Notifier
from cadogan.server.news.outbox import Outbox
from cadogan.server.news.round import make_rounds
from cadogan.server.news.webhooks import Webhooks
from cadogan.server.operations.merkle_roots import MerkleRoots
from cadogan.server.operations.upkeep import WriteCheck
from cadogan.server.play.hints import Hints
from cadogan.server.play.results import Results
from cadogan.server.play.unfinished_games import UnfinishedGames
from cadogan.server.players.groups import Groups
from cadogan.server.players.own_data import OwnData
from cadogan.server.players.settings import PlayerSettings
from cadogan.server.players.sign_in.mail_recovery import MailRecovery
from cadogan.server.players.sign_in.oidc_provider import OidcProvider
from cadogan.server.players.sign_in.oidc_subjects import OidcSubjects
from cadogan.server.players.sign_in.own_sessions import OwnSessions
from cadogan.server.players.sign_in.passkeys import Passkeys
from cadogan.server.players.sign_in.recovery_codes import RecoveryCodes
from cadogan.server.transparency.sequencer import Sequencer
from cadogan.server.transparency.signing.host_key import KeyUnusable
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.signing.signed_state import LogSetBack
from cadogan.server.transparency.witnesses import RemoteWitness, Witnesses

CLOCK_INTERVAL_SECONDS = 30.0
"""Seconds after which a server looks again whether a day is to be opened or closed, or a session has expired."""

CLEAR_INTERVAL_MILLISECONDS = 3600 * 1000
"""After so long a server looks again for guests who never played."""

log = structlog.stdlib.get_logger("cadogan")


async def _keep_time(
    server: Server,
    own_sessions: OwnSessions,
    findings: Findings,
    left_runs: LeftRuns,
    comparing: BackgroundTasks,
    stopping: asyncio.Event,
) -> None:
    """Do what is due, should nobody ask for it, until the server is stopping.

    Announce, open and close the days, end the runs that a closed day has left, close the connections of sessions and
    personal tokens that have expired, write which sessions are in use, have the runs of a closed day compared, and once
    an hour clear guests who never played and talk that is too old.
    """
    cleared_at, pause = 0, CLOCK_INTERVAL_SECONDS
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), pause)
            return
        if not server.sessions.background.busy:  # a check waits for as long as the database does not answer
            server.sessions.check_sessions()
        pause = await _write_days(server)
        left_runs.end_soon()
        try:
            await own_sessions.write_uses()
            if not comparing.busy:
                comparing.start(findings.look_at_due)
            agree = await server.clocks.agree()
            if agree and abs(server.now() - cleared_at) >= CLEAR_INTERVAL_MILLISECONDS:
                await clear_idle_guests(server.database, server.now())
                await server.talk.clear_old()
                await server.signs.clear_old()
                cleared_at = server.now()
        except Exception as error:
            log.warning("background_task_retried", task="housekeeping", reason=type(error).__name__)


async def _write_days(server: Server) -> float:
    """Write what is due of the days; return the seconds until this should be asked again."""
    try:
        await server.challenges.write_what_is_due(server.now())
    except Exception as error:
        log.warning("background_task_retried", task="days", reason=type(error).__name__)
        return CLOCK_INTERVAL_SECONDS
    return min(server.challenges.milliseconds_until_due(server.now()) / 1000, CLOCK_INTERVAL_SECONDS)


async def _make_key(sequencer: Sequencer) -> None:
    """Make the host's key, if the log has not begun. A server that can sign nothing serves all the same."""
    with suppress(KeyUnusable, LogSetBack):  # the sequencer says so, too
        await sequencer.find_key()


def make_app(
    settings: Settings, now: Clock = now, bus: Bus | None = None, steady: Clock | None = None
) -> web.Application:
    """Return the web application for these settings: see `make_server` and `make_web_app`."""
    return make_web_app(make_server(settings, now, bus, steady=steady))


def make_web_app(server: Server) -> web.Application:
    """Return the web application of a server; running it opens the server, stopping it closes it."""
    settings = server.settings
    leave_out_unreadable_requests()
    app = web.Application(
        middlewares=[observe, refuse],
        client_max_size=MAX_BODY_BYTES,
        handler_args={"auto_decompress": False, "max_headers": MAX_HEADERS, "lingering_time": LINGERING_SECONDS},
    )
    app[app_keys.SETTINGS] = settings
    app[app_keys.CLOCK] = server.now
    app[app_keys.METRICS] = server.metrics
    server.metrics.clock_difference_seconds.set_function(lambda: server.clocks.difference() / 1000)

    async def render_metrics() -> bytes:
        return server.metrics.render()

    app[app_keys.RENDER_METRICS] = render_metrics
    app[app_keys.DATABASE] = server.database
    app[app_keys.STORE] = server.store
    app[app_keys.HOST_KEY] = server.host_key
    app[app_keys.WITNESS] = server.witness
    app[app_keys.TRANSPARENCY] = server.transparency
    app[app_keys.DEALS] = server.deals
    app[app_keys.INDEX] = server.index
    app[app_keys.ACCOUNTS] = server.accounts
    app[app_keys.PLAYERS] = server.players
    app[app_keys.PERSONS] = server.persons
    app[app_keys.PROFILES] = server.profiles
    app[app_keys.SESSIONS] = server.sessions
    app[app_keys.GROUPS] = groups = Groups(server.database, server.now)
    app[app_keys.SIGNS] = server.signs
    app[app_keys.GROUP_TALK] = server.talk
    app[app_keys.LIVE_TALK] = server.live_talk
    app[app_keys.PERSONAL_TOKENS] = server.personal_tokens
    app[app_keys.PLAYER_SETTINGS] = PlayerSettings(server.database)
    app[app_keys.ROLES] = Roles(server.database, server.now)
    app[app_keys.HISTORY_BROWSER] = HistoryBrowser(
        server.database, server.outlines, server.reader, server.access, server.players
    )
    app[app_keys.PLAYER_LIST] = PlayerList(server.database, server.now)
    app[app_keys.MODERATION] = Moderation(server.database, server.now)
    app[app_keys.ERASURE] = Erasure(server.database, server.now)
    has_mail = settings.smtp_url and settings.mail_from
    mailer = Mailer(SmtpServer.read(settings.smtp_url), settings.mail_from) if has_mail else None
    processes = process_count(settings, count_cores())
    app[app_keys.MAIL_RECOVERY] = mail_recovery = MailRecovery(server.database, mailer, server.now, processes)
    provider = (
        OidcProvider(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret, server.now)
        if settings.oidc_issuer and settings.oidc_client_id and settings.oidc_client_secret
        else None
    )
    app[app_keys.OIDC_SUBJECTS] = OidcSubjects(server.database, server.accounts, provider, server.now)
    app[app_keys.PASSKEYS] = Passkeys(server.database, server.accounts, server.now)
    app[app_keys.RECOVERY_CODES] = RecoveryCodes(server.database, server.now)
    app[app_keys.OWN_SESSIONS] = own_sessions = OwnSessions(server.database, server.now)
    app[app_keys.OWN_DATA] = OwnData(server.database)
    app[app_keys.PLAYED_RUNS] = played_runs = PlayedRuns(server.database, server.store, server.reader)
    app[app_keys.FINDINGS] = findings = Findings(server.database, server.store, played_runs, server.now)
    app[app_keys.REPORTS] = Reports(server.database, server.now)
    app[app_keys.RUN_STRIKES] = RunStrikes(server.database, server.now, server.publish_struck)
    app[app_keys.STRUCK_RUNS] = server.struck_runs
    app[app_keys.ENTRY] = Entry(server.database, server.now)
    app[app_keys.HOUSE_PROFILE] = house_profile = StoredProfile(server.database, server.now)
    app[app_keys.HOUSE_SCHEDULE] = server.schedule
    inside = settings.webhooks_inside
    app[app_keys.WEBHOOKS] = Webhooks(server.database, server.now, inside)
    app[app_keys.NEWS_DESK] = desk = NewsDesk(
        server.database,
        server.challenges,
        server.race_repository,
        server.boards,
        app[app_keys.REPORTS],
        findings,
        server.now,
    )

    async def house_name() -> str:
        return (await house_profile.current()).profile.name or "Cadogan"

    origin = settings.origin[0] if settings.origin else ""
    app[app_keys.DIGEST_READERS] = readers = DigestReaders(server.database, bool(mailer and origin), server.now)
    weeks = DigestWeeks(server.challenges, server.boards, server.profiles, server.players)
    app[app_keys.DIGEST_SENDER] = digests = DigestSender(server.database, mailer, weeks, server.now, house_name, origin)

    async def tell_item(item: Item, language: str) -> Told:
        named = await server.players.players({*item.players, *(place.player for place in item.places)})
        names = {id: player.name for id, player in named.items()}
        return tell(item, names, await house_name(), origin, language)

    app[app_keys.COURIER_CALL] = call = asyncio.Event()
    app[app_keys.COURIER] = courier = Outbox(DeliveryQueue(server.database, server.now, tell_item), inside, call.set)
    app[app_keys.NOTIFIER] = notifier = Notifier(
        server.database,
        server.challenges,
        server.race_repository,
        server.boards,
        server.persons,
        server.now,
        house_name,
        contact_of(settings),
        settings.notifications_inside,
    )
    server.race_repository.on_change(notifier.on_race_change)
    server.commits.subscribe_to_ends(lambda _: notifier.on_run_end())
    app[app_keys.HOUSE_LOG] = HouseLog(server.database)
    app[app_keys.ROOTS] = MerkleRoots(server.database, server.now)
    app[app_keys.HUB] = server.hub
    app[app_keys.REFRESH] = server.refresh
    app[app_keys.FEED] = server.feed
    app[app_keys.CACHE] = server.cache
    app[app_keys.COMMANDS] = server.commands
    app[app_keys.SPECTATING] = server.spectating
    app[app_keys.GAME_TALLIES] = GameTallies(server.database, server.now)
    app[app_keys.HINTS] = Hints(server.cache)
    app[app_keys.UNFINISHED_GAMES] = UnfinishedGames(
        server.index, server.cache, server.competitions, server.players, server.now
    )
    app[app_keys.HISTORIES] = server.histories
    app[app_keys.ANALYSES] = server.analyses
    app[app_keys.ANALYSIS_JOBS] = server.analysis_jobs
    app[app_keys.DECIDED_POSITIONS] = server.decided_positions
    app[app_keys.WINNABILITY] = server.winnability
    app[app_keys.CONTINUATIONS] = server.continuations
    app[app_keys.RESULTS] = Results(
        server.outlines,
        server.boards,
        server.struck_runs,
        server.profiles,
        groups,
        server.players,
        server.access,
        server.now,
    )
    app[app_keys.CASUAL_GAMES] = server.casual_games
    app[app_keys.CHALLENGES] = server.challenges
    app[app_keys.ATTEMPTS] = server.attempts
    app[app_keys.RUN_RESULTS] = server.run_results
    app[app_keys.PROGRESS] = server.progress
    app[app_keys.RACES] = server.races
    app[app_keys.RACE_COMMANDS] = server.race_commands
    app[app_keys.LIVE_RACES] = server.live_races
    app[app_keys.BOARDS] = server.boards
    app[app_keys.LIVE_BOARDS] = server.live_boards
    app[app_keys.SOCKETS] = set()
    app[app_keys.STREAMS] = set()
    app[app_keys.REFUSAL_LOG] = RefusalLog()
    app[app_keys.OUTAGES] = OutageLog()
    app[app_keys.WRITE_CHECK] = WriteCheck(server.database)
    app[app_keys.REQUEST_LOG] = RequestLog()
    app[app_keys.OUTLINES] = server.outlines
    app[app_keys.HISTORY_LIMIT] = server.history_limit
    add_limits(app, settings)
    app.add_routes(ROUTES)
    app.on_response_prepare.extend((add_headers, end_turn))
    app.on_shutdown.append(close_sockets)
    app.on_shutdown.append(end_streams)

    named = (text.partition("#") for text in settings.witnesses)
    remote = [RemoteWitness(VerifierKey.read(key), url) for url, _, key in named]
    witnesses = Witnesses(server.transparency, remote)
    app[app_keys.SEQUENCER] = sequencer = Sequencer(server.transparency, server.host_key)
    server.commits.subscribe_to_ends(lambda *_: sequencer.wake())
    left_runs = LeftRuns(server.challenges, server.index, server.cache, server.commands, server.now)
    server.challenges.on_change(left_runs.on_day_change)

    async def run(_: web.Application) -> AsyncIterator[None]:
        async with opened(server):
            server.bus.start()
            server.presence.start()
            stopping = asyncio.Event()
            comparing = BackgroundTasks()
            await _make_key(sequencer)

            async def work(stopping: asyncio.Event) -> None:
                await desk.collect()
                await courier.start_due(stopping)

            async def send_digests(stopping: asyncio.Event) -> None:
                if await server.clocks.agree():  # a week that has ended is told once
                    await digests.send_due(stopping)

            def agreed(clear: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
                async def clear_if_clocks_agree() -> None:
                    if await server.clocks.agree():
                        await clear()

                return clear_if_clocks_agree

            until_stopped = [
                asyncio.create_task(one)
                for one in (
                    _keep_time(server, own_sessions, findings, left_runs, comparing, stopping),
                    sequencer.run(stopping),
                    witnesses.run(stopping),
                    server.database.watch_hosts(stopping),
                    make_rounds("news", work, agreed(desk.clear), server.now, call, stopping),
                    notifier.run(stopping),
                    make_rounds("digests", send_digests, agreed(readers.clear), server.now, asyncio.Event(), stopping),
                )
            ]
            measuring = asyncio.create_task(measure_loop_lag(server.metrics.loop_lag_seconds.observe))
            await server.challenges.list_days(server.now())  # announces the coming days, should nobody ask for them
            yield
            measuring.cancel()
            stopping.set()  # cancelled amid a statement, a task can leave a connection of SQLite that is never closed
            await asyncio.wait(until_stopped, timeout=CLOSE_TIMEOUT_SECONDS / 2)
            for task in until_stopped:
                task.cancel()
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS / 2):
                    await asyncio.gather(comparing.close(), left_runs.close())
            await courier.close()
            await mail_recovery.background.close()
            await house_profile.close()

    app.cleanup_ctx.append(run)
    return app
