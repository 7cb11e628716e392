"""What waits in a table: claimed in small batches by one node, until the claim ends, and due again after a pause.

A node that ends amid a batch loses nothing: when its claim is over, another one takes the rows. What a node has found
out is stored only as long as its claim holds, so nothing is recorded twice.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy import ColumnElement, FromClause, Table, and_, func, literal, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.database.connections import Database
from cadogan.server.outbox.outbox import Answer, Destination, Queue


class Claimed(Protocol):
    """A row that this node may work on until its claim ends. `attempts` counts the claims."""

    @property
    def attempts(self) -> int: ...


Item = TypeVar("Item", bound=Claimed)


class StoredQueue(Queue[Item], ABC):
    """Rows of a table, with the columns `next_at` and `attempts`. `now` returns milliseconds since 1970.

    While a node works on a row, `next_at` is when its claim ends.
    """

    table: ClassVar[Table]
    key: ClassVar[ColumnElement[str]]
    """The primary key; items have an attribute of its name."""
    destination: ClassVar[ColumnElement[str]]
    is_proven: ClassVar[ColumnElement[bool]] = true()
    """Whether something has arrived at the row's destination."""
    person: ClassVar[ColumnElement[str]] = literal("")
    """Who has named the destination."""
    source: ClassVar[FromClause]
    """The table, joined with whatever `is_proven` and `person` need."""
    is_waiting: ClassVar[ColumnElement[bool]] = true()
    order: ClassVar[Sequence[ColumnElement[Any]]]
    """What is sent first: columns whose smallest value counts, of one destination and among destinations."""
    claim_milliseconds: ClassVar[int] = 60_000

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    def is_due(self) -> ColumnElement[bool]:
        """Return the condition of rows that may be claimed now."""
        return and_(self.is_waiting, self.table.c.next_at <= self._now())

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return up to so many destinations that something is due for, as `Queue.due` says."""
        is_proven = self.is_proven & self.destination.not_in(doubtful)
        wanted = (
            select(self.destination.label("name"), func.min(self.person).label("person"))
            .select_from(self.source)
            .where(self.is_due(), self.destination.not_in(busy), is_proven if proven else ~is_proven)
            .group_by(self.destination)
            .order_by(*map(func.min, self.order))
        )
        rows = await self._database.fetch(wanted.limit(most))
        return [Destination(row.name, proven, row.person) for row in rows]

    async def claim(self, destination: str, most: int) -> Sequence[Item]:
        """Take up to so much for a destination; no other node gets it until the claim ends."""
        first = select(self.key).where(self.is_due(), self.destination == destination)
        first = first.order_by(*self.order).limit(most).with_for_update(skip_locked=True)
        taken = {"next_at": self._now() + self.claim_milliseconds, "attempts": self.table.c.attempts + 1}
        async with self._database.writing() as connection:
            while ids := list(await connection.scalars(first)):
                await connection.execute(update(self.table).where(self.key.in_(ids)).values(taken))
                if items := await self.load(connection, ids):
                    return items
        return []

    async def record(self, answered: Sequence[tuple[Item, Answer]]) -> None:
        """Store what became of what was claimed."""
        async with self._database.writing() as connection:
            for item, answer in answered:
                await self.settle(connection, item, answer)

    async def rest(self, destination: str, milliseconds: int) -> None:
        """Let everything that waits for a destination wait for so long."""
        until = self._now() + milliseconds
        waiting = and_(self.is_waiting, self.destination == destination, self.table.c.next_at < until)
        async with self._database.writing() as connection:
            await connection.execute(update(self.table).where(waiting).values(next_at=until))

    def holds(self, item: Item) -> ColumnElement[bool]:
        """Return the condition of the row of an item, as long as this claim of it is the last one."""
        return and_(self.key == getattr(item, self.key.key or ""), self.table.c.attempts == item.attempts)

    @abstractmethod
    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> Sequence[Item]:
        """Return the items of these rows, which were just claimed; what is not to be sent any more is taken away."""

    @abstractmethod
    async def settle(self, connection: AsyncConnection, item: Item, answer: Answer) -> None:
        """Store what became of one item: it has arrived, is due again, or is given up."""


def next_attempt_at(
    now: int, attempts: int, pauses: Sequence[int], retry_after: int = 0, until: int = LAST_MOMENT
) -> int | None:
    """Return when an item is due again after so many failed attempts; None if there are no more pauses or it is late.

    Up to a quarter of a pause is added by chance. `retry_after` is in seconds; everything else in milliseconds.
    """
    if attempts > len(pauses):
        return None
    pause = pauses[attempts - 1]
    next_at = now + max(pause + random.randrange(pause // 4), retry_after * 1000)
    return next_at if next_at < until else None
