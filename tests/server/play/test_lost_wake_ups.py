"""What a node does after wake-ups may have been lost: every part is brought up to date, whatever happens to another."""

import asyncio
from collections.abc import Collection

from cadogan.server.subjects.wake_ups import Resync


async def test_a_part_that_fails_keeps_no_other_one_from_being_brought_up_to_date() -> None:
    asked, reached = list[str](), asyncio.Event()

    async def fail_once(topics: Collection[str] | None) -> None:
        asked.append("games")
        if len(asked) == 1:
            raise ConnectionRefusedError

    async def reach(topics: Collection[str] | None) -> None:
        asked.append("boards")
        reached.set()

    resync = Resync()
    resync.add(fail_once, reach)
    resync.request(None)
    await reached.wait()
    assert asked == ["games", "boards"]
    await resync.wait_until_idle()
    assert asked == ["games", "boards", "games"]
    await resync.close()
