"""Invalid records, and the position of each fault: every verifier of records must give the same verdicts.

`python -m tests.harness.odd_records` writes them into one file, which the tests of both verifiers read.
"""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import json

from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.core.games import game_state
from tests.harness import game_steps
from tests.harness.sample_records import FOLDER, Record, recorded

FILE = FOLDER.parent / "odd_records.json"
"""A list of `OddRecord`s. All are of one game."""
SLUG = "la-belle-lucie"
"""The rules of every record here."""
LARGE = 2**53
MOVE, EFFECT = "tableau.7/foundation.1", "moved tableau.7 foundation.1 1"


class OddRecord(NamedTuple):
    """A file, as `text` or, if it is not UTF-8, in hex, and the position of its fault.

    That is the version of an event, 0 for the head, or None for a valid record.
    """

    name: str
    broken_at: int | None
    text: str | None
    hex: str | None

    def content(self) -> bytes:
        """The bytes of the file."""
        return bytes.fromhex(self.hex) if self.text is None and self.hex is not None else (self.text or "").encode()


def sample() -> Record:
    """A casual game: the deal, one move, the end, the secret."""
    steps = game_steps.begin(SLUG)
    steps += game_steps.play(steps[-1].after, MOVE)
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def sample_of_day() -> Record:
    """A day's game with a deal and a move, after which the player asked to see the deal."""
    steps = game_steps.begin(SLUG, game_steps.DAY)
    steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    last = steps[-1].after
    return recorded([*steps, game_state.spoil(last, last.changed_at + 1000)])


def candidate_of_day(candidate: str) -> Record:
    """A day's game with only a deal, whose nonce ends with `candidate`."""
    return recorded(game_steps.begin(SLUG, game_steps.DAY, candidate))


def day_resigned() -> Record:
    """A day's game with a deal, a move, a move taken back, and a resignation."""
    steps = game_steps.begin(SLUG, game_steps.DAY)
    steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    steps += game_steps.take_back(steps[-1].after)
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def clock_set_back(version: int, make: Callable[[], Record] = sample) -> bytes:
    """The sample with one event earlier than its predecessor, and recomputed hashes."""
    record = copy.deepcopy(make())
    record["events"][version - 1]["recorded_at"] = record["events"][version - 2]["recorded_at"] - 1
    return json.encode(chained(record))


def later(version: int) -> bytes:
    """The sample with one event a second later, and recomputed hashes."""
    record = copy.deepcopy(sample())
    record["events"][version - 1]["recorded_at"] += 1000
    return json.encode(chained(record))


def of_events(events: list[Record], make: Record | None = None) -> bytes:
    """A record of these events in this order, and recomputed hashes.

    They are a second apart, except the secret, which is revealed together with the event before it.
    """
    record = {**(make or sample()), "events": [copy.deepcopy(event) for event in events]}
    at = game_steps.START
    for version, event in enumerate(record["events"], 1):
        at += 0 if event["type"] == "deal_revealed" else 1000
        event.update(version=version, recorded_at=at)
        if "active" in event["data"]:
            event["data"].update(milliseconds=(version - 1) * 1000, active=(version - 1) * 1000)
    return json.encode(chained(record))


def chained(changed: Record) -> Record:
    """The record with recomputed hashes, as forged by somebody who knows the format."""
    before = hash_chain.START_HASH
    for event in changed["events"]:
        head = (changed["stream"], event["version"], event["type"], event["schema"])
        before = hash_chain.event_hash(before, *head, canonical_json(event["data"]), event["recorded_at"])
        event["hash"] = before.hex()
    return changed


def at(version: int, key: str, value: Any, make: Callable[[], Record] = sample) -> bytes:
    """The sample with one value of an event's data changed, and recomputed hashes."""
    record = copy.deepcopy(make())
    record["events"][version - 1]["data"][key] = value
    return json.encode(chained(record))


def without(version: int, key: str) -> bytes:
    """The sample without one key of an event's data, and with recomputed hashes."""
    record = copy.deepcopy(sample())
    del record["events"][version - 1]["data"][key]
    return json.encode(chained(record))


def head(key: str, value: Any) -> bytes:
    """The sample with one value of its head changed."""
    return json.encode({**sample(), key: value})


def entry(key: str, value: Any) -> bytes:
    """The sample with one value of its second event changed, outside the event's data."""
    record = copy.deepcopy(sample())
    record["events"][1][key] = value
    return json.encode(record)


