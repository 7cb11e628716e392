"""Questions put together: as many as wait make one, and none is answered by what was read before it was asked."""

import asyncio
from collections.abc import Collection

import pytest

from cadogan.server.core.event_loop import MAX_BATCH_KEYS, Batcher


class Books:
    """Answers each key with how often it has been looked into, when it is let; notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[set[str]] = []
        self.begun = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    async def find(self, keys: Collection[str]) -> dict[str, int]:
        """What is there under these keys."""
        self.asked.append(set(keys))
        self.begun.set()
        await self.open.wait()
        if "torn" in keys:
            raise OSError("the page is torn")
        return {key: len(self.asked) for key in keys if key != "unknown"}


async def test_questions_that_arrive_meanwhile_are_asked_together_next() -> None:
    books = Books()
    books.open.clear()
    questions = Batcher(books.find)
    first = asyncio.ensure_future(questions.get("a"))
    await books.begun.wait()
    others = [asyncio.ensure_future(questions.get(key)) for key in ("b", "c", "b", "a", "unknown")]
    await asyncio.sleep(0)
    books.open.set()
    assert await first == 1
    assert await asyncio.gather(*others) == [2, 2, 2, 2, None]
    assert books.asked == [{"a"}, {"a", "b", "c", "unknown"}]


async def test_many_questions_are_asked_in_batches_of_limited_size() -> None:
    books = Books()
    questions = Batcher(books.find)
    answers = await asyncio.gather(*(questions.get(str(number)) for number in range(MAX_BATCH_KEYS + 1)))
    assert [len(asked) for asked in books.asked] == [MAX_BATCH_KEYS, 1]
    assert answers == [1] * MAX_BATCH_KEYS + [2]


@pytest.mark.parametrize(("pause_seconds", "together"), [(0.2, True), (0, False)])
async def test_in_a_crowd_a_query_waits_for_those_who_come_soon_where_there_is_a_pause(
    pause_seconds: float, together: bool
) -> None:
    books = Books()
    questions = Batcher(books.find, pause_seconds)
    await asyncio.gather(questions.get("a"), questions.get("b"))
    assert await _one_after_the_other(questions, "c", "d") == ([2, 2] if together else [2, 3])
    assert books.asked[1:] == ([{"c", "d"}] if together else [{"c"}, {"d"}])


async def test_who_comes_alone_waits_for_nobody() -> None:
    books = Books()
    questions = Batcher(books.find)
    await questions.get_many(["a", "b"])
    await asyncio.gather(questions.get("a"), questions.get("a"))
    assert await _one_after_the_other(questions, "c", "d") == [3, 4]
    assert books.asked == [{"a", "b"}, {"a"}, {"c"}, {"d"}]


async def _one_after_the_other(questions: Batcher[str, int], *keys: str) -> list[int | None]:
    """The answers to these keys, each of which is asked for when the one before it would have been answered."""
    answers = []
    for key in keys:
        answers.append(asyncio.ensure_future(questions.get(key)))
        for _ in range(10):
            await asyncio.sleep(0)
    return await asyncio.gather(*answers)


async def test_a_failure_reaches_all_callers_of_the_batch_and_no_later_ones() -> None:
    questions = Batcher(Books().find)
    torn, other = (asyncio.ensure_future(questions.get(key)) for key in ("torn", "other"))
    for asked in (torn, other):
        with pytest.raises(OSError, match="the page is torn"):
            await asked
    assert await questions.get("other") == 2


async def test_a_cancelled_caller_takes_no_answer_from_another() -> None:
    books = Books()
    books.open.clear()
    questions = Batcher(books.find)
    impatient, patient = (asyncio.ensure_future(questions.get("a")) for _ in range(2))
    await books.begun.wait()
    impatient.cancel()
    books.open.set()
    assert await patient == 1
    with pytest.raises(asyncio.CancelledError):
        await impatient
