"""Laws of scoring that hold for every evening, and nothing that crashes."""

import json
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.scoring.answer import InvalidForm, score
from cadogan.server.core.scoring.deals import ScoredDeal
from cadogan.server.core.scoring.elo_mmr import PlayerRating, hundredths, performances, sigma_squared
from cadogan.server.core.scoring.forms import EveningSettings, Run
from cadogan.server.core.scoring.places import rank_stage
from cadogan.server.core.scoring.table import write_table
from tests.server.core.scoring.test_cases import CASES, NAMES

START, MINUTE = 1_795_719_600_000, 60_000
PLAYERS = ("ann", "bob", "cat", "dan", "eve", "bot1")


@st.composite
def evenings(draw: st.DrawFn) -> dict[str, Any]:
    """The JSON of a small evening; some runs are late, struck or of nobody, and some rounds have an outage."""
    count = draw(st.integers(1, 4))
    rounds: list[dict[str, Any]] = [
        {"round": n, "stage": "first", "deal": f"e.{n}", "game": "golf", "level": "steady",
         "opens_at": START + n * 11 * MINUTE, "closes_at": START + n * 11 * MINUTE + 10 * MINUTE}
        for n in range(1, count + 1)
    ]  # fmt: skip
    if draw(st.booleans()):
        rounds[-1]["stage"] = "final" if count > 1 else "first"
    runs = []
    for player in PLAYERS:
        for one in rounds:
            if draw(st.integers(0, 4)):
                opened = one["opens_at"] + draw(st.integers(-1, 10)) * MINUTE
                result = draw(st.sampled_from(("won", "lost", "resigned", "out_of_time")))
                runs.append(
                    {"run": f"{player}-{one['round']}", "deal": one["deal"], "player": player, "opened_at": opened,
                     "ended_at": opened + MINUTE, "result": result, "score": draw(st.integers(0, 3)),
                     "points": draw(st.integers(0, 1250)), "moves": draw(st.integers(1, 3)), "milliseconds": 1}
                )  # fmt: skip
    named = [run["run"] for run in runs]
    struck = draw(st.lists(st.sampled_from(named), max_size=2, unique=True)) if named else []
    since = START + draw(st.integers(0, 40)) * MINUTE
    return {
        "format": "cadogan evening 1",
        "evening": "e",
        "settings": {
            "scoring": draw(st.sampled_from(("matchpoints", "points", "places"))),
            "bots": draw(st.sampled_from(("none", "apart", "mixed"))),
            "freeze": draw(st.booleans()),
            "teams": draw(st.sampled_from((None, {"best": 2}))),
            "final": {"best": 2, "carry": draw(st.sampled_from(("none", "half", "all")))},
        },
        "rounds": rounds,
        "entrants": [
            {"player": player, "kind": "bot" if player == "bot1" else "person", "entered_at": START, "left_at": None,
             "team": "reds" if player < "c" else "blues"}
            for player in PLAYERS[: draw(st.integers(2, 6))]
        ],
        "runs": runs,
        "outages": [{"from": since, "until": since + 5 * MINUTE, "players": draw(st.sampled_from((None, ["ann"])))}],
        "voided": [{"deal": "e.1", "at": START, "reason": "leader"}] if draw(st.booleans()) else [],
        "struck": [{"run": run, "at": START + n, "reason": "cheating"} for n, run in enumerate(struck)],
        "qualified": None,
        "finalised_at": START + draw(st.integers(0, 2)),
        "ratings": {"ann": [160_000, 5]},
    }  # fmt: skip


def as_bytes(form: Any) -> bytes:
    return json.dumps(form).encode()


@given(evenings(), st.randoms())
def test_the_order_of_the_lists_means_nothing(form: dict[str, Any], random: Any) -> None:
    answer = score(as_bytes(form))
    for name in ("entrants", "runs", "outages", "voided", "struck"):
        random.shuffle(form[name])
    assert score(as_bytes(form)) == answer


@given(evenings())
def test_shares_of_a_field_sum_to_half_its_runs_and_rows_agree_with_their_scores(form: dict[str, Any]) -> None:
    answer = score(as_bytes(form))
    for standing in answer["standings"]:
        stages = {stage["stage"]: stage for stage in standing["stages"]}
        for stage in stages.values():
            sizes = {one["deal"]: one["n"] for one in stage["deals"] if one["void"] is None}
            if form["settings"]["scoring"] == "matchpoints":
                for deal, scores in groupby(stage["scores"], key=lambda one: one["deal"]):
                    played = [Fraction(one["value"]) for one in scores if one["how"] == "played"]
                    assert sum(played) == Fraction(sizes[deal], 2)
        first = {row["player"] for row in standing["rows"]}
        assert first == {one["player"] for one in stages["first"]["scores"]} or not stages["first"]["scores"]
        orders = [row["order"] for row in standing["rows"]]
        assert orders == sorted(orders)
        assert [row["place"] for row in standing["rows"]] == sorted(row["place"] for row in standing["rows"])


@given(st.sampled_from(NAMES), st.data())
def test_a_form_with_something_changed_has_an_answer_or_a_clear_refusal(name: str, data: st.DataObject) -> None:
    form = json.loads((CASES / name).read_text("utf-8"))
    at: Any = form
    while True:
        keys = list(at) if isinstance(at, dict) else range(len(at))
        if not keys:
            break
        key = data.draw(st.sampled_from(list(keys)))
        if isinstance(at[key], dict | list) and at[key] and data.draw(st.booleans()):
            at = at[key]
            continue
        values: st.SearchStrategy[Any] = st.sampled_from((None, -1, 0, 10**18, "", "ann", "1/0", [], {}, True, 0.5))
        at[key] = data.draw(values)
        break
    with suppress(InvalidForm):
        assert score(as_bytes(form))["format"]


