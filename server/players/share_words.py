"""The words of results that are sent to others, in each language of the pages."""

from typing import NamedTuple


class ShareWords(NamedTuple):
    """The words of one language. Of two forms, the first is for one and the second for any other number."""

    levels: dict[str, str]
    ends: dict[str, str]
    not_played: str
    score: str
    moves: tuple[str, str]
    points: tuple[str, str]
    streak: str
    thousands: str
    """What stands between the thousands of a number."""


WORDS = {
    "en": ShareWords(
        levels={"gentle": "easy", "steady": "medium", "stern": "hard"},
        ends={"won": "won", "lost": "no more moves", "resigned": "gave up"},
        not_played="not played",
        score="{score} of {maximum}",
        moves=("{count} move", "{count} moves"),
        points=("{count} point", "{count} points"),
        streak="{count} days in a row",
        thousands=",",
    ),
    "de": ShareWords(
        levels={"gentle": "leicht", "steady": "mittel", "stern": "schwer"},
        ends={"won": "gewonnen", "lost": "kein Zug mehr", "resigned": "aufgegeben"},
        not_played="nicht gespielt",
        score="{score} von {maximum}",
        moves=("{count} Zug", "{count} Züge"),
        points=("{count} Punkt", "{count} Punkte"),
        streak="{count} Tage in Folge",
        thousands=".",
    ),
    "hu": ShareWords(
        levels={"gentle": "könnyű", "steady": "közepes", "stern": "nehéz"},
        ends={"won": "megnyerve", "lost": "nincs több lépés", "resigned": "feladva"},
        not_played="nincs lejátszva",
        score="{score} / {maximum}",
        moves=("{count} lépés", "{count} lépés"),
        points=("{count} pont", "{count} pont"),
        streak="{count} nap egymás után",
        thousands="\xa0",
    ),
    "tr": ShareWords(
        levels={"gentle": "kolay", "steady": "orta", "stern": "zor"},
        ends={"won": "kazanıldı", "lost": "hamle kalmadı", "resigned": "bırakıldı"},
        not_played="oynanmadı",
        score="{score} / {maximum}",
        moves=("{count} hamle", "{count} hamle"),
        points=("{count} puan", "{count} puan"),
        streak="art arda {count} gün",
        thousands=".",
    ),
}
