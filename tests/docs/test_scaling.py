"""The page about scaling shows the figures that were kept last, and no others in their place."""

import re
from pathlib import Path

from benchmarks import stored_results

PAGE = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text("utf-8")


def test_the_page_shows_what_was_kept_last_of_each_scenario() -> None:
    shown = PAGE.partition("<!-- table -->\n")[2].partition("<!-- /table -->")[0]
    assert shown.splitlines() == stored_results.table(stored_results.latest()).splitlines(), (
        "put what `python -m benchmarks.stored_results` prints into docs/scaling.md"
    )


def test_every_scenario_of_the_table_is_explained() -> None:
    explained = set(re.findall(r"^- `(\w+)`", PAGE, re.MULTILINE))
    assert explained == {one.scenario for one in stored_results.latest()}
