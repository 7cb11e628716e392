"""The words of the terminal client, in every language. `tests/web/language` holds that each language has every key."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan.sdk.errors import RefusalError
from cadogan.terminal import formatting, words
from cadogan.wire.values import Player, Said

FOLDER = Path(words.__file__).parent
KEY = re.compile(r"[a-z]+\.[A-Za-z_0-9]+")
A_TEXT = re.compile(r"[A-Z][a-z]+|.*[A-Za-z]{2} [A-Za-z].*")
"""What looks like a text for people: one word with a capital, or several words."""
NO_TEXT = re.compile(r"Cadogan|ListPanel|not bold|bold red|line [a-z ]+|([A-Z][A-Za-z]+ )*[.A-Za-z]+ \{.*\}")
"""What only looks like one: the name of the client, names of classes and styles, CSS."""


def constants() -> Iterator[tuple[str, str]]:
    """Every string in the code of the client with its file, but docstrings."""
    for file in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                yield file.name, node.value


def keys() -> set[str]:
    """Every key of a text that is written out in the code."""
    sections = set(words.sections())
    found = {text for _, text in constants() if KEY.fullmatch(text) and text.partition(".")[0] in sections}
    return {key for key in found if not key.endswith(("_", ".json"))}


def test_the_code_uses_no_key_that_does_not_exist() -> None:
    assert len(keys()) > 100
    assert {key for key in keys() if not words.has_text(key)} == set()


def test_every_text_of_the_terminal_is_used() -> None:
    put_together = re.compile(r"(month|weekday)_\d+")
    own = {name for name in words.sections()["terminal"] if not put_together.fullmatch(name)}
    assert own - {key.partition(".")[2] for key in keys()} - {"thousand"} == set()


def test_no_text_for_people_is_written_in_the_code() -> None:
    texts = [(file, text) for file, text in constants() if A_TEXT.fullmatch(text)]
    assert [(file, text) for file, text in texts if not NO_TEXT.fullmatch(text)] == []


def test_the_first_wanted_language_that_exists_is_picked() -> None:
    assert words.pick_language([None, "", "C.UTF-8", "xx_YY", "hu_HU.UTF-8", "de"]) == "hu"
    assert words.pick_language(["tr"]) == "tr"
    assert words.pick_language(["POSIX"]) == "en"


def test_the_environment_names_languages_in_the_order_of_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("LC_MESSAGES", "tr_TR.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    assert words.pick_language(words.environment_languages()) == "tr"
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert words.pick_language(words.environment_languages()) == "de"


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("en", ["Friday 20 November 2026", "1,250 moves", "Guest z7y5", "Two of clubs does not go on ten of spades"]),
        ("de", ["Freitag, 20. November 2026", "1.250 Züge", "Gast z7y5", "Kreuz-Zwei passt nicht auf Pik-Zehn"]),
        ("tr", ["20 Kasım 2026 Cuma", "1.250 hamle", "Misafir z7y5", "Sütun 3: sinek ikilisi, maça onlusu üstüne"]),
        (
            "hu",
            ["2026. november 20., péntek", "1\xa0250 lépés", "Vendég z7y5", "Treff kettes nem tehető erre: pikk tízes"],
        ),
    ],
)
def test_each_language_has_its_own_dates_numbers_guests_and_refusals(tag: str, said: list[str]) -> None:
    words.use_language(tag)
    text = "{card} does not go on {card2} in {pile}"
    values: dict[str, str | int | Said] = {"card": "2C", "card2": "TS", "pile": "tableau.2"}
    refused = RefusalError("2C does not go on TS in tableau.2", said=Said(text=text, values=values))
    assert formatting.format_day("2026-11-20") == said[0]
    assert words.t("common.moves", count=1250) == said[1]
    assert formatting.format_player(Player(id="p", name="Guest z7y5", guest=True)) == said[2]
    assert formatting.format_error(refused, ["tableau.2"]).startswith(said[3])


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "eo.json").write_text('{"name": "Esperanto", "words": {"bar": {"today": "Hodiaŭ"}}}', "utf-8")
    words.t("bar.games")
    monkeypatch.setattr(words, "FOLDER", tmp_path)
    words.use_language("eo")
    assert (words.t("bar.today"), words.t("bar.games")) == ("Hodiaŭ", "Games")
    assert formatting.describe_pile("tableau.0", ("7H",)) == "tableau 1, top card seven of hearts"
    assert formatting.format_error(RefusalError("This game is over.")) == "This game is over."


def test_reasons_and_moves_within_a_refusal_are_translated() -> None:
    words.use_language("de")
    why = Said(text="cards are left in {piles}", values={"piles": "stock, waste"})
    refused = RefusalError("-", said=Said(text="no {verb} now: {why}", values={"verb": "redeal", "why": why}))
    assert formatting.format_error(refused, ["stock", "waste"]) == (
        "„Neu geben“ geht jetzt nicht: es liegen noch Karten in Talon, Ablagestapel"
    )
    moves = Said(
        text="{move} must wait: first play one of {moves}", values={"move": "deal", "moves": "a.0/a.1, a.0+a.1"}
    )
    assert formatting.format_error(RefusalError("-", said=moves), ["a.0", "a.1"]) == (
        "„Geben“ muss warten: Spiele erst einen von diesen Zügen: a 1 auf a 2, a 1 mit a 2"
    )


def test_a_player_without_the_name_of_a_guest_keeps_the_own_name() -> None:
    words.use_language("hu")
    assert formatting.format_player(Player(id="p", name="Guest house", guest=False)) == "Guest house"


def test_a_turkish_sentence_begins_with_a_turkish_capital() -> None:
    words.use_language("tr")
    assert words.capitalize("iki kart") == "İki kart"


def test_names_are_sorted_without_regard_to_accents() -> None:
    assert sorted(["Zodiac", "Örgü", "önce", "Pik"], key=formatting.sorting_key) == ["önce", "Örgü", "Pik", "Zodiac"]
