"""Evenings, puzzles and reviews, through the SDK on a real server."""

import pytest

from cadogan.sdk import Client
from cadogan.sdk.client import AFTER_CHANGE_MILLISECONDS, seconds_until_change
from cadogan.sdk.errors import Conflict, NotFound, SpoilerEmbargo
from cadogan.server.subjects.admin.roles import Roles
from cadogan.wire import evenings, matches, seasons
from cadogan.wire.admin import Why
from tests.harness.evening_actions import MINUTE
from tests.harness.hosts import with_role
from tests.harness.running_server import RunningServer


async def test_a_match_is_made_and_withdrawn(either: Client) -> None:
    made = await either.make_match(matches.NewMatch(against="link", deals=1))
    assert [(one.id, one.state) for one in (await either.list_matches()).matches] == [(made.id, "waiting")]
    assert (await either.leave_evening(made.id)).void == "withdrawn"


async def test_an_evening_is_made_entered_played_and_decided_on(sqlite_server: RunningServer, either: Client) -> None:
    host = (await either.claim_name("Ada Byron", "correct horse")).player
    await Roles(sqlite_server.server.database, sqlite_server.clock).change(None, host.id, "host", Why(reason="request"))
    wanted = evenings.NewEvening(
        title="Thursday",
        starts_at=sqlite_server.clock.at + 10 * MINUTE,
        rounds=2,
        games=["klondike", "golf"],
        teams=evenings.TeamsWanted(best=1, names=["Elms", "Oaks"]),
    )
    made = await either.make_evening(wanted)
    assert (await either.change_evening(made.id, evenings.ChangeEvening(title="Friday"))).title == "Friday"
    assert [one.id for one in (await either.list_evenings()).evenings] == [made.id]
    assert (await either.find_evening(made.code)).id == made.id
    assert (await either.enter_evening(made.id, team="1")).entrants[0].team == "1"
    assert (await either.assign_evening_team(made.id, host.id, "2")).entrants[0].team == "2"
    with pytest.raises(Conflict):
        await either.open_evening_deal(made.id)

    sqlite_server.clock.at += 10 * MINUTE
    assert (await either.show_evening(made.id)).state == "round"
    assert (await either.open_evening_deal(made.id)).game
    ruling = evenings.Ruling(kind="extend", round=1, seconds=60)
    assert (await either.rule_evening(made.id, ruling)).rounds[0].closes_at > made.rounds[0].closes_at
    assert (await either.show_evening_standing(made.id)).state == "live"
    await either.leave_evening(made.id)
    sqlite_server.clock.at += 30 * MINUTE
    assert [run.player.id for run in (await either.show_evening_round(made.id, 1)).runs] == [host.id]
    with pytest.raises(SpoilerEmbargo):
        await either.evening_record(made.id)
    objected = await either.object_to_evening(made.id, round=1)
    ruling = evenings.Ruling(kind="answer", objection=objected.objections[0].id, answer="dismissed")
    assert (await either.rule_evening(made.id, ruling)).objections[0].answer == "dismissed"
    sqlite_server.clock.at += 30 * MINUTE
    assert (await either.show_evening(made.id)).state == "final"
    assert len((await either.evening_record(made.id)).runs) == 1
    assert (await either.show_virtual_evening(made.id)).why == "seen"
    with pytest.raises(Conflict, match="You have played or seen a deal of this evening"):
        await either.begin_virtual_evening(made.id)
    with pytest.raises(Conflict, match="Begin this evening first"):
        await either.open_virtual_deal(made.id)


