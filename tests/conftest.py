"""Fixtures that every test may use: fresh databases, with and without tables, and the log on each kind of store."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
import structlog
import uvloop
from argon2 import PasswordHasher
from asyncpg import PostgresError
from hypothesis import HealthCheck, settings
from structlog.dev import ConsoleRenderer, plain_traceback

from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.accounts import passwords
from deploy.citus.cluster import CitusCluster
from tests.harness import citus, databases
from tests.harness.guardian import Guardian
from tests.harness.memory_store import MemoryStore
from tests.harness.nats import nats_server, nats_url, remote_kind
from tests.harness.oidc_provider import oidc_provider
from tests.harness.partly_unavailable import PartlyUnavailableStore
from tests.harness.patience import slowness
from tests.harness.repeatable_secrets import repeatable_secrets
from tests.harness.running_server import forget_applications, manual_broadcasts, running_server, sqlite_server
from tests.harness.smtp_server import guarded_post, post
from tests.harness.time_limit import pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown, real_stderr
from tests.harness.two_day_history import lived_template
from tests.harness.two_nodes import two_nodes
from tests.harness.worker_groups import HEAVY, LONG, STARTERS

__all__ = [
    "guarded_post",
    "lived_template",
    "manual_broadcasts",
    "nats_server",
    "nats_url",
    "oidc_provider",
    "post",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
    "remote_kind",
    "repeatable_secrets",
    "running_server",
    "sqlite_server",
    "two_nodes",
]

DATABASES = ("sqlite", "postgresql")
ON_BOTH = (
    "tests/failure/",
    *(f"tests/server/{part}/" for part in ("cluster", "database", "eventlog", "leaderboards", "storage")),
)
collect_ignore = [] if citus.ASKED else ["failure/test_citus.py"]  # `make citus-tests` asks for it

_DATA = TemporaryDirectory(prefix="cadogan-tests-")
os.environ["XDG_DATA_HOME"] = _DATA.name
"""Where servers over PostgreSQL keep their keys, in this process and in those that it starts."""

settings.register_profile("cadogan", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cadogan")  # what is tried is the same everywhere, however busy the machine


def pytest_configure() -> None:
    """Measure how slow this machine is just now, before pytest-xdist starts processes that make it slower.

    And let the log have plain tracebacks: with colours and all local variables, one takes up to half a second.
    """
    slowness()
    real_stderr()
    ConsoleRenderer.get_active().exception_formatter = plain_traceback


def pytest_report_header() -> str:
    """Say how slow it is: the deadlines of the tests are longer by that."""
    return f"slowness: {slowness():.1f}"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a guardian watch over this run, before it starts any other process."""
    if not hasattr(session.config, "workerinput"):  # a worker of pytest-xdist belongs to the run that has started it
        session.config.pluginmanager.register(Guardian())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests on `database_url` on both databases where these differ."""
    if "database_url" in metafunc.fixturenames and is_for_both(metafunc.definition):
        metafunc.parametrize("database_url", DATABASES, indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a database, PostgreSQL or NATS, and the heavy ones; let the long ones come first."""
    for item in items:
        if needs_a_database(item):
            item.add_marker(pytest.mark.database)
        if needs_services(item):
            item.add_marker(pytest.mark.services)
        if starts_processes(item):
            item.add_marker(pytest.mark.processes)
        if item.nodeid.startswith(HEAVY):
            item.add_marker(pytest.mark.heavy)
    items.sort(key=lambda item: not item.nodeid.startswith(LONG) and item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking again and again at everything that lives until the end.

    The servers that the tests start make many objects at once: with the usual thresholds, searching for garbage takes a
    twelfth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(30_000, 20, 20)


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Return the event loop of the tests: the one on which `cadogan serve` runs."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Return what hands out the tests to the workers; asked for only where pytest-xdist runs."""
    from tests.harness.scheduler import Scheduler

    return Scheduler(config, log)


def needs_a_database(item: pytest.Item) -> bool:
    """Whether a test uses a database, of either kind."""
    fixtures = {"database_url", "sqlite_template", "postgresql_server", "store_url"}
    return not fixtures.isdisjoint(getattr(item, "fixturenames", ())) and "memory" not in parameters_of(item)


def needs_services(item: pytest.Item) -> bool:
    """Whether a test uses PostgreSQL or NATS: by a fixture, or by a parameter that names one of them."""
    fixtures = {"postgresql_server", "nats_server"}
    return not fixtures.isdisjoint(getattr(item, "fixturenames", ())) or not parameters_of(item).isdisjoint(
        ("postgresql", "nats")
    )


def starts_processes(item: pytest.Item) -> bool:
    """Whether a test starts a process, or serves on a socket: by what its module imports, or by a fixture."""
    if not isinstance(item, pytest.Function):
        return False
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    named = (fixture.func.__module__ for definitions in fixtures for fixture in definitions)
    return uses_starters(item.module) or not STARTERS.isdisjoint(named)


@cache
def uses_starters(module: ModuleType) -> bool:
    """Whether a module of tests uses what starts a process or serves on a socket, itself or in `tests/harness`."""
    values = vars(module).values()
    named = {value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "") for value in values}
    shared = (name for name in named if name != module.__name__ and str(name).startswith("tests.harness."))
    return not STARTERS.isdisjoint(named) or any(uses_starters(sys.modules[name]) for name in shared)


