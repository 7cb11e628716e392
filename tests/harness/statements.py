"""The statements sent to a database, and the tables that they scan."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

from cadogan.server.core.database.connections import Database, open_database

Statement = tuple[str, Any]
"""The text of a statement, and its parameters: those of the first row if it was executed for several rows."""


@contextmanager
def asked(database: Database) -> Iterator[list[Statement]]:
    """Record every statement sent to this database, over any connection of this process."""
    statements: list[Statement] = []

    def note(connection: Connection, _: Any, statement: str, parameters: Any, __: Any, is_many: bool) -> None:
        if connection.engine.url.database == database.url.database:
            statements.append((statement, parameters[0] if is_many else parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


_INDEXES_ALONE = """
SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
DELETE FROM pg_statistic;
UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE relnamespace = 'public'::regnamespace
"""
"""Lets PostgreSQL use indexes if possible, and plan as if it had never counted the rows of tables: once autovacuum has
counted the few rows of a test, any index will do to read them all."""


async def scanned(database: Database, statements: Iterable[Statement]) -> dict[str, set[str]]:
    """Return full scans, as ``games`` or ``games USING INDEX ...``, and the statements that cause them."""
    explain = _scanned_by_sqlite if database.is_sqlite else _scanned_by_postgresql
    found: dict[str, set[str]] = {}
    url = database.url.render_as_string(hide_password=False)
    async with open_database(url) as opened, opened.reading() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        if not database.is_sqlite:
            await driver.execute("VACUUM FULL")  # other tests' deleted rows make indexes look dearer than they are
        for statement, parameters in {one[0]: one for one in statements}.values():
            for whole in await explain(driver, statement, parameters or ()):
                found.setdefault(whole, set()).add(statement)
    return found


async def sqlite_steps(database: Database, statements: Iterable[Statement]) -> list[str]:
    """Return the steps of the plans by which SQLite carries out these statements, as it names them."""
    async with open_database(database.url.render_as_string(hide_password=False)) as opened, opened.reading() as reading:
        driver = (await reading.get_raw_connection()).driver_connection
        return [step for one in statements for step in await _steps(driver, *one)]


async def _scanned_by_sqlite(driver: Any, statement: str, parameters: Any) -> list[str]:
    steps = await _steps(driver, statement, parameters)
    return [step.removeprefix("SCAN ") for step in steps if step.startswith("SCAN ")]


async def _steps(driver: Any, statement: str, parameters: Any) -> list[str]:
    return [step for *_, step in await driver.execute_fetchall(f"EXPLAIN QUERY PLAN {statement}", parameters)]


async def _scanned_by_postgresql(driver: Any, statement: str, parameters: Any) -> list[str]:
    if statement.split()[0] not in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH"):
        return []
    transaction = driver.transaction()
    await transaction.start()
    try:
        await driver.execute(_INDEXES_ALONE)
        ((plan,),) = await driver.fetch(f"EXPLAIN (FORMAT JSON) {statement}", *parameters)
    finally:
        await transaction.rollback()
    nodes, found = [plan[0]["Plan"]], []
    while nodes:
        node = nodes.pop()
        nodes.extend(node.get("Plans", ()))
        if "Relation Name" in node and "Scan" in node["Node Type"] and not node.keys() & {"Index Cond", "Recheck Cond"}:
            index = f" USING INDEX {node['Index Name']}" if "Index Name" in node else ""
            found.append(f"{node['Relation Name']}{index}")
    return found
