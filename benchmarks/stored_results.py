"""The results of `benchmarks.load` by commit, stored in `benchmarks/results.md`, to detect regressions.

`python -m benchmarks.stored_results` prints the latest stored result of each scenario: the table in `docs/scaling.md`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).with_name("results.md")
SLIDE = 0.8
"""A ratio below this fraction of the stored one is a regression. Two runs of one commit rarely differ by more."""


Latency = tuple[float, ...]
"""A latency: p50, p95 and p99, in milliseconds; empty if it was not measured or not stored."""
_NO_LATENCY = "–"


class Result(NamedTuple):
    """The medians of several runs of one scenario. `rate` is per second, `ratio` is the rate divided by its limit.

    `work` is the servers' processor time per operation, in milliseconds.
    """

    day: str
    commit: str
    scenario: str
    servers: str
    runs: int
    rate: float
    ratio: float
    latency: Latency
    work: float

    @property
    def row(self) -> str:
        """The row of the table."""
        latency = ", ".join(f"{milliseconds:.0f}" for milliseconds in self.latency) or _NO_LATENCY
        return (
            f"| {self.day} | {self.commit} | {self.scenario} | {self.servers} | {self.runs} | {self.rate:.0f} "
            f"| {self.ratio:.3f} | {latency} | {self.work:.3f} |"
        )


def result_now(
    scenario: str, servers: str, runs: int, rate: float, ratio: float, latency: Latency, work: float
) -> Result:
    """Return a result for the commit that is checked out; with uncommitted changes, the commit gets a `+`."""
    day = datetime.now(UTC).date().isoformat()
    return Result(day, _commit(), scenario, servers, runs, rate, ratio, latency, work)


def last_result(scenario: str, servers: str, page: Path = PAGE) -> Result | None:
    """Return the latest stored result of a scenario, or None."""
    results = [one for one in read_all(page) if (one.scenario, one.servers) == (scenario, servers)]
    return results[-1] if results else None


def read_all(page: Path = PAGE) -> list[Result]:
    """Return every stored result, in the order of the page."""
    return [_read(line) for line in page.read_text("utf-8").splitlines() if line.startswith("| 2")]


def keep(result: Result, page: Path = PAGE) -> None:
    """Add a result as the last row of the page."""
    with page.open("a", encoding="utf-8") as file:
        file.write(result.row + "\n")


def latest(page: Path = PAGE) -> list[Result]:
    """Return the latest stored result of each scenario and kind of servers, at full scale, by scenario.

    The scenario `memory`, which has no rate, is left out.
    """
    found = {
        (one.scenario, one.servers): one
        for one in read_all(page)
        if one.servers.endswith("scale 1") and one.scenario != "memory"
    }
    scenarios = list(dict.fromkeys(scenario for scenario, _ in found))
    return sorted(found.values(), key=lambda one: scenarios.index(one.scenario))


def table(results: Iterable[Result]) -> str:
    """Return a Markdown table of results.

    >>> print(table([Result("2026-11-25", "abc1234", "reconnect", "postgresql, 2 nodes of 1, scale 1", 3, 1310, 0.6,
    ...     (2120, 2780, 2820), 0.77)]).splitlines()[-1])
    | `reconnect` | PostgreSQL, 2 nodes | 1,310 | 0.60 | 2,120, 2,780, 2,820 | 0.770 | abc1234 |
    """
    lines = ["| scenario | servers | a second | of its limit | p50, p95, p99 in ms | work in ms | kept at |"]
    lines.append("| --- | --- | ---: | ---: | ---: | ---: | --- |")
    for one in results:
        latency = ", ".join(f"{milliseconds:,.0f}" for milliseconds in one.latency) or _NO_LATENCY
        lines.append(
            f"| `{one.scenario}` | {_describe(one.servers)} | {one.rate:,.0f} | {one.ratio:.2f} | {latency} "
            f"| {one.work:.3f} | {one.commit} |"
        )
    return "\n".join(lines)


def distance(ratio: float) -> str:
    """Describe how far a rate is from its limit.

    >>> distance(0.25)
    '4.0 times below its limit'
    """
    return f"{1 / ratio:.1f} times below its limit" if ratio < 1 else f"{ratio:.1f} times its limit"


def comparison(result: Result, before: Result | None) -> str:
    """Describe how a result compares with the latest stored one."""
    if before is None:
        return "none was kept before"
    word = "A SLIDE" if result.ratio < before.ratio * SLIDE else "no slide"
    return f"{word}: {before.ratio:.3f} at {before.commit} on {before.day}"


def _read(row: str) -> Result:
    day, commit, scenario, servers, runs, rate, ratio, latency, work = row.strip("| ").split(" | ")
    milliseconds = () if latency == _NO_LATENCY else tuple(map(float, latency.split(", ")))
    return Result(day, commit, scenario, servers, int(runs), float(rate), float(ratio), milliseconds, float(work))


def _describe(servers: str) -> str:
    """Describe the servers.

    >>> _describe("sqlite, 1 nodes of 1, scale 1"), _describe("postgresql, 1 nodes of 2, scale 1")
    ('SQLite', 'PostgreSQL, 2 processes')
    """
    found = re.fullmatch(r"(sqlite|postgresql), (\d+) nodes of (\d+), scale \S+", servers)
    if found is None:
        return servers
    database, nodes, processes = found.groups()
    parts = [{"sqlite": "SQLite", "postgresql": "PostgreSQL"}[database]]
    parts += [f"{nodes} nodes"] if nodes != "1" else []
    parts += [f"{processes} processes"] if processes != "1" else []
    return ", ".join(parts)


def _commit() -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(("git", *arguments), capture_output=True, text=True, check=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!benchmarks/results.md")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


if __name__ == "__main__":
    print(table(latest()))
