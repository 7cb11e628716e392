"""How many cores this program may use."""

from pathlib import Path

import pytest

from cadogan.server.core.event_loop import count_cores


@pytest.mark.parametrize(
    ("limit", "cores"),
    [("50000 100000", 1), ("100000 100000\n", 1), ("max 100000\n", None), ("6400000 100000", None), ("nonsense", None)],
)
def test_a_container_that_is_limited_has_fewer_cores_than_its_machine(
    tmp_path: Path, limit: str, cores: int | None
) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(limit)
    assert count_cores(file) == (cores or count_cores(tmp_path / "no such file"))


def test_there_is_at_least_one_core(tmp_path: Path) -> None:
    assert count_cores(tmp_path / "no such file") >= 1