@pytest.mark.parametrize("rating", [[10**9, 8], [-(10**400), 8], [150_000, 10**12], [150_000, -1]])
def test_ratings_that_nobody_can_have_are_refused(rating: list[int]) -> None:
    form = json.loads((CASES / "01-neuberg-and-form.json").read_text("utf-8"))
    form["ratings"]["ann"] = rating
    with pytest.raises(InvalidForm, match="rating of ann"):
        score(as_bytes(form))


def test_an_id_that_a_spreadsheet_would_compute_is_a_text_in_the_table() -> None:
    text = (CASES / "01-neuberg-and-form.json").read_text("utf-8").replace('"ann"', '"=1+1"')
    lines = write_table(score(text.encode())).splitlines()
    assert any(",'=1+1," in line for line in lines)
    assert not any(",=1+1," in line for line in lines)


def test_the_worked_ratings_of_four_newcomers() -> None:
    newcomers = [PlayerRating() for _ in range(4)]
    for one in newcomers:
        one.drift()
    field = [(one.mu, one.variance, place) for place, one in enumerate(newcomers, 1)]
    found = [hundredths(value) for value in performances(field).values()]
    assert found == [180780, 159002, 140998, 119220]
    for one, performance in zip(newcomers, found, strict=True):
        one.add(performance / 100)
    assert [hundredths(one.mu) for one in newcomers] == [175825, 157572, 142428, 124175]
    shared = performances(
        [(one.mu, one.variance, max(1, place - 1)) for one, (_, _, place) in zip(newcomers, field, strict=True)]
    )
    assert len(shared) == 3
    assert [hundredths(sigma_squared(count) ** 0.5) for count in (1, 2, 10)] == [17120, 13048, 8207]


def test_of_two_with_the_same_total_the_one_who_was_better_on_more_deals_is_first() -> None:
    def deal(name: str, points: dict[str, int]) -> ScoredDeal:
        runs = {who: Run(f"{who} {name}", name, who, 0, 1, "won", won, won, 50, 1) for who, won in points.items()}
        return ScoredDeal(name, None, len(runs), runs, set(), {})

    deals = [deal("1", {"ann": 1, "bob": 2}), deal("2", {"ann": 1, "bob": 2}), deal("3", {"ann": 2, "bob": 1})]
    ranked = rank_stage({"ann": Fraction(1, 2), "bob": Fraction(1, 2)}, deals, EveningSettings())
    assert [(one.player, one.order, one.reason, one.head_to_head) for one in ranked] == [
        ("bob", 1, "total", 4),
        ("ann", 2, "head_to_head", 2),
    ]


def test_the_table_of_ratings_has_bots_before_people_however_well_they_played() -> None:
    places = [
        {"player": name, "place": place, "kind": "bot" if name.startswith("bot") else "person"}
        for place, name in enumerate(("ann", "bot1", "bob", "cat", "bot2", "dan", "eve", "bot3", "bot4"), 1)
    ]
    contest = {"contest": "e", "at": START, "places": places}
    answer = score(json.dumps({"format": "cadogan ratings 1", "contests": [contest]}).encode())
    order = [row["player"] for row in answer["table"] if row["pool"] == "all"]
    assert order == ["bot1", "bot2", "bot3", "bot4", "ann", "bob", "cat", "dan", "eve"]


@pytest.mark.parametrize(
    "share", ["1e-99999999", "1/3e9", "0.5", "1/0", "-1/2", "3/2", "1 /2", f"1/{'9' * 4_000}", "\u0661/2"]
)
def test_a_share_that_is_no_fraction_from_0_to_1_is_refused_at_once(share: str) -> None:
    run = {"game": "klondike", "player": "ann", "share": share, "n": 4, "ended_at": 1_795_176_000_000}
    form = {"format": "cadogan shields 1", "month": "2026-11", "holders": {}, "runs": [run]}
    with pytest.raises(InvalidForm, match=r"is no fraction|is not from 0 to 1"):
        score(as_bytes(form))


def test_shares_whose_sum_has_thousands_of_digits_are_refused() -> None:
    sessions = [
        {"session": str(number), "week": "2026-W47", "shares": {"ann": f"1/{10**399 + number}"}} for number in range(20)
    ]
    form = {
        "format": "cadogan season 1",
        "season": "2026-W47",
        "weeks": ["2026-W47"],
        "settings": {"best_of_week": 20},
        "divisions": [[{"player": "ann", "rating": 0}]],
        "sessions": sessions,
    }
    with pytest.raises(InvalidForm, match="too many digits"):
        score(as_bytes(form))


@pytest.mark.parametrize("name", ["size", "best_of_week", "best_weeks"])
def test_a_season_of_which_nothing_counts_is_refused(name: str) -> None:
    form = {"format": "cadogan season 1", "season": "2026-W47", "weeks": ["2026-W47"], "settings": {name: 0}}
    with pytest.raises(InvalidForm, match="are 1 or more"):
        score(as_bytes(form | {"divisions": [], "sessions": []}))
