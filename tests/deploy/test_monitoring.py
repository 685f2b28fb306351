"""The alerts and the dashboard: each expression names metrics, labels and values that a server has."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest
import yaml
from prometheus_client import ProcessCollector

from support.shell import ROOT
from turnwise.core.state.kinds import RefusalCode
from turnwise.server import metrics as m
from turnwise.server.metrics import Metrics

RULES = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/prometheus-rules.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((ROOT / "deploy/grafana-dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
IN_PAGE = "\n".join(
    re.findall(r"^```promql\n(.*?)^```", (ROOT / "docs/production.md").read_text(), re.MULTILINE | re.DOTALL)
)
EXPRESSIONS = {rule["alert"]: rule["expr"] for rule in RULES} | {
    f"{panel['title']} {target['refId']}": target["expr"] for panel in PANELS for target in panel["targets"]
}
EXPRESSIONS |= {f"page {n}": line for n, line in enumerate(IN_PAGE.splitlines()) if line[:1] not in ("", "#")}
VALUES: dict[str, tuple[str, ...]] = {
    "phase": m.PHASES,
    "code": get_args(RefusalCode),
    "direction": ("input", "output"),
}
"""The values that a label may have, where they do not depend on the metric."""
OUTCOMES: dict[str, tuple[str, ...]] = {
    "turnwise_turns_total": m.OUTCOMES,
    "turnwise_deliveries_total": m.DELIVERY_OUTCOMES,
    "turnwise_tool_calls_total": ("returned", "failed"),
}
OF_PROMETHEUS = {"job", "instance"}
"""The labels that Prometheus adds."""
AGGREGATED = r"\bby \(([^)]*)\)"


def known() -> dict[str, set[str]]:
    """Return the labels of each series of a server, by its name."""
    registry = Metrics({}).registry
    found: dict[str, set[str]] = {"up": set()}
    for name, collector in registry._names_to_collectors.items():
        labels = collector._labelnames  # type: ignore[attr-defined]
        found[name] = {*labels, *({"le"} if name.endswith("_bucket") else ())}
    of_process = [sample.name for one in ProcessCollector(registry=None).collect() for sample in one.samples]
    return found | {name: set() for name in of_process}


KNOWN = known()


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_an_expression_names_series_labels_and_values_that_exist(expression: str) -> None:
    named = re.findall(r"\b((?:turnwise|process)_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert named, "it names no series"
    for series, selectors in named:
        assert series in KNOWN
        for label, _, text in re.findall(r'(\w+)(=~|=|!=|!~)"([^"]*)"', selectors):
            assert label in KNOWN[series] | OF_PROMETHEUS
            allowed = OUTCOMES.get(series, ()) if label == "outcome" else VALUES.get(label)
            assert allowed is None or set(text.split("|")) <= set(allowed)
    for names in re.findall(AGGREGATED, expression):
        for label in names.split(", "):
            assert all(label in KNOWN[series] | OF_PROMETHEUS for series, _ in named)


def test_the_rule_for_expressions_finds_a_wrong_name_label_and_value() -> None:
    for wrong in (
        "turnwise_turn_total",
        'turnwise_turns_total{code="busy"}',
        'turnwise_turns_total{outcome="done"}',
        "sum by (tool) (turnwise_turns_total)",
    ):
        with pytest.raises(AssertionError):
            test_an_expression_names_series_labels_and_values_that_exist(wrong)


def test_each_metric_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for panel in PANELS for target in panel["targets"])
    names = {
        name
        for name in KNOWN
        if name.startswith("turnwise_") and not re.search(r"_(created|bucket|count|sum|info)$", name)
    }
    histograms = {name.removesuffix("_bucket") for name in KNOWN if name.endswith("_bucket")}
    counters = {name.removesuffix("_total") for name in KNOWN if name.endswith("_total")}
    left_out = {"turnwise_store_connections", "turnwise_build"}
    for name in names - counters - left_out:
        assert re.search(rf"\b{name}{'_bucket' if name in histograms else ''}\b", shown), name


def test_panels_do_not_overlap_and_each_has_its_number_and_place() -> None:
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    places: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at: Any = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & places, panel["title"]
        places |= cells


def test_the_page_explains_each_alert() -> None:
    page = (ROOT / "docs/production.md").read_text()
    explained = re.findall(r"^\| `(Turnwise\w+)` \|", page, re.MULTILINE)
    assert sorted(explained) == sorted(rule["alert"] for rule in RULES)
    assert all(rule["labels"]["severity"] in ("page", "ticket") for rule in RULES)
