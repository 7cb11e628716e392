"""The shared cases of scoring, with the answers of an independent program; only rounded floats may differ by one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.core.scoring.answer import score
from tests.harness.command_line import run

CASES = Path(__file__).parent / "cases"
NAMES = sorted(file.name for file in CASES.glob("*.json") if not file.name.endswith(".answer.json"))
ROUNDED = {"performance", "before", "after", "rating", "sigma", "predicted", "form", "shown"}
"""Keys whose integers come from floats: two machines may differ by one in the last digit."""


def differences(wanted: Any, found: Any, path: str = "$") -> Iterator[str]:
    """Where an answer is another one than it should be. Keys that are not wanted are ignored."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from differences(value, found.get(key), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            yield f"{path} has {len(found)} items, and should have {len(wanted)}"
        for number, (one, other) in enumerate(zip(wanted, found, strict=False)):
            yield from differences(one, other, f"{path}[{number}]")
    else:
        is_close = path.rpartition(".")[2] in ROUNDED and isinstance(wanted, int) and isinstance(found, int)
        if wanted != found and not (is_close and abs(wanted - found) <= 1):
            yield f"{path} is {found!r}, and should be {wanted!r}"


@pytest.mark.parametrize("name", NAMES)
def test_a_case_has_the_answer_of_the_independent_program(name: str) -> None:
    wanted = json.loads((CASES / name.replace(".json", ".answer.json")).read_text("utf-8"))
    assert [*differences(wanted, score((CASES / name).read_bytes()))] == []


def test_the_command_prints_the_answer_or_a_table_and_refuses_what_is_no_form(tmp_path: Path) -> None:
    case = CASES / "01-neuberg-and-form.json"
    assert json.loads(run("score", str(case)).output) == score(case.read_bytes())
    lines = run("score", str(case), "--csv").output.splitlines()
    assert lines[:2] == [
        "field,stage,order,place,player,total,shown,runs,reason,head_to_head,tops,moves,winner",
        "people,first,1,1,ann,37/54,68.52,3,total,,,,True",
    ]
    wrong = json.loads(case.read_text("utf-8"))
    wrong["runs"][2]["moves"] = "many"
    for text, words in (
        ("{", "it is no JSON"),
        ("[]", "its format is None"),
        ('{"format": "cadogan evening 2"}', "must be one of"),
        (json.dumps(wrong), "Expected `int`, got `str` - at `$.runs[2].moves`"),
    ):
        (tmp_path / "form.json").write_text(text)
        refused = run("score", str(tmp_path / "form.json"))
        assert refused.exit_code == 1
        assert words in refused.output
