"""What people do with the deals of a day: see the list of deals, end a run, ask to be shown a deal."""

from typing import Any

from server.competitions.daily.challenges import SETTLE_MILLISECONDS
from server.core import dates
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

DAY = "2026-11-20"
GRACE = 3_600_000
CLOSES = dates.day_times(DAY, GRACE).closes_at


async def card(person: Person, day: str = DAY) -> list[dict[str, Any]]:
    """A day's deals, as the person sees them."""
    found: list[dict[str, Any]] = (await person.get(f"/dailies/{day}"))[1]["deals"]
    return found


async def deal_of(person: Person, slot: int = 1, day: str = DAY) -> dict[str, Any]:
    """A deal on the day's card, as the person sees it."""
    return (await card(person, day))[slot - 1]


async def give_up(person: Person, game: str, moves: int = 0) -> None:
    """Play so many first legal moves, or until there is none, then resign."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(moves):
            if seen["legal"]:
                seen = {**seen, **await socket.play({**seen, "game": game})}
        await socket.send("resign", game=game, version=seen["version"])
        await socket.receive("game_finished")


async def spoil(person: Person, slot: int = 1, day: str = DAY) -> dict[str, Any]:
    """Ask to be shown a deal; the answer."""
    _, body = await person.post(f"/dailies/{day}/deals/{slot}/spoil")
    answer: dict[str, Any] = body
    return answer


async def sight(person: Person, game: str) -> str:
    """What the person sees of a game."""
    _, view = await person.get(f"/games/{game}")
    return str(view["sight"])


async def refusal(person: Person, path: str, body: Any = None) -> str:
    """The code with which a request is refused."""
    _, answer = await person.post(path, body)
    return str(answer["code"])


async def logged(running_server: RunningServer, stream: str) -> list[str]:
    """The types of the events in a stream."""
    return [event.type for event in await running_server.server.store.read(stream)]


async def attempt_of(running_server: RunningServer, person: Person, slot: int = 1) -> str:
    """The id that the person's attempt has, or would have."""
    daily = await running_server.server.challenges.get(DAY, running_server.clock.at)
    assert daily is not None
    return daily.attempt(f"{DAY}.{slot}", person.id)


async def close(running_server: RunningServer) -> list[Any]:
    """Let the day close, and have the close written; the day's events."""
    running_server.clock.at = CLOSES + SETTLE_MILLISECONDS
    await running_server.server.challenges.list_days(running_server.clock.at)
    return await running_server.server.store.read(f"daily/{DAY}")
