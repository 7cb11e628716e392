"""The analysis of a game as characters and words."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from cadogan.terminal.game.verdicts import LOSS_SIGN, VERDICT_SIGNS, describe_position, describe_progress, draw_strip
from cadogan.wire.analysis import Analysis, AnalysisState, Choices, Verdict

ANALYSIS = Analysis(
    game="k3v7q2m5x4c6z2ab",
    state="done",
    solver=4,
    nodes=20_000,
    verdicts=["won", "won", "lost", "unknown", None],
    losses=[3],
    choices=[Choices(version=2, keeping=1, losing=3, unknown=2), Choices(version=4, keeping=0, losing=1, unknown=0)],
)


def columns(positions: int, width: int) -> Callable[[int], int]:
    """Return where each of so many positions is in a bar of this width."""
    return lambda index: round((width - 1) * index / (positions - 1))


def test_every_verdict_and_a_loss_differ_without_colour() -> None:
    assert len({LOSS_SIGN, *(sign for sign, _ in VERDICT_SIGNS.values())}) == 5


def test_a_strip_has_each_position_up_to_the_next_one() -> None:
    strip = draw_strip(ANALYSIS, [1, 2, 3, 4, 5], columns(5, 9), 9)
    assert strip.plain == "▔▔▔▔╲▁╌╌·"


def test_a_strip_that_is_shorter_than_the_game_shows_every_loss() -> None:
    won: Verdict = "won"
    lost: Verdict = "lost"
    analysis = replace(ANALYSIS, verdicts=[*[won] * 50, *[lost] * 50], losses=[51])
    strip = draw_strip(analysis, range(1, 101), columns(100, 10), 10)
    assert strip.plain == "▔▔▔▔▔╲▁▁▁▁"


def test_the_end_of_a_game_has_the_verdict_of_its_last_position() -> None:
    analysis = replace(ANALYSIS, verdicts=["won", "won"], losses=[])
    assert draw_strip(analysis, [1, 2, 3], columns(3, 3), 3).plain == "▔▔▔"


@pytest.mark.parametrize(
    ("state", "verdicts", "losses", "said"),
    [
        ("waiting", [None, None], [], "The analysis waits: 2 others come first"),
        ("working", ["won", None], [], "Analysing: 1 of 2 positions"),
        ("working", ["won", "lost"], [1], "Lost at move 1"),
        ("done", ["won", "lost"] * 4, [1, 3, 5, 7, 9, 11], "Lost at move 1, 3, 5, 7, 9 …"),
        ("done", ["won", "won"], [], "The win was never lost"),
        ("done", ["lost", "lost"], [], "This deal cannot be won"),
        ("done", ["won", "unknown", "lost"], [], "Not every position could be decided"),
    ],
)
def test_an_analysis_says_how_far_it_is_or_what_it_has_found(
    state: AnalysisState, verdicts: list[Verdict | None], losses: list[int], said: str
) -> None:
    analysis = replace(ANALYSIS, state=state, verdicts=verdicts, ahead=2)
    assert describe_progress(analysis, losses) == said


@pytest.mark.parametrize(
    ("version", "is_loss", "said"),
    [
        (1, False, "The game can still be won here."),
        (2, False, "The game can still be won here. 1 of 6 moves from here keep the win. 2 are not decided."),
        (3, True, "The game was lost with this move. The game can no longer be won here."),
        (
            4,
            False,
            "Nobody knows whether the game can be won here: the search gave up. 0 of 1 move from here keeps the win.",
        ),
        (5, False, ""),
        (6, False, ""),
    ],
)
def test_a_position_is_described_with_its_verdict_and_its_choices(version: int, is_loss: bool, said: str) -> None:
    assert describe_position(ANALYSIS, version, is_loss) == said