def odd_files() -> Iterator[tuple[str, int | None, bytes]]:
    """Yield every invalid record's name, the position of its fault, and its bytes."""
    good = json.encode(sample())
    yield "as it is written", None, good
    yield "with spaces, tabs and new lines", None, json.format(good, indent=2).replace(b"\n", b"\r\n\t ")
    yield "with a new line at its end", None, good + b"\r\n"
    yield "letters written as escape sequences", None, good.replace(b'"la-belle', b'"\\u006Ca-belle')
    yield "keys in another order", None, json.encode(dict(reversed(sample().items())))
    yield "an unknown key in its head", None, head("signature", {"by": [None, True, 7]})
    yield "an unknown key beside an event's data", None, entry("note", "x")
    yield "an unknown key called __proto__", None, good[:-1] + b',"__proto__":{"format":7}}'
    yield "unknown, 16 levels deep", None, good[:-1] + b',"x":' + b"[" * 15 + b"]" * 15 + b"}"

    yield "an empty file", 0, b""
    yield "only spaces", 0, b" \r\n"
    yield "a byte order mark", 0, b"\xef\xbb\xbf" + good
    yield "a byte order mark of UTF-16", 0, b"\xff\xfe" + good.decode().encode("utf-16-le")
    yield "UTF-16 without a mark", 0, good.decode().encode("utf-16-le")
    yield "a byte that is not UTF-8", 0, good.replace(b"ann's own words", b"ann\xffs own words")
    yield "a surrogate as UTF-8", 0, good.replace(b"ann's own words", b"ann\xed\xa0\x80s own words")
    yield "an overlong letter", 0, good.replace(b"ann's own words", b"ann\xc1\xa7s own words")
    yield "half of a surrogate pair, escaped", 0, good[:-1] + b',"x":"\\ud800"}'
    yield "half of a surrogate pair in a key", 0, good[:-1] + b',"\\udc00x":1}'
    yield "bytes after the end", 0, good + b"x"
    yield "a NUL after the end", 0, good + b"\0"
    yield "another record after the end", 0, good + good
    yield "cut in the middle", 0, good[: len(good) // 2]
    yield "a comma too many", 0, good[:-1] + b",}"
    yield "a comment", 0, good[:-1] + b"/* */}"
    yield "keys in single quotes", 0, good.replace(b'"format"', b"'format'")
    yield "a control character in a text", 0, good[:-1] + b',"x":"\x01"}'
    yield "a space of another kind", 0, good[:-1] + b"\xc2\xa0}"
    yield "an escape sequence that is none", 0, good[:-1] + b',"x":"\\x41"}'
    yield "a form feed between tokens", 0, good[:-1] + b"\x0c}"
    for name, value in (
        ("null", b"null"),
        ("true", b"true"),
        ("a list", b"[]"),
        ("a number", b"7"),
        ("a text", b'"x"'),
    ):
        yield f"only {name}", 0, value
    for name, number in (
        ("a fraction that is none", b"1.0"),
        ("an exponent", b"1e0"),
        ("an exponent in capitals", b"1E0"),
        ("minus zero", b"-0"),
        ("a leading zero", b"01"),
        ("a plus sign", b"+1"),
        ("hexadecimal", b"0x1"),
        ("NaN", b"NaN"),
        ("infinity", b"Infinity"),
        ("minus infinity", b"-Infinity"),
        ("a number of 400 digits", b"9" * 400),
        ("a number of 5000 digits", b"9" * 5000),
        ("a number that rounds to infinity", b"1e999"),
        ("one more than 2^53 - 1", b"%d" % LARGE),
        ("one less than -(2^53 - 1)", b"-%d" % LARGE),
        ("an underscore", b"1_0"),
    ):
        yield f"{name}, where a number is read", 0, good.replace(b'"schema":1', b'"schema":' + number, 1)
        yield f"{name}, where no number is read", 0, good[:-1] + b',"x":' + number + b"}"
    yield "2^53 - 1, where no number is read", None, good[:-1] + b',"x":[%d,-%d]}' % (LARGE - 1, LARGE - 1)
    yield "unknown, 17 levels deep", 0, good[:-1] + b',"x":' + b"[" * 16 + b"]" * 16 + b"}"
    yield "a key twice in its head", 0, good[:-1] + b',"nonce":"ann\'s own words"}'
    yield "a key twice, once escaped", 0, good[:-1] + b',"\\u006eonce":"ann\'s own words"}'
    yield "a key twice in an event's data", 0, good.replace(b'"slot":null', b'"slot":null,"slot":null')
    yield "__proto__ twice", 0, good[:-1] + b',"__proto__":1,"__proto__":1}'
    yield "an unknown key twice", 0, good[:-1] + b',"x":1,"x":1}'
    yield "the counters twice", 0, good.replace(b'"counters":{', b'"counters":{"redeals":9},"counters":{')

    for key in sample():
        yield f"its {key} is null", 0, head(key, None)
        yield f"its {key} is a number", 0, head(key, 7)
        yield f"it has no {key}", 0, json.encode({name: value for name, value in sample().items() if name != key})
    for name, game in (
        ("with a line break", "aaaa\n"),
        ("with a quote", 'a"a'),
        ("that is empty", ""),
        ("too long", "a" * 65),
    ):
        yield f"an id {name}", 0, json.encode({**sample(), "game": game, "stream": f"game/{game}"})
    yield "a nonce of 64 signs outside the first plane", 1, head("nonce", "😀" * 64)
    yield "a nonce of 65 signs", 0, head("nonce", "x" * 65)
    yield "a nonce with a line break", 0, head("nonce", "x\n")
    yield "a secret with a line break", 0, head("secret", sample()["secret"] + "\n")
    yield "a commitment in capitals", 0, head("commitment", sample()["commitment"].upper())
    yield "events that are no list", 0, head("events", {})
    yield "events that are no objects", 0, head("events", [[]])
    yield "no events", 0, head("events", [])
    for key, wrong in (
        ("version", True),
        ("version", "2"),
        ("version", -1),
        ("version", 2**31),
        ("type", None),
        ("schema", "1"),
        ("data", []),
        ("data", None),
        ("recorded_at", -1),
        ("recorded_at", "0"),
        ("hash", "00"),
        ("hash", None),
    ):
        yield f"the {key} of an event is {wrong!r}", 0, entry(key, wrong)
    for key, other in (
        ("version", 3),
        ("type", 'move"'),
        ("type", ""),
        ("schema", 0),
        ("schema", -1),
        ("recorded_at", 0),
    ):
        yield f"the {key} of an event is {other!r}, with another hash", 2, entry(key, other)

    wrong_values: tuple[tuple[str, Any], ...] = (
        ("slot", LARGE),
        ("slot", "1"),
        ("ranked", 0),
        ("ranked", None),
        ("day", 7),
        ("match", False),
        ("counters", []),
        ("counters", {"redeals": None}),
        ("counters", {"redeals": True}),
        ("piles", []),
        ("piles", {"tableau.0": "AS"}),
        ("piles", {"tableau.0": [None]}),
        ("player", None),
        ("game", {"toString": 1}),
        ("nonce", None),
        ("deal", None),
        ("rules_version", "1"),
        ("extra", 1),
        ("toString", 1),
        ("__proto__", 1),
        ("constructor", {}),
    )
    for key, wrong in wrong_values:
        yield f"{key} of the deal is {wrong!r}", 0 if wrong == LARGE else 1, at(1, key, wrong)
    piles, counters = (sample()["events"][0]["data"][key] for key in ("piles", "counters"))
    for name in ("foundation.1", "constructor", "__proto__", "nowhere"):
        yield f"an empty pile called {name}", 1, at(1, "piles", {**piles, name: []})
        yield f"a counter called {name}", 1, at(1, "counters", {**counters, name: 0})
    yield "a redeal too many", 1, at(1, "counters", {"redeals": counters["redeals"] + 1})
    yield "no counters", 1, at(1, "counters", {})
    yield "a game that nobody knows", 1, at(1, "game", "snap")
    yield "rules that nobody knows", 1, at(1, "rules_version", 99)
    yield "another day's number", 1, at(1, "slot", 2, sample_of_day)
    yield "no day's number", 1, at(1, "slot", None, sample_of_day)
    yield "another day", 1, at(1, "day", "2026-11-21", sample_of_day)
    yield "an empty day", 1, at(1, "day", "", sample_of_day)
    yield "another deal of the day", 1, at(1, "deal", f"{game_steps.DAY}.2", sample_of_day)
    for candidate in ("/1", "/9", "/10", "/49"):
        yield f"the candidate {candidate} for a day's deal", None, json.encode(candidate_of_day(candidate))
    for candidate in ("/0", "/50", "/100", "/01", "/+1", "/1/1", "/", "/ 1", "/1 ", "7", "-1", "/\u0661"):
        yield f"no candidate for a day's deal: {candidate}", 1, json.encode(candidate_of_day(candidate))
    yield "a spoiled run", None, json.encode(sample_of_day())
    yield "a run spoiled by somebody else", 3, at(3, "player", "bob", sample_of_day)
    yield "a run spoiled for another deal", 3, at(3, "deal", "x", sample_of_day)
    yield "a run spoiled that does not count", 3, at(1, "ranked", False, sample_of_day)
    for key in ("move", "effects"):
        yield f"a move without {key}", 2, without(2, key)
        yield f"a move whose {key} are null", 2, at(2, key, None)
    yield "a move with an effect that is an object", 2, at(2, "effects", [{"toString": 1}])
    yield "a move with more", 2, at(2, "seconds", 1)
    for effect in (
        "moved tableau.7 foundation.1 01",
        "moved tableau.7 foundation.1 +1",
        "moved  tableau.7 foundation.1 1",
        f"{EFFECT} ",
        "",
        "moved tableau.7 foundation.1 1e0",
        "moved tableau.7 constructor 1",
        "turned tableau.7 -1 down",
        "counted toString 1",
        "redealt tableau.7:3:1 foundation.1:0 kept",
        "redealt foundation.1:0 tableau.7:3 0",
        "moved tableau.7 foundation.1 -0",
    ):
        yield f"the effect {effect!r}", 2, at(2, "effects", [effect])
    for key in ("score", "points", "moves", "milliseconds", "active"):
        yield f"an end without {key}", 3, without(3, key)
        yield f"an end whose {key} is null", 3, at(3, key, None)
    for result in ("drawn", None, "out_of_time", 7):
        yield f"an end with the result {result!r}", 3, at(3, "result", result)
    yield "an end with more", 3, at(3, "home", 0)
    for wrong in (None, "", "00" * 32, sample()["secret"].upper()):
        yield f"the revealed secret {wrong!r}", 4, at(4, "secret", wrong)
    yield "the secret revealed a second after the end", 4, later(4)
    for version in (2, 3, 4):
        yield f"event {version} a millisecond before the one before it", version, clock_set_back(version)
    yield "a move taken back a millisecond before it was played", 3, clock_set_back(3, day_resigned)
    *_, move, end, revealed = sample()["events"]
    dealt = sample()["events"][0]
    yield "the secret revealed before the end", 3, of_events([dealt, move, revealed, end])
    yield "the secret revealed before the first move", 2, of_events([dealt, revealed, move, end])
    yield "the secret revealed twice", 5, of_events([dealt, move, end, revealed, revealed])
    yield "a move after the end, and then the secret", 4, of_events([dealt, move, end, move, revealed])
    yield "a secret revealed in a day's game", 5, of_events([*day_resigned()["events"], revealed], day_resigned())
    yield (
        "a secret revealed in a day's game that goes on",
        4,
        of_events([*sample_of_day()["events"], revealed], sample_of_day()),
    )
    yield "a second end", 4, of_events([dealt, move, end, end, revealed])
    yield "no deal", 1, of_events([move, end, revealed])
    yield "a second deal", 2, of_events([dealt, dealt, move])
    yield "spoiled twice", 4, of_events([*sample_of_day()["events"], sample_of_day()["events"][-1]], sample_of_day())
    yield (
        "spoiled after the end",
        5,
        of_events([*day_resigned()["events"], sample_of_day()["events"][-1]], day_resigned()),
    )
    yield "cut before the secret is revealed", 4, json.encode({**sample(), "events": sample()["events"][:3]})


def odd_records() -> list[OddRecord]:
    """All odd records."""
    return [OddRecord(name, broken_at, *as_text_or_hex(content)) for name, broken_at, content in odd_files()]


def as_text_or_hex(content: bytes) -> tuple[str | None, str | None]:
    """Return the bytes as text, or as hex if they are not UTF-8."""
    try:
        return content.decode(), None
    except UnicodeDecodeError:
        return None, content.hex()


def nested(depth: int) -> bytes:
    """The sample with a value nested this deep. It is too long for the file, so each test creates it."""
    return json.encode(sample())[:-1] + b',"x":' + b"[" * depth + b"]" * depth + b"}"


def file_content() -> bytes:
    """Return the content of the file."""
    return b"[\n" + b",\n".join(json.encode(one._asdict()) for one in odd_records()) + b"\n]\n"


if __name__ == "__main__":
    Path(FILE).write_bytes(file_content())
