"""Records of every kind, created by the server's own code from known secrets and times: always the same bytes.

`python -m tests.harness.sample_records` writes the ones that the web client's tests read.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import json, structs

from cadogan.engine import game
from cadogan.engine.rule_pages import ENGLISH
from cadogan.server.core.eventlog.events import GameDealt, Winnable
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games import game_record, game_state
from cadogan.server.core.games.game_state import Step
from cadogan.server.subjects.catalog import _page
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.beacon import SignedRound
from cadogan.wire.codec import encode
from tests.harness import game_steps, sample_days

FOLDER = Path(__file__).parent.parent / "web" / "records"
Record = dict[str, Any]
Rules = dict[str, Any]


def recorded(steps: Iterable[Step], beacon: SignedRound | None = None) -> Record:
    """Return the record of these steps, as decoded from its file."""
    read: Record = json.decode(
        encode(game_record.build_record(game_steps.GAME, game_steps.SECRET, [step.sealed for step in steps], beacon))
    )
    return read


def rules_of(slug: str) -> Rules:
    """Return the rules as the server sends them to verifiers."""
    page = json.decode(encode(_page(slug, ENGLISH)))
    piles = [{"name": pile["name"]} for pile in page["layout"]["piles"]]
    return {**{key: page[key] for key in ("slug", "rules_version", "deal")}, "layout": {"piles": piles}}


def casual() -> Record:
    """Klondike with the player's own nonce, moves taken back, and a resignation."""
    steps = game_steps.at_random("klondike", 4, 30)
    assert any(step.sealed.type == "move_taken_back" for step in steps)
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def daily() -> Record:
    """A day's deal, won."""
    return recorded(game_steps.won(game_steps.DAY))


def beacon() -> Record:
    """A day's deal whose cards also depend on a beacon round: the third candidate, resigned."""
    signed = sample_days.signed_round()
    steps = game_steps.begin("quatorze", game_steps.DAY, sample_days.nonce_end(2))
    steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    return recorded([*steps, *game_steps.resign(steps[-1].after)], signed)


def shuffled_again() -> Record:
    """The Carpet, with its stock dealt out and the waste reshuffled."""
    return recorded(dealt_out(game_steps.begin("carpet", game_steps.DAY)))


def dealt_out(steps: list[Step]) -> list[Step]:
    """The stock is dealt to its end and redealt once."""
    for _ in range(200):
        legal = steps[-1].after.position.legal
        move = "deal" if "deal" in legal else "redeal"
        steps += game_steps.play(steps[-1].after, move)
        if move == "redeal":
            return steps
    raise AssertionError("no redeal was reached")


def race() -> Record:
    """A race that ran out of time; its nonce combines those of all racers."""
    event = structs.replace(a_deal("quatorze"), race="r2s4t6u3v5w7x2yz", ranked=True)
    steps = game_state.deal(game_steps.GAME, event, game_steps.SECRET, game_steps.START, known_rules())
    for _ in range(3):
        steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    return recorded([*steps, *game_state.end_on_time(steps[-1].after, game_steps.START + 300_000)])


def left() -> Record:
    """A day's deal that was never finished: the close of the day ended it, and it is on no board."""
    steps = game_steps.at_random("maze", 4, 9, game_steps.DAY)
    return recorded([*steps, *game_state.end_on_time(steps[-1].after, game_steps.START + 300_000)])


def spoiled() -> Record:
    """A day's deal whose player asked to see it, and played on."""
    steps = game_steps.at_random("maze", 4, 9, game_steps.DAY)
    steps = [*steps, game_state.spoil(steps[-1].after, steps[-1].after.changed_at + 5000)]
    return recorded([*steps, *game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))])


def foreign() -> Record:
    """A deal with a nonce that contains non-ASCII letters."""
    slug, nonce = "la-belle-lucie", "Zoë’s “wörds” \\ 愛 😀"
    state = game(slug).deal(commit_reveal.seed(slug, nonce, game_steps.SECRET))
    event = structs.replace(a_deal(slug), nonce=nonce, piles=game(slug).write_piles(state))
    steps = game_state.deal(game_steps.GAME, event, game_steps.SECRET, game_steps.START, known_rules())
    steps += game_steps.play(steps[-1].after, "redeal")
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def numbered() -> Record:
    """FreeCell's deal number 617, resigned after some moves."""
    rules = game("freecell")
    event = structs.replace(a_deal("freecell"), piles=rules.write_piles(rules.deal(b"", 617)), number=617)
    steps = game_state.deal(game_steps.GAME, event, game_steps.SECRET, game_steps.START, known_rules())
    for _ in range(3):
        steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def winnable(candidate: int = 4, solver: int = 5) -> Record:
    """La Belle Lucie, whose player asked for a deal that can be won: that solver wins candidate 4 first."""
    rules, deal = game("la-belle-lucie"), a_deal("la-belle-lucie")
    chosen = Winnable(candidate, solver, 300)
    state = rules.deal(commit_reveal.game_seed(deal.game, deal.nonce, chosen, game_steps.SECRET))
    event = structs.replace(deal, piles=rules.write_piles(state), winnable=chosen)
    steps = game_state.deal(game_steps.GAME, event, game_steps.SECRET, game_steps.START, known_rules())
    for _ in range(3):
        steps += game_steps.play(steps[-1].after, next(iter(steps[-1].after.position.legal)))
    return recorded([*steps, *game_steps.resign(steps[-1].after)])


def a_deal(slug: str) -> GameDealt:
    """Return a casual deal."""
    return game_steps.dealt(slug)


KINDS = {
    "beacon": beacon,
    "casual": casual,
    "daily": daily,
    "foreign": foreign,
    "left": left,
    "numbered": numbered,
    "race": race,
    "shuffled-again": shuffled_again,
    "spoiled": spoiled,
    "winnable": winnable,
}


def files() -> dict[str, bytes]:
    """Return the files that the web client's tests read, by name."""
    made = {kind: make() for kind, make in KINDS.items()}
    slugs = {one["events"][0]["data"]["game"] for one in made.values()}
    records = {f"{kind}.json": json.encode(one) + b"\n" for kind, one in made.items()}
    records["day.json"] = json.encode(sample_days.certified_day()) + b"\n"
    records["beacon-day.json"] = json.encode(sample_days.beacon_day()) + b"\n"
    slugs.add(sample_days.CERTIFIED.game)
    return records | {f"{slug}.rules.json": json.encode(rules_of(slug)) + b"\n" for slug in sorted(slugs)}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)
