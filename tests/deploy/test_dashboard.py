"""The Grafana dashboard shows every figure of the server; it and the alert rules ask for none that there is not."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from cadogan.server.core.metrics import Metrics

DASHBOARD = json.loads((Path(__file__).parents[2] / "deploy" / "grafana" / "cadogan.json").read_text("utf-8"))
ALERTS = Path(__file__).parents[2] / "deploy" / "prometheus" / "alerts.yml"
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
ENDS = {"counter": "_total", "gauge": "", "histogram": "_bucket"}
ADDED = {"le", "instance", "job"}
"""Labels that Prometheus adds."""


def expressions() -> list[str]:
    """Everything that the dashboard asks of Prometheus."""
    return [target["expr"] for panel in PANELS for target in panel.get("targets", [])]


def published(registry: CollectorRegistry) -> set[str]:
    """The names under which Prometheus knows our figures, one for each."""
    return {family.name + ENDS[family.type] for family in registry.collect()}


def test_the_dashboard_shows_every_figure_and_no_other() -> None:
    asked = {name for expression in expressions() for name in re.findall(r"cadogan_\w+", expression)}
    assert asked == published(Metrics().registry)


def test_every_label_it_asks_for_is_one_of_the_figures_own() -> None:
    metrics = Metrics()
    labels = {
        family.name + ENDS[family.type]: set(collector._labelnames)
        for collector in vars(metrics).values()
        if hasattr(collector, "describe")
        for family in collector.describe()
    }
    for expression in expressions():
        (name,) = set(re.findall(r"cadogan_\w+", expression))
        grouped = {label for group in re.findall(r"by \((.*?)\)", expression) for label in group.split(", ")}
        chosen = set(re.findall(r"[{,](\w+)=~", expression))
        assert grouped | chosen <= labels.get(name, set()) | ADDED, expression


def test_its_variables_are_asked_for_by_a_figure_that_exists() -> None:
    queries = [one["query"]["query"] for one in DASHBOARD["templating"]["list"] if one["type"] == "query"]
    assert {re.findall(r"cadogan_\w+", query)[0] for query in queries} <= published(Metrics().registry)


def test_every_alert_asks_for_figures_that_exist_and_says_what_to_do() -> None:
    text = ALERTS.read_text("utf-8")
    expressions = dict(re.findall(r"- alert: (\w+)\n +expr: (.+)\n", text))
    assert len(expressions) == text.count("- alert:") == text.count("summary:") == text.count("description:") > 5
    assert text.count("severity: critical") + text.count("severity: warning") == len(expressions)
    for alert, expression in expressions.items():
        names = set(re.findall(r"cadogan_\w+", expression))
        assert names, alert
        assert names <= published(Metrics().registry), alert


def test_every_panel_has_a_place_and_a_number_of_its_own() -> None:
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    for one, other in combinations((panel["gridPos"] for panel in PANELS), 2):
        apart = (one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]) or (
            one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        )
        assert apart, (one, other)
