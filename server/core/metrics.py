"""Metrics for Prometheus. Every name begins with `cadogan_`; no label contains a player's name or a game's id."""

from functools import cache
from hashlib import sha256

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from cadogan.engine import game, slugs
from cadogan.server.core.version import version

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_BUCKETS_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


@cache
def rules_digest() -> str:
    """Return twelve hex digits that change whenever a game is added or the version of its rules changes."""
    rules = "\n".join(f"{slug} {game(slug).rules_version}" for slug in slugs())
    return sha256(rules.encode()).hexdigest()[:12]


class Metrics:
    """The metrics of one application. It has its own registry, so that one process can run several applications."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "cadogan_requests", "HTTP requests answered", ("method", "route", "status"), registry=self.registry
        )
        self.request_seconds = Histogram(
            "cadogan_request_seconds",
            "Time to answer an HTTP request",
            buckets=_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.refusals = Counter(
            "cadogan_refusals", "Requests and commands refused, by code", ("code",), registry=self.registry
        )
        self.build_info = Gauge(
            "cadogan_build_info", "1, for this version and these rules", ("version", "rules"), registry=self.registry
        )
        self.build_info.labels(version(), rules_digest()).set(1)
        self.database_connections = Gauge(
            "cadogan_database_connections", "Connections to the database in use", registry=self.registry
        )
        self.max_database_connections = Gauge(
            "cadogan_max_database_connections",
            "Connections to the database that may be in use at once",
            registry=self.registry,
        )
        self.loop_lag_seconds = Histogram(
            "cadogan_loop_lag_seconds", "How late the event loop is", buckets=_BUCKETS_SECONDS, registry=self.registry
        )
        ProcessCollector(namespace="cadogan", registry=self.registry)
        self.processes = Gauge("cadogan_processes", "Processes that serve", registry=self.registry)
        self.processes.set(1)
        self.process_restarts = Counter(
            "cadogan_process_restarts", "Processes started in place of one that had ended", registry=self.registry
        )
        self.clock_difference_seconds = Gauge(
            "cadogan_clock_difference_seconds",
            "Seconds by which the clocks of this node part; 0 while they agree",
            registry=self.registry,
        )
        self.connections = Gauge("cadogan_connections", "Open sockets", registry=self.registry)
        self.streams = Gauge("cadogan_streams", "Open HTTP streams of games", registry=self.registry)
        self.watchers = Gauge("cadogan_watchers", "Subscriptions to games", registry=self.registry)
        self.dropped_queues = Counter(
            "cadogan_dropped_queues", "Message queues dropped because a client read too slowly", registry=self.registry
        )
        self.floods = Counter(
            "cadogan_floods",
            "Sockets that sent too fast: not read for a moment, or closed",
            ("then",),
            registry=self.registry,
        )
        self.sittings = Gauge("cadogan_sittings", "Games held in memory", registry=self.registry)
        self.moves = Counter("cadogan_moves", "Moves played", ("rules",), registry=self.registry)
        self.games = Counter("cadogan_games", "Games started", ("rules",), registry=self.registry)
        self.append_seconds = Histogram(
            "cadogan_append_seconds",
            "Time until an append to the log was durable",
            buckets=_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.analyses_waiting = Gauge(
            "cadogan_analyses_waiting", "Analyses that wait for an analyst", registry=self.registry
        )
        self.analyses_working = Gauge(
            "cadogan_analyses_working", "Analyses that an analyst works on", registry=self.registry
        )
        self.analyses_oldest_seconds = Gauge(
            "cadogan_analyses_oldest_seconds", "Age of the oldest analysis that waits", registry=self.registry
        )
        self.analysis_positions = Gauge(
            "cadogan_analysis_positions",
            "Searched positions that are kept for further analyses",
            registry=self.registry,
        )
        self.log_entries = Gauge(
            "cadogan_log_entries", "Entries of the transparency log, by its last checkpoint", registry=self.registry
        )
        self.log_waiting = Gauge(
            "cadogan_log_waiting", "What has ended and is not in the transparency log yet", registry=self.registry
        )
        self.log_oldest_seconds = Gauge(
            "cadogan_log_oldest_seconds", "Age of the oldest end that is not in the log", registry=self.registry
        )
        self.log_checkpoint_seconds = Gauge(
            "cadogan_log_checkpoint_seconds", "Age of the last checkpoint that was signed here", registry=self.registry
        )
        self.log_witnesses_away = Gauge(
            "cadogan_log_witnesses_away", "Witnesses that have not signed the last checkpoint", registry=self.registry
        )
        self.log_refused = Gauge(
            "cadogan_log_refused", "1 while this node can sign nothing, else 0", registry=self.registry
        )
        self.disk_free_bytes = Gauge(
            "cadogan_disk_free_bytes", "Free room on the disk of the SQLite file", registry=self.registry
        )
        self.disk_free_bytes.set(-1)  # with PostgreSQL the disk may be on another machine
        self.wal_bytes = Gauge("cadogan_wal_bytes", "Size of the write-ahead log of SQLite", registry=self.registry)
        self.backup_age_seconds = Gauge(
            "cadogan_backup_age_seconds",
            "Age of the last backup that `cadogan backup` wrote, since 1970 if there is none",
            registry=self.registry,
        )
        self.bus_sent = Counter("cadogan_bus_sent", "Wake-ups sent to other nodes", registry=self.registry)
        self.bus_heard = Counter("cadogan_bus_heard", "Wake-ups received from other nodes", registry=self.registry)
        self.bus_dropped = Counter(
            "cadogan_bus_dropped",
            "Lines of the bus dropped: unsendable, refused or unreadable",
            ("why",),
            registry=self.registry,
        )
        self.bus_reconnects = Counter("cadogan_bus_reconnects", "Times the bus reconnected", registry=self.registry)

    def render(self) -> bytes:
        """Return all metrics in the text format of Prometheus, whose content type is `CONTENT_TYPE`."""
        return generate_latest(self.registry)
