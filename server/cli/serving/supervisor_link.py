"""The socket between a process that serves and its supervisor, and the metrics of all processes as one."""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.registry import Collector

from cadogan.server.config import Settings

log = structlog.stdlib.get_logger("cadogan")
COUNTED = frozenset({"counter", "histogram"})
"""Metric types that only grow. The counts of an ended process stay in the total."""
SAME_EVERYWHERE = frozenset(
    {
        "cadogan_build_info",
        "cadogan_analyses_waiting",
        "cadogan_analyses_working",
        "cadogan_analyses_oldest_seconds",
        "cadogan_analysis_positions",
        "cadogan_log_entries",
        "cadogan_log_waiting",
        "cadogan_log_oldest_seconds",
        "cadogan_log_checkpoint_seconds",
        "cadogan_log_witnesses_away",
        "cadogan_log_refused",
        "cadogan_clock_difference_seconds",
        "cadogan_disk_free_bytes",
        "cadogan_wal_bytes",
        "cadogan_backup_age_seconds",
    }
)
"""Gauges with the same value in every process; the value of the process that serves the request is used."""


class Sample(msgspec.Struct, array_like=True):
    """One sample: its full name, its labels and its value."""

    name: str
    labels: dict[str, str]
    value: float


class Family(msgspec.Struct, array_like=True):
    """The samples of one metric; `kind` is its Prometheus type: counter, gauge or histogram."""

    name: str
    documentation: str
    kind: str
    samples: list[Sample]


def collect(registry: CollectorRegistry) -> list[Family]:
    """Return the metrics of this process."""
    return [
        Family(
            metric.name,
            metric.documentation,
            metric.type,
            [Sample(sample.name, sample.labels, sample.value) for sample in metric.samples],
        )
        for metric in registry.collect()
    ]


class MetricsTotal:
    """The last metrics of each process, and the counts of ended processes."""

    def __init__(self) -> None:
        self._latest: dict[int, Sequence[Family]] = {}
        self._ended: Sequence[Family] = []
        self._restarts = 0.0

    def update(self, process: int, families: Sequence[Family]) -> None:
        """Store the metrics of a process; they replace its earlier ones."""
        self._latest[process] = families

    def drop(self, process: int) -> None:
        """Keep the counts of an ended process, and drop its gauges. Counts after its last report are lost."""
        counted = [family for family in self._latest.pop(process, ()) if family.kind in COUNTED]
        self._ended = _add_up([self._ended, counted])

    def record_restart(self) -> None:
        """Count a restarted process."""
        self._restarts += 1

    def render(self, asked: int) -> str:
        """Return the total in Prometheus text format; `asked` is the process that serves the request."""
        own = [Sample("cadogan_process_restarts_total", {}, self._restarts)]
        restarts = Family("cadogan_process_restarts", "", "counter", own)
        others = [families for process, families in self._latest.items() if process != asked]
        total = _add_up([self._latest.get(asked, ()), *others, self._ended, [restarts]])
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Collected(total))
        return generate_latest(registry).decode()


class _Collected(Collector):
    def __init__(self, families: Sequence[Family]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        for family in self._families:
            metric = Metric(family.name, family.documentation, family.kind)
            for sample in family.samples:
                metric.add_sample(sample.name, sample.labels, sample.value)
            yield metric


def _add_up(parts: Iterable[Sequence[Family]]) -> list[Family]:
    """Return one family per name; metrics that are not added up come from the first part that has them."""
    found: dict[str, Family] = {}
    sums: dict[tuple[str, tuple[tuple[str, str], ...]], Sample] = {}
    for families in parts:
        for family in families:
            total = found.setdefault(family.name, Family(family.name, family.documentation, family.kind, []))
            for sample in family.samples:
                key = (sample.name, tuple(sorted(sample.labels.items())))
                if key in sums:
                    sums[key].value = _combination(sample.name)(sums[key].value, sample.value)
                else:
                    sums[key] = Sample(sample.name, sample.labels, sample.value)
                    total.samples.append(sums[key])
    return list(found.values())


def _combination(name: str) -> Callable[[float, float], float]:
    if name in SAME_EVERYWHERE:
        return lambda first, _: first
    if name.endswith("_created") or name == "cadogan_process_start_time_seconds":
        return min
    return lambda one, other: one + other


MAX_LINE_BYTES = 1 << 24
"""The longest line: about a thousand metrics."""
FIGURES_SECONDS = 1.0
"""Seconds between two `Figures`. If a process is killed, the counts since its last `Figures` are lost."""
TOTAL_SECONDS = 5.0
"""The timeout of the supervisor's answer with the total metrics."""


class Begin(msgspec.Struct, tag="begin"):
    """To a process, as the first message: serve with these settings, on these inherited sockets.

    `number` is the number of the process, from 1.
    """

    number: int
    sockets: list[int]
    settings: Settings


class Total(msgspec.Struct, tag="total"):
    """To a process that requested it: the metrics of all processes, in Prometheus text format."""

    text: str


class Ready(msgspec.Struct, tag="ready"):
    """From a process: it accepts connections."""


class Figures(msgspec.Struct, tag="figures"):
    """From a process: its own metrics, as a heartbeat, or as a request for the `Total`."""

    families: list[Family]
    asks_total: bool = False


class SupervisorLink:
    """The link to the supervisor, after the first message. `open` creates one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begin: Begin) -> None:
        self.begin = begin
        """The supervisor's first message: how to serve."""
        self._reader = reader
        self._writer = writer
        self._asked: deque[asyncio.Future[str]] = deque()
        self._registry = CollectorRegistry()

    @classmethod
    async def open(cls, descriptor: int) -> Self:
        """Return the link over this inherited descriptor. Raises RuntimeError if no supervisor is connected."""
        reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=MAX_LINE_BYTES)
        if not (line := await reader.readline()):
            raise RuntimeError("the supervisor has not said how to begin")
        return cls(reader, writer, msgspec.json.decode(line, type=Begin))

    def ready(self, registry: CollectorRegistry) -> None:
        """Notify the supervisor that this process accepts connections; `registry` has its metrics."""
        self._registry = registry
        self._send(Ready())

    async def total(self) -> bytes:
        """Return the metrics of all processes, in Prometheus text format.

        Raises TimeoutError if the supervisor does not answer.
        """
        answer = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        self.send_figures(asks_total=True)
        async with asyncio.timeout(TOTAL_SECONDS):
            return str(await answer).encode()

    async def listen(self) -> None:
        """Handle the supervisor's answers, which come in the order of the requests; return when the link closes."""
        while line := await self._read_line():
            answer = self._asked.popleft()
            if not answer.done():
                answer.set_result(msgspec.json.decode(line, type=Total).text)

    async def give_signs_of_life(self) -> None:
        """Send this process's metrics periodically, as a heartbeat, until this task is cancelled."""
        while True:
            self.send_figures()
            await asyncio.sleep(FIGURES_SECONDS)

    def send_figures(self, asks_total: bool = False) -> None:
        """Send this process's metrics."""
        self._send(Figures(collect(self._registry), asks_total))

    async def close(self) -> None:
        """Send pending messages, and close the link."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            log.debug("supervisor_gone")

    async def _read_line(self) -> bytes:
        try:
            return await self._reader.readline()
        except OSError:
            return b""

    def _send(self, message: Ready | Figures) -> None:
        if not self._writer.is_closing():
            self._writer.write(msgspec.json.encode(message) + b"\n")
