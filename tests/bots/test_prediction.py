"""What bots predict of a move, and what they learn of a game from its legal moves."""

from cadogan.bots.prediction import UNSEEN, LearnedRules, predict_changed_piles
from cadogan.sdk.moves import Joint, Transfer, Verb, parse_move
from tests.bots.small_table import PLACES, TABLE


def test_a_move_is_predicted_as_far_as_the_cards_are_known() -> None:
    assert predict_changed_piles(TABLE, Transfer("", "tableau.0", "foundation", 1), None) == {
        "tableau.0": (UNSEEN,),
        "foundation": ("AH", "2H"),
    }
    assert predict_changed_piles(TABLE, Joint("", ("tableau.1", "tableau.2"), exchange=True), None) == {
        "tableau.1": ("9S", "9C"),
        "tableau.2": ("8H",),
    }
    assert predict_changed_piles(TABLE, Joint("", ("tableau.1", "tableau.2"), exchange=False), "foundation") == {
        "tableau.1": ("9S",),
        "tableau.2": (),
        "foundation": ("AH", "8H", "9C"),
    }
    assert predict_changed_piles(TABLE, Verb("deal"), None) is None


def test_legal_moves_teach_which_cards_go_on_which() -> None:
    rules = LearnedRules(PLACES)
    piles = TABLE | {"tableau.3": ("7S",)}
    assert list(rules.predict_moves(piles, piles)) == []
    rules.learn([parse_move("tableau.1/tableau.2", TABLE)], TABLE)
    assert [move.text for move in rules.predict_moves(piles, piles)] == ["tableau.1/tableau.2", "tableau.3/tableau.1"]
    assert [move.text for move in rules.predict_moves(piles, ["tableau.3"])] == ["tableau.3/tableau.1"]
