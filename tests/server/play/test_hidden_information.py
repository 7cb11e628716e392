"""For each standing: two worlds that agree on what the viewer may see are the same bytes to that viewer, by every way.

Each world is a whole server on a port of its own, in which somebody plays while the viewer listens at a socket and
reads at every address. The worlds differ in cards that lie face down for whoever sees the cards; for whoever sees the
meter in all cards and in the moves, as long as the runs get on alike; and in the secrets of the days to come.
"""

import asyncio
import random
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
import uvloop
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import json, to_builtins
from msgspec.structs import replace

from cadogan import engine
from cadogan.server.subjects.transparency.sequencer import Sequencer
from tests.harness import everything_sent, fixed_server, hidden_card_pairs
from tests.harness.everything_sent import Received
from tests.harness.fixed_server import BEFORE, NOON, RACE
from tests.harness.game_steps import DAY, SECRET, moves_to_try
from tests.harness.hidden_card_pairs import Story
from tests.harness.running_server import RunningServer
from tests.harness.viewers import BOARDS, PROGRESS_VIEWS, SEATS, Scene, Standing

CHOICES = st.lists(st.integers(0, 1000), min_size=4, max_size=9)
OTHER = bytes(32)
HIDING = [slug for slug in engine.slugs() if "-" in str(hidden_card_pairs.daily(slug).piles.values())]
"""Games in which cards lie face down."""
APART = (
    "babette",
    "congress",
    "fifteen",
    "flower-garden",
    "fourteenth",
    "general-sedgewick",
    "hemispheres",
    "house-on-the-hill",
    "klondike",
    "labyrinth",
    "napoleons-square-single",
    "quatorze",
    "shah",
    "zodiac",
)
"""Games in which different cards get on alike, whatever is dealt."""
QUICK = (
    "the player",
    "the player in a race",
    "one who has resigned",
    "one who was shown the deal",
    "a spectator of a casual game",
    "nobody who is signed in",
    "one at play",
    "a fresh account that has finished",
    "a racer at play",
)
"""Viewers of every kind: seats, boards and meters, of days, races and casual games. The tests with others are heavy."""
EXAMPLES = settings(max_examples=1, phases=[Phase.generate])


def viewers(*standings: Standing) -> pytest.MarkDecorator:
    """Let a test run once for each of these."""
    return pytest.mark.parametrize(
        "standing",
        [pytest.param(one, id=one.name, marks=[] if one.name in QUICK else [pytest.mark.heavy]) for one in standings],
    )


@pytest.fixture(autouse=True)
def without_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is told by itself, so that both worlds tell everything at the same moments.

    Nor is anything logged: the digests of games cover their secrets, so that they differ with the cards and tell nobody
    of them (`tests/server/transparency`).
    """
    monkeypatch.setattr(Sequencer, "append_all", AsyncMock(return_value=0))
    monkeypatch.setattr("cadogan.server.core.event_loop.INTERVAL_SECONDS", everything_sent.NEVER_SECONDS)
    monkeypatch.setattr(
        "cadogan.server.subjects.leaderboards.live.PUBLISH_INTERVAL_SECONDS", everything_sent.NEVER_SECONDS
    )


async def receive_story(template: Path, standing: Standing, story: Story, secret_to_come: bytes) -> Received:
    """Everything that the viewer is sent: of the deal before the owner plays, while they play, and of all after."""
    rules = story.dealt.game
    async with fixed_server.open_fixed_server(template, rules, secret_to_come) as running_server:
        server, owner = running_server.server, await fixed_server.person(running_server, "owner")
        yesterdays = await server.attempts.enter(owner.id, BEFORE, 1)
        await fixed_server.resign(running_server, owner, yesterdays.id)
        running_server.clock.at = NOON
        await server.challenges.list_days(NOON)
        viewer, game_id = await standing.come(Scene(running_server, rules, owner), story.dealt)
        paths = list(everything_sent.addresses((game_id, yesterdays.id), (owner.id, viewer.id or owner.id), rules))
        async with everything_sent.listen_to_socket(running_server, viewer) as listener:
            for watch in everything_sent.watches(game_id, rules):
                await listener.ask(**watch)
            assert f'"sight":"{standing.sight}"'.encode() in listener.received[0][1]
            of_the_deal = [path for path in paths if game_id in path or DAY in path]
            await listener.read_addresses(path for path in of_the_deal if not path.startswith("/boards/"))
            for number, done in enumerate(story.done):
                running_server.clock.at += 1000
                command = hidden_card_pairs.command(await server.cache.get(game_id), done)
                if viewer is owner:
                    await listener.ask(**{**to_builtins(command), "id": f"done {number}"})
                else:
                    await server.commands.carry_out(owner.id, replace(command, id=f"done {number}"))
                    await listener.listen("somebody plays")
            await ask_for_too_much(listener, running_server, viewer.id, game_id)
            await listener.read_addresses(paths)
        return listener.received


async def ask_for_too_much(
    listener: everything_sent.SocketListener, running_server: RunningServer, viewer: str, game_id: str
) -> None:
    """Ask for whatever is refused, or may be."""
    game = await running_server.server.cache.get(game_id)
    moves = [move for move in moves_to_try(game, 7) if viewer != game.player or move not in game.position.legal]
    for command in everything_sent.commands(game_id, game.version, moves):
        await listener.ask(**command)
    await listener.ask_http("POST", f"/dailies/{BEFORE}/deals/1/games", {})
    await listener.ask_http("POST", f"/dailies/{DAY}/deals/9/games", {})
    for way, body in (("join", {"nonce": "words"}), ("leave", {}), ("start", {}), ("rematch", {"nonce": "words"})):
        await listener.ask_http("POST", f"/races/{RACE}/{way}", body)
    server = running_server.server
    daily = await server.challenges.get(DAY, running_server.clock.at)
    if daily is not None and not await server.attempts.may_practise(viewer, daily, f"{DAY}.1"):
        await listener.ask_http("POST", f"/dailies/{DAY}/deals/1/games", {"practice": True})


def compare(template: Path, standing: Standing, stories: tuple[Story, Story]) -> tuple[Received, Received]:
    """What the viewer is told in each of two worlds."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        one, other = [
            runner.run(receive_story(template, standing, story, secret))
            for story, secret in zip(stories, (SECRET, OTHER), strict=True)
        ]
    return one, other


