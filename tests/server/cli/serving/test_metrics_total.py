"""The metrics of several processes as those of one server."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.cli.serving.supervisor_link import Family, MetricsTotal, collect
from cadogan.server.core.metrics import Metrics


def figures(text: str) -> dict[str, float]:
    """The figures of a text of Prometheus, by their names and labels, without the times at which they were made."""
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines if "_created" not in name}


def some_metrics(moves: int, connections: int, seconds: float, waiting: int) -> Metrics:
    """The metrics of a process at which this has happened."""
    metrics = Metrics()
    metrics.moves.labels("maze").inc(moves)
    metrics.connections.set(connections)
    metrics.append_seconds.observe(seconds)
    metrics.analyses_waiting.set(waiting)
    return metrics


def test_one_process_is_its_own_sum() -> None:
    metrics = some_metrics(3, 2, 0.3, 1)
    total = MetricsTotal()
    families = collect(metrics.registry)
    assert msgspec.json.decode(msgspec.json.encode(families), type=list[Family]) == families  # it goes over a pipe
    total.update(1, families)
    alone, summed = figures(metrics.render().decode()), figures(total.render(1))
    assert {name: summed[name] for name in alone if "process" not in name} == {
        name: value for name, value in alone.items() if "process" not in name
    }


def test_counters_histograms_and_gauges_add_up_and_what_is_the_same_everywhere_does_not() -> None:
    total = MetricsTotal()
    total.update(1, collect(some_metrics(3, 2, 0.3, 7).registry))
    total.update(2, collect(some_metrics(4, 5, 0.004, 9).registry))
    summed = figures(total.render(2))
    assert summed['cadogan_moves_total{rules="maze"}'] == 7
    assert summed["cadogan_connections"] == 7
    assert summed["cadogan_processes"] == 2
    assert summed["cadogan_append_seconds_count"] == 2
    assert summed["cadogan_append_seconds_sum"] == 0.304
    assert summed['cadogan_append_seconds_bucket{le="0.005"}'] == 1
    assert summed["cadogan_analyses_waiting"] == 9
    assert [value for name, value in summed.items() if name.startswith("cadogan_build_info")] == [1]


def test_of_a_process_that_has_ended_the_counters_stay_and_the_gauges_go() -> None:
    total = MetricsTotal()
    for process in (1, 2):
        total.update(process, collect(some_metrics(3, 2, 0.3, 0).registry))
    total.drop(1)
    total.record_restart()
    left = figures(total.render(2))
    assert (left['cadogan_moves_total{rules="maze"}'], left["cadogan_append_seconds_count"]) == (6, 2)
    assert (left["cadogan_connections"], left["cadogan_processes"]) == (2, 1)
    assert left["cadogan_process_restarts_total"] == 1


def test_the_oldest_process_says_since_when_the_server_runs() -> None:
    total = MetricsTotal()
    for process, started in ((1, 20.0), (2, 10.0)):
        families = collect(Metrics().registry)
        for family in families:
            for sample in family.samples:
                if sample.name == "cadogan_process_start_time_seconds":
                    sample.value = started
        total.update(process, families)
    assert figures(total.render(1))["cadogan_process_start_time_seconds"] == 10


@given(st.lists(st.tuples(st.sampled_from(["counts", "ends"]), st.integers(1, 3)), max_size=30))
def test_no_counter_ever_falls_whichever_processes_end(history: list[tuple[str, int]]) -> None:
    total, counted = MetricsTotal(), 0
    registries = {process: Metrics() for process in (1, 2, 3)}
    for what, process in history:
        if what == "counts":
            registries[process].moves.labels("maze").inc()
            total.update(process, collect(registries[process].registry))
            counted += 1
        else:
            total.drop(process)
            registries[process] = Metrics()
        assert figures(total.render(1)).get('cadogan_moves_total{rules="maze"}', 0) == counted
