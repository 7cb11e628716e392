"""What the metrics and the doctor say of the log: how much waits, who is away, and why nothing is signed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cadogan.server.core.clock import now
from cadogan.server.operations.doctor import Severity
from cadogan.server.operations.doctor_probes import diagnose
from cadogan.server.subjects.transparency.notes import WITNESS, SigningKey, cosign
from cadogan.server.subjects.transparency.sequencer import LogFigures, count_log
from tests.harness.daily_actions import play_and_resign
from tests.harness.http_client import FOR_METRICS, METRICS_TOKEN
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

FRIEND, OTHER = (SigningKey(name, bytes(32)) for name in ("friends.example/witness", "other.example/witness"))
KEYS = [FRIEND.verifier(WITNESS), OTHER.verifier(WITNESS)]


@pytest.fixture
async def club(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server with two witnesses that are away, which appends nothing by itself."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    settings = replace(
        TEST_SETTINGS,
        database_url=database_url,
        key_file=str(tmp_path / "host.key"),
        witnesses=tuple(f"http://127.0.0.1:9#{key.text}" for key in KEYS),
        metrics_token=METRICS_TOKEN,
    )
    async with open_server(settings) as server:
        yield server


async def figures_of(server: RunningServer) -> dict[str, float]:
    """The metrics of the log."""
    async with server.session.get(f"{server.url}/metrics", headers=FOR_METRICS) as response:
        lines = [line.split(" ") for line in (await response.text()).splitlines() if line.startswith("cadogan_log_")]
    return {name.removeprefix("cadogan_log_"): float(value) for name, value in lines}


async def test_the_figures_follow_what_ends_what_is_signed_and_by_whom(club: RunningServer) -> None:
    log, database = club.server.transparency, club.server.database
    assert await count_log(database, KEYS, club.clock.at) == LogFigures(0, DAY_ENTRIES, 0.0, ())
    ann = await club.guest()
    for _ in range(2):
        await play_and_resign(ann, await ann.deal())
    club.clock.at += 90_000
    assert await count_log(database, KEYS, club.clock.at) == LogFigures(0, DAY_ENTRIES + 2, 90.0, ())
    read = await figures_of(club)
    assert (read["entries"], read["waiting"], read["oldest_seconds"], read["refused"]) == (0, DAY_ENTRIES + 2, 90, 0)
    await log_ends(club.server)
    assert await count_log(database, KEYS, club.clock.at) == LogFigures(
        DAY_ENTRIES + 2, 0, 0.0, (FRIEND.name, OTHER.name)
    )
    head = await log.head()
    assert head is not None
    await log.store_witnessed(head, [cosign(head.text, FRIEND, 1)])
    assert await count_log(database, KEYS, club.clock.at) == LogFigures(DAY_ENTRIES + 2, 0, 0.0, (OTHER.name,))
    read = await figures_of(club)
    assert (read["entries"], read["waiting"], read["witnesses_away"]) == (DAY_ENTRIES + 2, 0, 1)
    assert 0 <= read["checkpoint_seconds"] < 300


async def test_the_doctor_says_why_nothing_is_signed_and_what_to_do(club: RunningServer) -> None:
    ann = await club.guest()
    await play_and_resign(ann, await ann.deal())
    club.clock.at = now()
    await log_ends(club.server)

    async def look() -> tuple[Severity, str, str]:
        (found,) = [one async for one in diagnose(club.server.settings) if one.check == "log"]
        return found.severity, found.message, found.advice

    severity, message, _ = await look()
    assert (severity, message.startswith(f"{DAY_ENTRIES + 1} entries, 0 wait, last signed on this machine")) == (
        Severity.OK,
        True,
    )
    key = club.server.host_key
    stored = key.file.read_text()
    key.file.write_text(SigningKey(key.get().name, bytes(32)).text)
    severity, message, advice = await look()
    assert severity is Severity.ERROR
    assert "nothing is signed" in message
    assert "put that key there from a copy" in advice
    key.file.write_text(stored)
    assert (await look())[0] is Severity.OK