@pytest.mark.slow
@viewers(*SEATS, *BOARDS)
@EXAMPLES
@given(slug=st.sampled_from(HIDING), choices=CHOICES, seed=st.integers(0, 1 << 32))
def test_a_viewer_of_the_board_learns_nothing_about_face_down_cards(
    sqlite_template: Path, standing: Standing, slug: str, choices: list[int], seed: int
) -> None:
    stories = hidden_card_pairs.unseen(standing.dealt(slug), choices, random.Random(seed))
    one, other = compare(sqlite_template, standing, hidden_card_pairs.giving_up(stories) if standing.ends else stories)
    assert one == other


@pytest.mark.slow
@viewers(*PROGRESS_VIEWS)
@EXAMPLES
@given(slug=st.sampled_from(APART), choices=CHOICES, secret=st.binary(min_size=32, max_size=32))
def test_a_viewer_of_the_meter_learns_only_how_far_the_run_is(
    sqlite_template: Path, standing: Standing, slug: str, choices: list[int], secret: bytes
) -> None:
    stories = hidden_card_pairs.alike_in_progress(standing.dealt(slug), secret, choices)
    one, other = compare(sqlite_template, standing, hidden_card_pairs.giving_up(stories))
    assert one == other


def test_a_viewer_of_the_board_can_distinguish_the_two_games(sqlite_template: Path) -> None:
    stories = hidden_card_pairs.alike_in_progress(hidden_card_pairs.daily("klondike"), OTHER, [1, 2, 3, 4])
    one, other = compare(sqlite_template, BOARDS[0], stories)
    different = {what for (what, said), (_, also_said) in zip(one, other, strict=True) if said != also_said}
    assert {"subscribe", f"GET /games/{game_of(one)}", f"GET /games/{game_of(one)}/replay"} <= different


def test_the_pairs_of_games_differ_in_what_must_stay_hidden() -> None:
    choices = [3, 1, 4, 1, 5, 9]
    for slug in APART:
        one, other = hidden_card_pairs.alike_in_progress(hidden_card_pairs.daily(slug), OTHER, choices)
        assert one.dealt.piles != other.dealt.piles
        assert len(one.done) == len(other.done) > 1
    hidden = [hidden_card_pairs.unseen(hidden_card_pairs.daily(slug), choices, random.Random(1)) for slug in HIDING]
    assert sum(one.dealt != other.dealt for one, other in hidden) > len(HIDING) * 3 // 4


def game_of(received: Received) -> str:
    """The game that is looked at."""
    view = json.decode(received[0][1])
    return str(view["game"]["id"])
