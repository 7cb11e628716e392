"""Types of viewers: who looks at whose game, and the earlier actions that decide what they may see."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from msgspec.structs import replace

from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from tests.harness import fixed_server, hidden_card_pairs
from tests.harness.fixed_server import CASUAL, FRESH, PRACTICE, RACE
from tests.harness.game_steps import DAY
from tests.harness.people import Person
from tests.harness.running_server import RunningServer


class Scene(NamedTuple):
    """A server at noon of the day, and the player whose game is looked at."""

    running_server: RunningServer
    rules: str
    owner: Person


class Seen(NamedTuple):
    """Who looks, and at which game."""

    viewer: Person
    game: str


Coming = Callable[[Scene, GameDealt], Awaitable[Seen]]


class Standing(NamedTuple):
    """A type of viewer; `come` puts the viewer into this situation and deals the owner's game."""

    come: Coming
    sight: str
    dealt: Callable[[str], GameDealt] = hidden_card_pairs.daily
    ends: bool = True
    """Whether the owner may resign the game while it is watched."""

    @property
    def name(self) -> str:
        """The name in words."""
        return self.come.__name__.replace("_", " ")


def raced(slug: str) -> GameDealt:
    """Return a deal in the race."""
    return replace(hidden_card_pairs.casual(slug), race=RACE, deal=race_deal_id(RACE))


def practised(slug: str) -> GameDealt:
    """Return the first deal of the day, for practice."""
    return replace(hidden_card_pairs.daily(slug), ranked=False)


async def _daily(scene: Scene, dealt: GameDealt, viewer: Person) -> Seen:
    game = await fixed_server.attempt_of(scene.running_server, scene.owner.id)
    return Seen(viewer, await fixed_server.deal_to(scene.running_server, scene.owner, dealt, game))


async def _aged(scene: Scene) -> Person:
    return await fixed_server.person(scene.running_server, "viewer")


async def _attempt(scene: Scene, viewer: Person, slot: int = 1) -> str:
    return (await scene.running_server.server.attempts.enter(viewer.id, DAY, slot)).id


async def nobody_who_is_signed_in(scene: Scene, dealt: GameDealt) -> Seen:
    return await _daily(scene, dealt, scene.running_server.stranger())


async def one_who_has_not_begun(scene: Scene, dealt: GameDealt) -> Seen:
    return await _daily(scene, dealt, await _aged(scene))


async def one_who_looks_at_a_run_for_practice(scene: Scene, dealt: GameDealt) -> Seen:
    game = await fixed_server.deal_to(scene.running_server, scene.owner, dealt, PRACTICE)
    return Seen(await _aged(scene), game)


