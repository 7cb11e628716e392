"""The words of digests, in each language of the pages."""

from typing import NamedTuple


class DigestWords(NamedTuple):
    """The words of one language. What stands in braces is put in: names, numbers, days, and links."""

    subject: str
    hello: str
    own: str
    not_played: str
    figures: str
    week_rank: str
    place: str
    house: str
    won: str
    nobody: str
    open: str
    coming: str
    play: str
    why: str
    end: str


WORDS = {
    "en": DigestWords(
        subject="{house}: the week from {first} to {last}",
        hello="Hello {name},",
        own="Your week",
        not_played="You were on no board of these days.",
        figures="Days played: {days}. Points: {points}. Streak, in days: {streak}.",
        week_rank="Your rank on the board of the week: {rank} of {players}.",
        place="{day}: rank {rank} of {players}, points: {points}",
        house="The week of the house",
        won="{day} ({games}): {winners}, points: {points}, players: {players}",
        nobody="{day} ({games}): nobody has played.",
        open="A day that is not closed yet is left out: it spoils nothing.",
        coming="The days to come",
        play="Play",
        why="You get this mail once a week because you have switched it on.",
        end="Send me no more of them",
    ),
    "de": DigestWords(
        subject="{house}: die Woche vom {first} bis {last}",
        hello="Hallo {name},",
        own="Deine Woche",
        not_played="Du standest an diesen Tagen auf keiner Rangliste.",
        figures="Gespielte Tage: {days}. Punkte: {points}. Serie in Tagen: {streak}.",
        week_rank="Dein Rang auf der Rangliste der Woche: {rank} von {players}.",
        place="{day}: Rang {rank} von {players}, Punkte: {points}",
        house="Die Woche des Hauses",
        won="{day} ({games}): {winners}, Punkte: {points}, Spieler: {players}",
        nobody="{day} ({games}): Niemand hat gespielt.",
        open="Ein Tag, der noch nicht geschlossen ist, fehlt hier: Nichts wird verraten.",
        coming="Die kommenden Tage",
        play="Spielen",
        why="Du bekommst diese Mail einmal in der Woche, weil du sie eingeschaltet hast.",
        end="Keine mehr schicken",
    ),
    "hu": DigestWords(
        subject="{house}: a hét ({first} – {last})",
        hello="Szia, {name}!",
        own="A heted",
        not_played="Ezeken a napokon egyik ranglistán sem szerepeltél.",
        figures="Játszott napok: {days}. Pontok: {points}. Sorozat napokban: {streak}.",
        week_rank="Helyezésed a hét ranglistáján: {rank} / {players}.",
        place="{day}: helyezés: {rank} / {players}, pontok: {points}",
        house="A ház hete",
        won="{day} ({games}): {winners}, pontok: {points}, játékosok: {players}",
        nobody="{day} ({games}): senki sem játszott.",
        open="Ami még nem zárult le, az a nap itt nem szerepel: semmit sem árulunk el.",
        coming="A következő napok",
        play="Játék",
        why="Ezt a levelet hetente egyszer kapod, mert bekapcsoltad.",
        end="Ne küldjetek többet",
    ),
    "tr": DigestWords(
        subject="{house}: {first} – {last} haftası",
        hello="Merhaba {name},",
        own="Haftan",
        not_played="Bu günlerde hiçbir sıralamada yoktun.",
        figures="Oynanan gün: {days}. Puan: {points}. Seri (gün): {streak}.",
        week_rank="Haftanın sıralamasındaki yerin: {rank} / {players}.",
        place="{day}: sıra {rank} / {players}, puan: {points}",
        house="Evin haftası",
        won="{day} ({games}): {winners}, puan: {points}, oyuncu: {players}",
        nobody="{day} ({games}): kimse oynamadı.",
        open="Henüz kapanmamış bir gün burada yok: hiçbir şey ele verilmez.",
        coming="Önümüzdeki günler",
        play="Oyna",
        why="Bu e-postayı haftada bir kez alıyorsun, çünkü açtın.",
        end="Artık gönderme",
    ),
}


def words_in(language: str) -> DigestWords:
    """Return the words of a language, given by its tag; English for one that is not known."""
    return WORDS.get(language, WORDS["en"])
