"""What is played on which day: every game comes round, and the host may say otherwise in a file."""

from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.difficulty.published import is_certified_soon, level_of
from cadogan.server.core import dates
from cadogan.server.subjects.daily import rules
from cadogan.server.subjects.daily.rules import DEFAULT_BUDGET, Calendar, CalendarError, Level, Slot, read_calendar

DAY = "2026-11-20"
TWO = """
[[deal]]
level = "gentle"
games = ["louis", "quatorze"]

[[deal]]
level = "the club's own"
games = ["klondike"]
"""


def test_every_game_is_in_the_rotation_of_exactly_one_level() -> None:
    levels = rules.default_calendar().levels
    games = [slug for level in levels for slug in level.games]
    assert sorted(games) == sorted(engine.slugs())
    assert [level.name for level in levels] == ["gentle", "steady", "stern"]
    longest = max(len(level.games) for level in levels)
    played = {
        slot.game for ahead in range(longest) for slot in rules.default_calendar().card(dates.add_days(DAY, ahead))
    }
    assert played == set(engine.slugs())


def test_a_game_is_played_at_the_level_that_was_measured() -> None:
    for level in rules.default_calendar().levels:
        assert {level_of(slug) for slug in level.games} == {level.name}


def test_no_level_has_twice_as_many_games_as_another() -> None:
    sizes = {level.name: len(level.games) for level in rules.default_calendar().levels}
    assert max(sizes.values()) < 2 * min(sizes.values()), f"{sizes}: `cadogan levels --measure GAME` measures new games"


def test_the_games_of_a_level_take_turns() -> None:
    taking_turns = Calendar((Level("gentle", ("louis", "quatorze", "anna")), Level("stern", ("klondike",))))
    cards = [taking_turns.card(dates.add_days(DAY, ahead)) for ahead in range(6)]
    assert [card[0].game for card in cards[:3]] == [card[0].game for card in cards[3:]]
    assert {card[0].game for card in cards} == {"louis", "quatorze", "anna"}
    assert {(card[1].number, card[1].level, card[1].game) for card in cards} == {(2, "stern", "klondike")}


def written(folder: Path, text: str | bytes) -> str:
    path = folder / "calendar.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_host_sets_the_deals_their_games_and_their_number_in_a_file(tmp_path: Path) -> None:
    read = read_calendar(written(tmp_path, TWO))
    assert read.levels == (Level("gentle", ("louis", "quatorze")), Level("the club's own", ("klondike",)))
    assert len(read.card(DAY)) == 2


def test_a_calendar_may_have_one_deal_a_day(tmp_path: Path) -> None:
    assert read_calendar(written(tmp_path, '[[deal]]\nlevel = "ours"\ngames = ["maze"]')).card(DAY) == (
        Slot(1, "ours", "maze", DEFAULT_BUDGET),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"write for each deal of the day \[\[deal\]\]"),
        ("deal = []", "has 0 deals"),
        ('[[deal]]\nlevel = "a"\ngames = []', "deal 1 .* has no games"),
        ('[[deal]]\nlevel = "a"\ngames = ["snap"]', "'snap', which is no game"),
        ('[[deal]]\nlevel = ""\ngames = ["maze"]', "needs a level"),
        ('[[deal]]\nlevels = "a"\ngames = ["maze"]', "is not as it must be"),
        ('[[deal]]\nlevel = "a"\ngames = "maze"', "is not as it must be"),
        ("[[deal", "is not as it must be"),
        ('nodes = 0\n[[deal]]\nlevel = "a"\ngames = ["maze"]', "is not as it must be"),
        (b"\xff", "is no UTF-8 text"),
        ('[[deal]]\nlevel = "a"\ngames = ["maze"]\n' * 10, "has 10 deals"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_says_what_to_do(
    tmp_path: Path, text: str | bytes, complaint: str
) -> None:
    with pytest.raises(CalendarError, match=complaint):
        read_calendar(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(CalendarError, match=r"none\.toml.* cannot be read"):
        read_calendar(str(tmp_path / "none.toml"))


def test_a_deal_is_to_be_certified_where_the_solver_wins_some_unless_the_calendar_says_otherwise(
    tmp_path: Path,
) -> None:
    deals = [("maze", ""), ("queens", ""), ("maze", "certified = false"), ("queens", "certified = true")]

    def budgets(head: str) -> list[int]:
        text = "".join(f'[[deal]]\nlevel = "a"\ngames = ["{game}"]\n{line}\n' for game, line in deals)
        return [slot.budget for slot in read_calendar(written(tmp_path, head + text)).card(DAY)]

    assert budgets("") == [DEFAULT_BUDGET, 0, 0, DEFAULT_BUDGET]
    assert budgets("certified = false\n") == [0, 0, 0, DEFAULT_BUDGET]
    assert budgets("certified = true\nnodes = 70\n") == [70, 70, 0, 70]


def test_a_game_is_certified_by_default_if_a_search_soon_finds_a_deal_that_can_be_won() -> None:
    budgets = {slug: Calendar((Level("a", (slug,)),)).card(DAY)[0].budget for slug in engine.slugs()}
    assert budgets == {slug: DEFAULT_BUDGET if is_certified_soon(slug) else 0 for slug in engine.slugs()}
    assert {0, DEFAULT_BUDGET} == set(budgets.values())


@pytest.mark.parametrize("new_year", ["2026-12-31", "2027-12-31", "2028-12-31"])
def test_the_games_go_on_taking_turns_over_new_year(new_year: str) -> None:
    games = ("louis", "quatorze", "anna", "klondike", "sly", "olga", "maze")
    calendar = Calendar((Level("gentle", games),))
    played = [calendar.card(dates.add_days(new_year, ahead))[0].game for ahead in range(-3, 4)]
    assert sorted(played) == sorted(games)
    first = games.index(played[0])
    assert played == [*games[first:], *games[:first]]