async def one_at_play(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await _attempt(scene, viewer)
    return await _daily(scene, dealt, viewer)


async def one_who_has_finished_another_deal(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await fixed_server.resign(scene.running_server, viewer, await _attempt(scene, viewer, slot=2))
    return await _daily(scene, dealt, viewer)


async def one_who_was_shown_another_deal(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await scene.running_server.server.attempts.spoil(viewer.id, DAY, 2)
    return await _daily(scene, dealt, viewer)


async def a_fresh_account_that_has_finished(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await fixed_server.person(scene.running_server, "viewer", age=FRESH - 60_000)
    await fixed_server.end(scene.running_server, viewer, await _attempt(scene, viewer))
    return await _daily(scene, dealt, viewer)


async def one_who_has_played_to_the_end(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await fixed_server.end(scene.running_server, viewer, await _attempt(scene, viewer))
    return await _daily(scene, dealt, viewer)


async def one_who_has_resigned(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await fixed_server.resign(scene.running_server, viewer, await _attempt(scene, viewer))
    return await _daily(scene, dealt, viewer)


async def one_who_was_shown_the_deal(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await scene.running_server.server.attempts.spoil(viewer.id, DAY, 1)
    return await _daily(scene, dealt, viewer)


async def one_who_was_shown_the_deal_at_play(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    await _attempt(scene, viewer)
    await scene.running_server.server.attempts.spoil(viewer.id, DAY, 1)
    return await _daily(scene, dealt, viewer)


async def the_player(scene: Scene, dealt: GameDealt) -> Seen:
    return await _daily(scene, dealt, scene.owner)


async def the_player_of_a_run_that_counts_no_more(scene: Scene, dealt: GameDealt) -> Seen:
    seen = await _daily(scene, dealt, scene.owner)
    await scene.running_server.server.attempts.spoil(scene.owner.id, DAY, 1)
    return seen


async def the_player_of_a_casual_game(scene: Scene, dealt: GameDealt) -> Seen:
    return Seen(scene.owner, await _casual(scene, dealt))


async def a_spectator_of_a_casual_game(scene: Scene, dealt: GameDealt) -> Seen:
    return Seen(scene.running_server.stranger(), await _casual(scene, dealt))


async def _casual(scene: Scene, dealt: GameDealt) -> str:
    return await fixed_server.deal_to(scene.running_server, scene.owner, replace(dealt, deal=CASUAL), CASUAL)


async def a_racer_at_play(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    return Seen(viewer, await _race(scene, dealt, viewer))


async def a_racer_whose_own_run_is_over(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    game = await _race(scene, dealt, viewer)
    await fixed_server.resign(
        scene.running_server, viewer, await fixed_server.game_in_race(scene.running_server, viewer)
    )
    return Seen(viewer, game)


async def a_racer_with_a_fresh_account_whose_own_run_is_over(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await fixed_server.person(scene.running_server, "viewer", age=FRESH - 600_000)
    game = await _race(scene, dealt, viewer)
    await fixed_server.resign(
        scene.running_server, viewer, await fixed_server.game_in_race(scene.running_server, viewer)
    )
    return Seen(viewer, game)


async def a_spectator_of_a_race(scene: Scene, dealt: GameDealt) -> Seen:
    viewer = await _aged(scene)
    return Seen(viewer, await _race(scene, dealt))


async def a_spectator_of_a_race_who_is_not_signed_in(scene: Scene, dealt: GameDealt) -> Seen:
    return Seen(scene.running_server.stranger(), await _race(scene, dealt))


async def the_player_in_a_race(scene: Scene, dealt: GameDealt) -> Seen:
    return Seen(scene.owner, await _race(scene, dealt))


async def _race(scene: Scene, dealt: GameDealt, *others: Person) -> str:
    """Return the owner's game in a race with these players and one more, who never plays."""
    idle = await fixed_server.person(scene.running_server, "idle")
    await fixed_server.race(scene.running_server, (scene.owner, idle, *others), scene.rules)
    game = await fixed_server.deal_to(
        scene.running_server, scene.owner, dealt, await fixed_server.game_in_race(scene.running_server, scene.owner)
    )
    await scene.running_server.server.races.get(RACE)
    return game


async def whoever_sees_all_of_yesterday_and_of_a_race_that_is_over(scene: Scene, dealt: GameDealt) -> Seen:
    running_server, owner = scene.running_server, scene.owner
    viewer, rival = await fixed_server.people(running_server, ("viewer", "rival"))
    await fixed_server.race(running_server, (owner, rival), scene.rules)
    await running_server.server.races.get(RACE)
    for racer in (owner, rival):
        await fixed_server.resign(running_server, racer, await fixed_server.game_in_race(running_server, racer))
    assert (await running_server.server.races.get(RACE)).over
    return await _daily(scene, dealt, viewer)


PROGRESS_VIEWS = (
    Standing(nobody_who_is_signed_in, "meter"),
    Standing(one_who_has_not_begun, "meter"),
    Standing(one_at_play, "meter"),
    Standing(one_who_looks_at_a_run_for_practice, "meter", practised),
    Standing(one_who_has_finished_another_deal, "meter"),
    Standing(one_who_was_shown_another_deal, "meter"),
    Standing(a_fresh_account_that_has_finished, "meter"),
    Standing(a_racer_at_play, "meter", raced),
    Standing(a_racer_with_a_fresh_account_whose_own_run_is_over, "meter", raced),
    Standing(a_spectator_of_a_race, "meter", raced),
    Standing(a_spectator_of_a_race_who_is_not_signed_in, "meter", raced),
    Standing(whoever_sees_all_of_yesterday_and_of_a_race_that_is_over, "meter"),
)
BOARDS = (
    Standing(one_who_has_played_to_the_end, "board"),
    Standing(one_who_has_resigned, "board"),
    Standing(one_who_was_shown_the_deal, "board"),
    Standing(one_who_was_shown_the_deal_at_play, "board"),
    Standing(a_racer_whose_own_run_is_over, "board", raced),
    Standing(a_spectator_of_a_casual_game, "board", hidden_card_pairs.casual, ends=False),
)
SEATS = (
    Standing(the_player, "seat"),
    Standing(the_player_of_a_run_that_counts_no_more, "seat"),
    Standing(the_player_in_a_race, "seat", raced),
    Standing(the_player_of_a_casual_game, "seat", hidden_card_pairs.casual, ends=False),
)