async def test_an_arena_is_played_deal_after_deal(sqlite_server: RunningServer, either: Client) -> None:
    host = (await either.claim_name("Ada Byron", "correct horse")).player
    await Roles(sqlite_server.server.database, sqlite_server.clock).change(None, host.id, "host", Why(reason="request"))
    starts_at = sqlite_server.clock.at + 10 * MINUTE
    made = await either.make_evening(evenings.NewEvening(title="Arena", starts_at=starts_at, arena_minutes=10))
    assert seconds_until_change(made) == (10 * MINUTE + AFTER_CHANGE_MILLISECONDS) / 1000
    assert [one.number for one in (await either.show_arena_deals(made.id)).deals] == [*range(1, 21)]
    sqlite_server.clock.at += 10 * MINUTE
    for number in (1, 2):
        assert (await either.open_evening_deal(made.id)).round == number
        await either.leave_evening(made.id)
    assert [run.points for run in (await either.show_arena_sheet(made.id, host.id)).runs] == [0, 0]


async def test_every_round_of_an_evening_is_played_by_following_it(
    sqlite_server: RunningServer, either: Client
) -> None:
    leader = await with_role(sqlite_server, "Rosamund", "host")
    new = {
        "title": "Thursday",
        "starts_at": sqlite_server.clock.at + 5 * MINUTE,
        "rounds": 2,
        "games": ["golf"] * 2,
        "pause": 300,
        "seconds": 300,
    }
    _, made = await leader.post("/evenings", new)
    await either.enter_evening(made["id"], "Ada")
    seen = []
    async for evening in either.follow_evening(made["id"], poll_seconds=0.01):
        seen.append((evening.state, evening.round))
        if evening.may_play:
            game = await either.enter_round(evening.id)
            await game.resign()
            assert (await either.enter_round(evening.id)).over
        sqlite_server.clock.at += (30 if evening.state == "provisional" else 5) * MINUTE
    played = [one for number, one in enumerate(seen) if one not in seen[:number]]
    assert played == [
        ("entry", 1),
        ("round", 1),
        ("pause", 2),
        ("round", 2),
        ("provisional", None),
        ("final", None),
    ]
    runs = (await either.show_evening_standing(made["id"])).fields[0].rows[0].runs
    assert runs == 2
    with pytest.raises(Conflict):
        await either.enter_round(made["id"])


async def test_form_and_ratings_are_empty_before_the_first_rated_evening(either: Client) -> None:
    own = (await either.claim_name("Ada Byron", "correct horse")).player
    form = await either.show_form(own.id)
    assert (form.player.id, form.pools) == (own.id, [])
    listed = await either.list_ratings("steady", bots=True)
    assert (listed.pool, listed.bots, listed.players) == ("steady", True, [])


async def test_seasons_are_switched_on_read_and_left(sqlite_server: RunningServer, either: Client) -> None:
    host = (await either.claim_name("Ada Byron", "correct horse")).player
    await Roles(sqlite_server.server.database, sqlite_server.clock).change(None, host.id, "host", Why(reason="request"))
    assert (await either.list_seasons()).seasons == []
    opened = (await either.change_seasons(seasons.SeasonSettings(on=True, weeks=4))).seasons[0]
    season = await either.show_season(opened.id)
    assert (season.weeks, season.divisions, season.closed) == (opened.weeks, [], False)
    with pytest.raises(Conflict, match="not in this season"):
        await either.leave_season(opened.id)


async def test_the_seasons_of_a_group_are_switched_on_by_its_owner(either: Client) -> None:
    group = await either.make_group("The snug")
    assert not (await either.list_group_seasons(group.id)).settings.on
    wanted = seasons.SeasonSettings(on=True, weeks=4, demotion=False)
    opened = (await either.change_group_seasons(group.id, wanted)).seasons
    assert (await either.list_group_seasons(group.id)).settings == wanted
    assert (await either.show_season(opened[0].id)).demotion is False


async def test_what_the_house_has_not_yet_is_refused_by_name(either: Client) -> None:
    assert (await either.list_puzzles()).days == []
    for asked in (either.show_puzzle, either.try_puzzle, either.give_puzzle_up, either.show_puzzle_way):
        with pytest.raises(NotFound):
            await asked("2026-11-20")
    with pytest.raises(SpoilerEmbargo):
        await either.show_review("2026-11-20")
    with pytest.raises(SpoilerEmbargo):
        await either.show_best_line("2026-11-20", 1)