def parameters_of(item: pytest.Item) -> set[str]:
    """Return the parameters of a test that are words."""
    return (
        {word for word in item.callspec.params.values() if isinstance(word, str)}
        if hasattr(item, "callspec")
        else set()
    )


def is_for_both(item: pytest.Item) -> bool:
    """Whether a test on `database_url` runs on PostgreSQL too: the SQL or the driver differs where it looks.

    So do the tests of these folders, those marked `both_databases`, and all others if Citus was asked for.
    """
    return citus.ASKED or item.nodeid.startswith(ON_BOTH) or item.get_closest_marker("both_databases") is not None


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the hash of a password in a millisecond: a real one takes a tenth of a second and 64 MiB, on purpose."""
    cheap = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "PasswordHasher", cheap)


@pytest.fixture(autouse=True)
def default_logging() -> Iterator[None]:
    """Undo what a test configures for the log, as the command `doctor` does: the next test expects the default."""
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def forgotten_applications() -> Iterator[None]:
    """Free the servers of a test once it has ended."""
    yield
    forget_applications()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the tables, to be copied."""
    path = tmp_path_factory.mktemp("template") / "template.db"
    asyncio.run(databases.migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[None]:
    """A PostgreSQL server that answers; without one the test is skipped, or fails if CADOGAN_REQUIRE_SERVICES is 1."""
    with asyncio.Runner() as runner:
        stored = databases.database_lock()
        try:
            runner.run(stored.__aenter__())
        except (OSError, TimeoutError, PostgresError) as error:
            databases.leave_out(f"no PostgreSQL answers at {databases.SERVER}: {error}")
        yield
        runner.run(stored.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def citus_cluster() -> Iterator[CitusCluster]:
    """A coordinator and two workers of Citus. Without its programs the tests fail: they were asked for."""
    with asyncio.Runner() as runner, TemporaryDirectory(prefix="cadogan-citus-") as folder:
        cluster = runner.run(CitusCluster(Path(folder)).__aenter__())
        try:
            yield cluster
        finally:
            runner.run(cluster.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def postgresql_template(postgresql_server: None) -> Iterator[str]:
    """The name of a PostgreSQL database with the tables, to be copied."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        url = runner.run(stack.enter_async_context(databases.postgresql()))
        try:
            runner.run(databases.migrate(url))
            yield url.rpartition("/")[2]
        finally:
            runner.run(stack.aclose())


@pytest.fixture(scope="session")
def postgresql_databases(postgresql_template: str) -> Iterator[databases.EmptiedDatabases]:
    """PostgreSQL databases with the tables, which are emptied and used again."""
    stored = databases.EmptiedDatabases(postgresql_template)
    yield stored
    asyncio.run(stored.close())


@pytest.fixture
def sqlite_url(sqlite_template: Path) -> Iterator[str]:
    """The URL of a fresh SQLite file with the tables, in a folder of its own."""
    with databases.memory_folder() as folder, databases.sqlite(folder, sqlite_template) as url:
        yield url


@pytest.fixture
def fresh_postgresql(request: pytest.FixtureRequest) -> AbstractAsyncContextManager[str]:
    """A context with a fresh PostgreSQL database with the tables; its log is distributed if Citus was asked for."""
    if citus.ASKED:
        return citus.distributed_database(request.getfixturevalue("citus_cluster"))
    stored: databases.EmptiedDatabases = request.getfixturevalue("postgresql_databases")
    return stored.database()


@pytest.fixture
async def postgresql_url(fresh_postgresql: AbstractAsyncContextManager[str]) -> AsyncIterator[str]:
    """The URL of a fresh PostgreSQL database with the tables."""
    async with fresh_postgresql as url:
        yield url


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh database with the tables: SQLite, and then PostgreSQL where `is_for_both` says so."""
    url: str = request.getfixturevalue(f"{getattr(request, 'param', 'sqlite')}_url")
    return url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh open database with the tables, on `database_url`."""
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def sql_store(database: Database) -> AsyncIterator[SqlStore]:
    """The log in a fresh database, on `database_url`."""
    store = SqlStore(database)
    yield store
    await store.close()


@pytest.fixture
async def partly_unavailable(database: Database) -> AsyncIterator[PartlyUnavailableStore]:
    """The log in a fresh database, on `database_url`, of which a part can be away."""
    store = PartlyUnavailableStore(database)
    yield store
    await store.close()


@pytest.fixture(params=("memory", *DATABASES))
def store_url(request: pytest.FixtureRequest) -> str | None:
    """Where a log is kept: None for in memory, else the URL of a fresh database with the tables."""
    return None if request.param == "memory" else request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def store(store_url: str | None) -> AsyncIterator[Store]:
    """An empty log: once in memory, once in SQLite, once in PostgreSQL."""
    if store_url is None:
        yield MemoryStore()
        return
    database = Database(store_url)
    store = SqlStore(database)
    yield store
    await store.close()
    await database.close()
