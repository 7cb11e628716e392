"""The measurement of the transparency log proves what it appends."""

from pathlib import Path

import pytest

from benchmarks.transparency import measure_store, measure_tree


async def test_the_log_is_measured_beside_its_limits_at_each_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    measure_tree(300)
    await measure_store("sqlite", [1500, 3000], rounds=2, times=10)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].split() for line in lines] == [
        *[["tree", "300"]] * 2,
        *[["sqlite", "1,500"]] * 2,
        *[["sqlite", "3,000"]] * 3,
    ]
    assert sum("ratio" in line for line in lines) == 5
    assert "of them hashes" in lines[-1]
