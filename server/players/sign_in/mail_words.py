"""The words of the mails about an account, in each language of the pages."""

from typing import NamedTuple


class MailWords(NamedTuple):
    """The words of one language; `{house}`, `{name}` and `{link}` stand for the server, the player and a link.

    A mail to an address that nobody has confirmed has no name, which a stranger could have chosen.
    """

    confirm_subject: str
    confirm: str
    recover_subject: str
    recover: str


WORDS = {
    "en": MailWords(
        confirm_subject="Confirm your address for {house}",
        confirm="Hello,\n\nopen this link to confirm that this is your address:\n\n{link}\n\n"
        "It works for one day. If you have not asked for it, do nothing.\n",
        recover_subject="A new password for {house}",
        recover="Hello {name},\n\nset a new password with this link:\n\n{link}\n\n"
        "It works once, within one hour. If you have not asked for it, do nothing: your password stays as it is.\n",
    ),
    "de": MailWords(
        confirm_subject="Bestätige deine Adresse für {house}",
        confirm="Hallo,\n\nöffne diesen Link, um zu bestätigen, dass dies deine Adresse ist:\n\n{link}\n\n"
        "Er gilt einen Tag. Wenn du nicht darum gebeten hast, tu nichts.\n",
        recover_subject="Ein neues Passwort für {house}",
        recover="Hallo {name},\n\nsetze mit diesem Link ein neues Passwort:\n\n{link}\n\n"
        "Er gilt einmal, eine Stunde lang. Wenn du nicht darum gebeten hast, tu nichts: Dein Passwort bleibt, wie es "
        "ist.\n",
    ),
    "hu": MailWords(
        confirm_subject="Erősítsd meg a címedet itt: {house}",
        confirm="Szia!\n\nNyisd meg ezt a linket, és ezzel megerősíted, hogy ez a te címed:\n\n{link}\n\n"
        "Egy napig érvényes. Ha nem te kérted, nincs teendőd.\n",
        recover_subject="Új jelszó itt: {house}",
        recover="Szia, {name}!\n\nEzzel a linkkel új jelszót állíthatsz be:\n\n{link}\n\n"
        "Egyszer használható, egy órán belül. Ha nem te kérted, nincs teendőd: a jelszavad marad, ami volt.\n",
    ),
    "tr": MailWords(
        confirm_subject="{house} için adresini onayla",
        confirm="Merhaba,\n\nbunun senin adresin olduğunu onaylamak için bu bağlantıyı aç:\n\n{link}\n\n"
        "Bir gün geçerlidir. Bunu sen istemediysen bir şey yapma.\n",
        recover_subject="{house} için yeni parola",
        recover="Merhaba {name},\n\nbu bağlantıyla yeni bir parola belirle:\n\n{link}\n\n"
        "Bir saat içinde, bir kez geçerlidir. Bunu sen istemediysen bir şey yapma: parolan olduğu gibi kalır.\n",
    ),
}


def words_in(language: str) -> MailWords:
    """Return the words of a language, given by its tag; English for one that is not known."""
    return WORDS.get(language, WORDS["en"])
