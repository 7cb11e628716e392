"""Which names are allowed, and which look like another."""

from collections.abc import Callable

import pytest

from cadogan.server.core import ids, username_rules
from cadogan.server.core.errors import BadMessage

INVISIBLE = [
    *("\u034f", "\ufe0f", "\u2800", "\u3164", "\u115f", "\u1160", "\uffa0", "\u180b", "\u17b4", "\u00ad", "\u200b"),
    *("\u200d", "\u2060", "\u2064", "\u061c", "\u202e", "\u2066", "\u206a", "\ufeff", "\ufff9", "\U000e0041"),
    *("\U000e0100", "\U0001d159", "\U0001d173", "\u0000", "\u0007", "\u009b", "\ue000", "\ud800"),
]


MISLEADING = [
    *("A", " A ", "x" * 25, "--", "Guest 7abc", "ＧＵＥＳＴ", "guest", "Guést 1", "Nobody", "N0B0DY"),
    *("Аda", "Adа", "Adα", "Ꭺda", "Ada Ольга", "ⲟlga", "Ada ٣4", "12٣"),
    *(
        "🤖 Ada",
        "Ada 🤖",
        "⚙ Ada",
        "Ada ★",
        "Ada\u20dd",
        "ᴀᴅᴀ",
        "ʙᴏᴛ",
        "Ada bót",
        "Ada bot",
        "Bot Ada",
        "Ada (bot)",
        "Ada-B0T",
        "Ada robot",
    ),
    *("Ada|bot", "Ada bot2", "1bot", "|bot|", ".Guest 7abc", "-_Guest", "(Nobody)", "Nobody.", "No-body"),
    *("A\u0300\u0301\u0302\u0303\u0304da", "A\u0332\u0332da", "\u0301Ada", "Ada \u0301", "5\u0332 Adas"),
]


def is_refused(name: str, rules: Callable[[str], object] = username_rules.normalize) -> bool:
    """Whether these rules refuse a name."""
    try:
        rules(name)
    except BadMessage:
        return True
    return False


@pytest.mark.parametrize("rules", [username_rules.normalize, username_rules.normalize_group])
def test_a_character_that_nobody_sees_is_refused_in_every_name(rules: Callable[[str], object]) -> None:
    names = [name for one in INVISIBLE for name in (f"Ada{one}", f"{one}Ada", f"A{one}da", one * 3)]
    assert [ascii(name) for name in names if not is_refused(name, rules)] == []


def test_a_name_that_cannot_be_read_or_misleads_is_refused() -> None:
    assert [ascii(name) for name in MISLEADING if not is_refused(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        *("Ad", "Lady Cadogan", "Zoë", "Jean-Luc O’Neill", "x" * 24, "ﬁne", "J. R. (2nd)", "Abbott", "Botticelli"),
        *(
            "李小龍",
            "カドガン Ada",
            "김민지 Kim",
            "Ольга",
            "Ελένη",
            "דוד 7",
            "محمد ٣",
            "मीनाक्षी",
            "สมชาย",
            "Nguyễn Thị",
            "བསྒྲུབས",
        ),
    ],
)
def test_names_of_all_languages_are_allowed(name: str) -> None:
    assert username_rules.normalize(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "http://evil.example",
            "https:evil",
            "evil.example",
            "EVIL.EXAMPLE",
            "evil。example",
            "ｅｖｉｌ．ｃｏｍ",
            "www evil",
        ),
        *(
            "ada@evil.example",
            "ada@home",
            "192.0.2.7",
            "//evil",
            "xn--bcher-kva",
            "mailto:ada",
            "пример.рф",
            "a.example:80",
            "evil_.example",
            "(evil).example",
            "evil[.]example",
            "evil (dot) example",
            "ada[at]home",
        ),
    ],
)
def test_no_name_is_an_address_or_looks_like_one(name: str) -> None:
    for rules in (username_rules.normalize, username_rules.normalize_group):
        with pytest.raises(BadMessage):
            rules(name)


@pytest.mark.parametrize("name", ["J. R. Hartley", "J.R. Hartley", "Ada 2.0", "Dr. No", "Wait: what", "A.B.C."])
def test_a_name_may_have_dots_and_colons_that_make_no_address(name: str) -> None:
    assert username_rules.normalize(name) == name


@pytest.mark.parametrize("mark", ["\u0332", "\u0305", "\u0336", "\u0489", "\u0363", "\u1dc4", "\u0591"], ids=ascii)
def test_a_mark_that_no_language_of_today_is_written_with_makes_no_other_name(mark: str) -> None:
    for name in (f"Ad{mark}a", f"Ada{mark}", f"A{mark}da"):
        with pytest.raises(BadMessage):
            username_rules.normalize(name)


def test_a_bot_may_be_called_one() -> None:
    assert username_rules.normalize("Ada's bot", bot=True) == "Ada's bot"


def test_a_guests_name_belongs_to_that_guest_alone() -> None:
    with pytest.raises(BadMessage):
        username_rules.normalize(username_rules.guest_name("k3v7q2m5x4c6z2ab"))
    assert len({username_rules.guest_name(ids.new_id()) for _ in range(5_000)}) == 5_000


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        *(("Ada", "ada", True), ("Ada", "аdа", True), ("ADA", "ΑDΑ", True), ("Paul", "PauI", True), ("O0", "0O", True)),
        *(("Bill", "Bi1|", True), ("Ida", "ıda", True), ("Ida", "i\u0307da", True), ("O'Neil", "O’Neil", True)),
        *(("Ada", "Ada.", True), ("Ada_", "-Ada", True), ("Ann-Marie", "AnnMarie", True), ("J. R.", "J R", True)),
        *(("Ada", "'Ada|'", True), ("Ada B", "AdaB", False), ("Ada -", "Ada", True), ("Ann Marie", "AnnMarie", False)),
        *(("Kai", "Kal", False), ("Zoe", "Zoë", False), ("Ada", "Ida", False), ("Van", "Nan", False)),
    ],
)
def test_two_names_look_alike_if_they_share_a_skeleton(one: str, other: str, alike: bool) -> None:
    assert bool(username_rules.skeletons(one) & username_rules.skeletons(other)) is alike
