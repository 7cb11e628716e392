"""The commands `analyst` and `certify`: work beside the processes that serve."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from threading import Timer

import click
import structlog
from aiohttp import ClientSession

from cadogan.engine.compiled import background, choice
from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.cli.serving.processes import run_process
from cadogan.server.cli.serving.remote_analyst import AnalystLink, Refused, RemoteAnalyst
from cadogan.server.config import Settings
from cadogan.server.core import dates, logs
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.revisions import require_current
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.admin.admin_log import record_locked_act
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.contributions import MAX_LENT_TO_PERSON, Contributions
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from cadogan.server.subjects.daily.certification import Certification
from cadogan.server.subjects.evenings.cards.evening_certification import EveningCertification
from cadogan.server.subjects.known_rules import known_rules

log = structlog.stdlib.get_logger("cadogan")
BUILD_AFTER_SECONDS = 30.0
"""Seconds after which a process that searches in Python begins to build the library."""
MIN_PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 60.0
"""The longest pause before an ended analyst is restarted; the pause doubles each time it ends early."""


@click.command("analyst")
@click.option("--with-input", is_flag=True, help="End when the standard input ends, and so with who started it.")
@click.option("--server", help="Lend this machine to the server at this address, over HTTP, instead of a database.")
@click.option(
    "--token", envvar="CADOGAN_TOKEN", help="A personal token for --server, which may analyse [CADOGAN_TOKEN]."
)
@click.option("--cores", type=click.IntRange(1, MAX_LENT_TO_PERSON), default=1, help="Games at once, with --server.")
@settings_flags("database_url", "log_level", "log_format", "compiled", "search_positions")
def analyst_command(settings: Settings, with_input: bool, server: str | None, token: str | None, cores: int) -> None:
    """Analyse the games that players ask about, one after another, until a signal ends this process.

    A server runs one by itself, in a process of its own (CADOGAN_ANALYSTS). This command runs another one, on this
    machine or any other that reaches the same PostgreSQL. Its search yields to everything else on the machine. It can
    be stopped or killed at any time.

    Without the database, a player can lend a machine to a server with --server: it gets finished games only.
    """
    if server is not None and not token:
        raise click.UsageError("--server needs a personal token that may analyse: make one on the account page.")
    logs.configure(settings.log_level, settings.log_format)
    choice.configure(settings.compiled, settings.search_positions)
    if reason := choice.find_library()[1]:
        log.info("search_in_python", reason=reason, slower="30 to 70 times", builds=build_later(settings))
    if server is not None:
        asyncio.run(_lend(server, token or "", cores, with_input))
        return
    with report_errors(settings):
        asyncio.run(_analyse(settings, with_input))


async def _lend(server: str, token: str, cores: int, with_input: bool) -> None:
    stopping = asyncio.Event()
    _call_at_end(stopping.set, with_input)
    log.info("analysing", server=server)
    async with ClientSession() as session:
        link = AnalystLink(session, server, token)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(cores):
                    group.create_task(RemoteAnalyst(link, stopping).work())
        except* Refused as refused:
            raise Failure(f"{server} accepts no analyses: {refused.exceptions[0]}") from None
    log.info("stopped")


async def _analyse(settings: Settings, with_input: bool) -> None:
    async with open_database(settings.database_url) as database:
        await require_current(database)
        store = SqlStore(database)
        reader = GameReader(store, SealedDeals(database), known_rules())
        jobs = AnalysisJobs(database, now)
        contributions = Contributions(database, jobs, record_locked_act, now)
        analyst = Analyst(jobs, DecidedPositions(database, now), reader, contributions)
        _call_at_end(analyst.stop, with_input)
        log.info("analysing")
        await analyst.work()
        await store.close()
    log.info("stopped")


def build_later(settings: Settings) -> bool:
    """Build the library of the compiled rules in this process, if it is missing and searches would run in Python.

    The build begins after some seconds, so that a short-lived process does not start minutes of compiling. Returns
    whether it will.
    """
    is_wanted = settings.compiled and choice.find_library()[0] is None and background.must_build()
    if is_wanted:
        timer = Timer(BUILD_AFTER_SECONDS, background.start_building, (_log_build,))
        timer.daemon = True
        timer.start()
    return is_wanted


def _log_build(problem: str | None) -> None:
    if problem is None:
        log.info("library_built")
    else:
        log.warning("library_not_built", reason=problem)


def _call_at_end(stop: Callable[[], None], with_input: bool) -> None:
    """Call `stop` on a termination signal and, if `with_input` is set, when standard input ends."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.remove_reader(sys.stdin.fileno())
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    if with_input:
        loop.add_reader(sys.stdin.fileno(), end)


IN_PYTHON = {"CADOGAN_COMPILED": "false"}
"""The argument of a process that continues the work of one that has crashed, perhaps in the compiled library."""


def has_crashed(code: int) -> bool:
    """Return whether a process with this exit code was ended by an error that only compiled code makes."""
    return -code in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)


def _search_settings(settings: Settings) -> dict[str, str]:
    return {
        "CADOGAN_COMPILED": str(settings.compiled).lower(),
        "CADOGAN_SEARCH_POSITIONS": str(settings.search_positions),
    }


async def keep_analysing(settings: Settings) -> None:
    """Run the configured number of analysts, each in its own process, until this task is cancelled."""
    async with asyncio.TaskGroup() as analysts:
        for _ in range(settings.analysts):
            analysts.create_task(_keep_one_analysing(settings))


