"""Time slices: who computes long lets everybody else go on."""

import asyncio
from collections.abc import Iterator

import pytest

from cadogan.server.core.event_loop import TimeSlices


async def test_long_computations_take_turns_and_everything_else_goes_on_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cadogan.server.core.event_loop.SLICE_SECONDS", 0)
    slices, done = TimeSlices(), list[str]()

    def work(name: str) -> Iterator[int]:
        for piece in range(3):
            done.append(name)
            yield piece

    async def others() -> None:
        while len(done) - done.count("-") < 6:
            done.append("-")
            await asyncio.sleep(0)

    await asyncio.gather(slices.run(work("a")), slices.run(work("b")), others())
    taken_in_order = "".join(done)
    assert taken_in_order.replace("-", "") == "ababab"
    assert "ab" not in taken_in_order
    assert "ba" not in taken_in_order


async def test_a_computation_that_fails_does_not_stop_the_others() -> None:
    slices = TimeSlices()
    with pytest.raises(ZeroDivisionError):
        await slices.run(1 // number for number in (1, 0))
    await slices.run(range(3))
