"""The words of news for chats and feeds, in each language of the pages."""

from typing import NamedTuple


class NewsWords(NamedTuple):
    """The words of one language. `{house}`, `{day}`, `{games}` and `{players}` stand for what they name."""

    day_opened: str
    day_closed: str
    race_started: str
    race_ended: str
    player_reported: str
    run_reported: str
    found: tuple[str, str]
    """For one finding, and for any other number."""
    test: str
    points: str
    cards_home: str
    reasons: dict[str, str]


WORDS = {
    "en": NewsWords(
        day_opened="{house}: the deals of {day} are open: {games}.",
        day_closed="{house}: {day} is over.",
        race_started="{house}: a race of {games} begins: {players}.",
        race_ended="{house}: a race of {games} is over.",
        player_reported="{house}: a player was reported ({reason}).",
        run_reported="{house}: a run was reported ({reason}).",
        found=(
            "{house}: the copy detector has {count} finding about {day}. It can be wrong.",
            "{house}: the copy detector has {count} findings about {day}. They can be wrong.",
        ),
        test="{house}: this is a test. News arrives here.",
        points="points",
        cards_home="cards home",
        reasons={
            "cheating": "cheating",
            "name": "the name",
            "conduct": "conduct",
            "second_account": "a second account",
            "other": "another reason",
        },
    ),
    "de": NewsWords(
        day_opened="{house}: Die Spiele vom {day} sind offen: {games}.",
        day_closed="{house}: Der {day} ist vorbei.",
        race_started="{house}: Ein Rennen in {games} beginnt: {players}.",
        race_ended="{house}: Ein Rennen in {games} ist vorbei.",
        player_reported="{house}: Ein Spieler wurde gemeldet ({reason}).",
        run_reported="{house}: Ein Durchgang wurde gemeldet ({reason}).",
        found=(
            "{house}: Der Vergleich der Durchgänge vom {day} ergab {count} Auffälligkeit. Sie kann ein Irrtum sein.",
            "{house}: Der Vergleich der Durchgänge vom {day} ergab {count} Auffälligkeiten. Sie können Irrtümer sein.",
        ),
        test="{house}: Das ist ein Test. Hier kommen Neuigkeiten an.",
        points="Punkte",
        cards_home="Karten abgelegt",
        reasons={
            "cheating": "Betrug",
            "name": "der Name",
            "conduct": "Verhalten",
            "second_account": "ein zweites Konto",
            "other": "ein anderer Grund",
        },
    ),
    "hu": NewsWords(
        day_opened="{house}: megnyíltak a nap leosztásai ({day}): {games}.",
        day_closed="{house}: a nap véget ért ({day}).",
        race_started="{house}: verseny indul ({games}): {players}.",
        race_ended="{house}: egy verseny véget ért ({games}).",
        player_reported="{house}: bejelentettek egy játékost ({reason}).",
        run_reported="{house}: bejelentettek egy futamot ({reason}).",
        found=(
            "{house}: a futamok összehasonlítása {count} gyanús futamot talált ({day}). A gyanú lehet téves.",
            "{house}: a futamok összehasonlítása {count} gyanús futamot talált ({day}). A gyanú lehet téves.",
        ),
        test="{house}: ez egy próba. Ide érkeznek a hírek.",
        points="pont",
        cards_home="lap a helyén",
        reasons={
            "cheating": "csalás",
            "name": "a név",
            "conduct": "viselkedés",
            "second_account": "második fiók",
            "other": "más ok",
        },
    ),
    "tr": NewsWords(
        day_opened="{house}: günün oyunları açıldı ({day}): {games}.",
        day_closed="{house}: gün bitti ({day}).",
        race_started="{house}: yarış başlıyor ({games}): {players}.",
        race_ended="{house}: bir yarış bitti ({games}).",
        player_reported="{house}: bir oyuncu bildirildi ({reason}).",
        run_reported="{house}: bir tur bildirildi ({reason}).",
        found=(
            "{house}: turların karşılaştırılmasında {count} bulgu var ({day}). Bulgular yanlış olabilir.",
            "{house}: turların karşılaştırılmasında {count} bulgu var ({day}). Bulgular yanlış olabilir.",
        ),
        test="{house}: bu bir deneme. Haberler buraya gelir.",
        points="puan",
        cards_home="kart yerinde",
        reasons={
            "cheating": "hile",
            "name": "ad",
            "conduct": "davranış",
            "second_account": "ikinci hesap",
            "other": "başka bir neden",
        },
    ),
}


def words_in(language: str) -> NewsWords:
    """Return the words of a language, given by its tag; English for one that is not known."""
    return WORDS.get(language, WORDS["en"])