async def _keep_one_analysing(settings: Settings) -> None:
    environment = {
        **os.environ,
        "CADOGAN_DATABASE_URL": settings.database_url,
        "CADOGAN_LOG_LEVEL": settings.log_level,
        "CADOGAN_LOG_FORMAT": settings.log_format,
        **_search_settings(settings),
    }
    command = (sys.executable, "-m", "cadogan", "analyst", "--with-input")
    pause = MIN_PAUSE_SECONDS
    while True:
        started_at = time.monotonic()
        try:
            code = await run_process(command, environment)
            log.warning("analyst_ended", code=code)
            environment |= IN_PYTHON if has_crashed(code) else {}
        except OSError as error:
            log.warning("analyst_ended", reason=str(error))
        pause = MIN_PAUSE_SECONDS if time.monotonic() - started_at > MAX_PAUSE_SECONDS else pause
        await asyncio.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE_SECONDS)


INTERVAL_SECONDS = 3600.0
"""Seconds between two runs of `certify`; a deal is announced a week before it is played, and searched in that week."""
DUE_CHECK_SECONDS = 15.0
"""Seconds between two checks for deals of evenings that must be searched; an evening may begin in some minutes."""
MAX_RUN_SECONDS = 24 * 3600.0
"""A run is killed after this time, because it may hang. The next run continues with the remaining deals."""
NICENESS = 19
"""The search has the lowest scheduling priority."""


@click.command("certify")
@click.option("--now", "is_urgent", is_flag=True, help="Wait until today is drawn, and do not yield to others.")
@click.option("--evenings", "only_evenings", is_flag=True, help="Search the deals of evenings only.")
@settings_flags("database_url", "compiled")
def certify_command(settings: Settings, is_urgent: bool, only_evenings: bool) -> None:
    """Search the deals of the announced evenings and days for a win, store what was found, and end.

    For each deal that is to be certified, up to 50 candidates are tried. A server does this by itself, in a process of
    its own, unless CADOGAN_CERTIFY is false. It can be stopped at any time, and run beside servers.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the process at once, even during a search
    choice.configure(settings.compiled)
    build_later(settings)
    if not is_urgent:
        os.nice(NICENESS)
    with report_errors(settings):
        asyncio.run(_certify(settings, is_urgent, only_evenings))


async def _certify(settings: Settings, is_urgent: bool, only_evenings: bool) -> None:
    async with open_database(settings.database_url) as database:
        await require_current(database)
        store = SqlStore(database)
        deals, certificates = SealedDeals(database), StoredCertificates(database)
        days, evenings = (
            Certification(store, deals, certificates, now),
            EveningCertification(database, store, deals, certificates, now),
        )
        searches = [evenings.search_all()]
        if not only_evenings:
            searches.append(days.search_all())
        if is_urgent and not only_evenings:
            await days.wait_until_drawn()
        count = 0
        for search in searches:
            async for deal, certified in search:
                count += 1
                say(f"{deal.deal} ({deal.game}): {'can be won' if certified else 'no win was found'}")
        say(f"{count} deals searched")
        await store.close()


async def keep_certifying(settings: Settings) -> None:
    """Run `cadogan certify` repeatedly, each time in a new process, until this task is cancelled.

    It runs every hour and, with a beacon, also when each day begins, because players wait for those deals; for evenings
    it runs soon after one is announced or its cards are drawn.
    """
    async with asyncio.TaskGroup() as both:
        both.create_task(_certify_every_hour(settings))
        both.create_task(_certify_evenings(settings))
        if settings.beacon:
            both.create_task(_certify_every_day(settings))


async def _certify_every_hour(settings: Settings) -> None:
    while True:
        await _run_certify(settings)
        await asyncio.sleep(INTERVAL_SECONDS)


async def _certify_every_day(settings: Settings) -> None:
    """Search today's deals, and then the deals of each day when it begins."""
    while True:
        await _run_certify(settings, "--now")
        tomorrow = dates.add_days(dates.day_of(now()), 1)
        await asyncio.sleep((dates.day_times(tomorrow, 0).opens_at - now()) / 1000 + 1)


async def _certify_evenings(settings: Settings) -> None:
    """Search the deals of evenings whenever there are some without a result."""
    async with open_database(settings.database_url) as database:
        deals, certificates = SealedDeals(database), StoredCertificates(database)
        store = SqlStore(database)
        certification = EveningCertification(database, store, deals, certificates, now)
        while True:
            try:
                has_work = bool(await certification.find_unsearched())
            except Exception as error:
                if as_unavailable(error) is None:
                    raise
                has_work = False
            if has_work:
                await _run_certify(settings, "--evenings")
            await asyncio.sleep(DUE_CHECK_SECONDS)


async def _run_certify(settings: Settings, *flags: str) -> None:
    environment = {**os.environ, "CADOGAN_DATABASE_URL": settings.database_url, **_search_settings(settings)}
    command = (sys.executable, "-m", "cadogan", "certify", *flags)
    try:
        async with asyncio.timeout(MAX_RUN_SECONDS):  # `wait_for` can lose a cancellation at the end of the process
            code = await run_process(command, environment)
            if has_crashed(code):
                log.warning("certify_failed", code=code)
                code = await run_process(command, environment | IN_PYTHON)
        if code:
            log.warning("certify_failed", code=code)
    except TimeoutError:
        log.warning("certify_failed", reason=f"it was ended after {MAX_RUN_SECONDS / 3600:g} hours")
    except OSError as error:
        log.warning("certify_failed", reason=str(error))
