"""What cannot be undone waits while clocks part: the time of day, the steady clock, and the database's."""

from dataclasses import dataclass

import structlog

from cadogan.server.core.clock_check import STEADY_MILLISECONDS, ClockCheck

DAY = 86_400_000
MINUTE = 60_000


@dataclass
class Machines:
    """A machine and a database whose clocks a test sets, in milliseconds."""

    wall: int = 1_795_176_000_000
    steady: int = 5_000
    database: int = 1_795_176_000_000

    def pass_by(self, milliseconds: int) -> None:
        """Let time pass."""
        self.wall += milliseconds
        self.steady += milliseconds
        self.database += milliseconds

    def check(self, with_database: bool = False) -> ClockCheck:
        """A check of these clocks."""
        return ClockCheck(lambda: self.wall, lambda: self.steady, self.ask if with_database else None)

    async def ask(self) -> int:
        return self.database


async def test_a_clock_set_ahead_or_back_is_not_believed_until_it_is_set_right_again() -> None:
    for jump in (2 * DAY, -2 * DAY, 2 * MINUTE, -2 * MINUTE):
        machines = Machines()
        check = machines.check()
        assert await check.agree()
        machines.pass_by(MINUTE)
        machines.wall += jump
        with structlog.testing.capture_logs() as logged:
            assert not await check.agree()
            machines.pass_by(MINUTE)
            assert not await check.agree()
            assert check.difference() == jump
            machines.wall -= jump
            assert await check.agree()
        assert [one["event"] for one in logged] == ["clocks_part", "clocks_agree"]
        assert check.difference() == 0


async def test_small_steps_and_a_slow_drift_are_believed() -> None:
    machines = Machines()
    check = machines.check()
    for _ in range(400):
        machines.pass_by(STEADY_MILLISECONDS // 4)
        machines.wall += 200
        assert await check.agree()
    machines.wall += 30_000
    assert await check.agree()


async def test_a_clock_that_was_set_and_then_runs_evenly_for_long_enough_is_believed() -> None:
    machines = Machines()
    check = machines.check()
    machines.wall += 2 * DAY
    assert not await check.agree()
    machines.pass_by(STEADY_MILLISECONDS - 1)
    assert not await check.agree()
    machines.pass_by(1)
    assert await check.agree()
    assert check.agreed_milliseconds() == 0, "what nobody opened waits for an hour more"
    machines.pass_by(STEADY_MILLISECONDS)
    assert check.agreed_milliseconds() == STEADY_MILLISECONDS


async def test_with_a_database_the_time_of_day_must_agree_with_it_also_at_the_start() -> None:
    machines = Machines()
    machines.wall += 2 * DAY
    check = machines.check(with_database=True)
    assert not await check.agree()
    machines.wall -= 2 * DAY
    assert await check.agree(), "the database's clock is right, so nothing else is waited for"
    machines.pass_by(MINUTE)
    machines.wall -= DAY
    assert not await check.agree()


async def test_a_database_on_the_same_machine_does_not_confirm_a_clock_that_was_set() -> None:
    machines = Machines()
    check = machines.check(with_database=True)
    assert await check.agree()
    machines.wall += 2 * DAY
    machines.database += 2 * DAY
    for _ in range(3):
        assert not await check.agree()
        machines.pass_by(MINUTE)
    machines.wall -= 2 * DAY
    machines.database -= 2 * DAY
    machines.pass_by(2000)
    assert await check.agree()


async def test_a_machine_that_slept_agrees_and_a_time_that_a_test_sets_does_so_without_a_steady_clock() -> None:
    machines = Machines()
    check = machines.check()
    machines.pass_by(8 * STEADY_MILLISECONDS)
    assert await check.agree()
    unchecked = ClockCheck(lambda: machines.wall)
    machines.wall += DAY
    assert await unchecked.agree()
    assert unchecked.agreed_milliseconds() >= STEADY_MILLISECONDS
