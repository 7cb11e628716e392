"""The choice of the bus: the one that the settings name."""

from cadogan.server.cluster import postgresql_bus
from cadogan.server.cluster.bus import Bus, LocalBus
from cadogan.server.cluster.remote_bus import RemoteBus
from cadogan.server.core.metrics import Metrics
from cadogan.server.database.connections import database_url
from cadogan.server.database.primary import Primary


class BusNotInstalled(Exception):
    """The chosen bus needs a library that is not installed. The message says how to install it."""


def bus_name(kind: str) -> str:
    """Return the name of the service behind a bus of this kind, which is not local."""
    return "PostgreSQL" if kind in ("auto", "postgresql") else "NATS"


def make_bus(kind: str, database: str, metrics: Metrics, primary: Primary | None = None) -> Bus:
    """Return the chosen bus, not started yet.

    `kind` is ``auto``, ``local``, ``postgresql`` or the URL of a NATS server; `database` is the database's URL, and
    `primary` tracks which of its hosts is the primary. ``auto`` is ``local`` for an SQLite database, since one process
    owns it, and ``postgresql`` for PostgreSQL.

    Raises BusNotInstalled if NATS is chosen and nats-py is not installed.
    """
    if kind == "auto":
        kind = "local" if database_url(database).get_backend_name() == "sqlite" else "postgresql"
    if kind == "local":
        return LocalBus()
    if kind == "postgresql":
        return RemoteBus(postgresql_bus.make_link_factory(database, primary), metrics)
    try:
        from cadogan.server.cluster import nats_bus
    except ModuleNotFoundError:
        raise BusNotInstalled("CADOGAN_BUS: NATS needs nats-py: pip install 'cadogan[nats]'") from None
    return RemoteBus(nats_bus.make_link_factory(kind), metrics)
