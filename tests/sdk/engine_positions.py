"""Positions of every game for tests without a server: dealt and played by the engine, shown as a server shows them."""

import random
from hashlib import sha256

import msgspec

from cadogan import engine
from cadogan.engine.layout import layout_as_dict
from cadogan.sdk.session import Faces, expand
from cadogan.wire.bodies import Layout, Layouts, RulesPage
from cadogan.wire.examples import BODY_EXAMPLES

SEED = sha256(b"seats").digest()


def position(slug: str, moves: int = 0, seed: bytes = SEED) -> engine.State:
    """Return the position of a game after this many random moves. Equal arguments give equal positions."""
    rules, generator = engine.game(slug), random.Random(1)
    state = rules.deal(seed)
    for _ in range(moves):
        legal = list(rules.legal_moves(state))
        if not legal:
            break
        state = rules.play(state, generator.choice(legal), seed).state
    return state


def faces(slug: str, state: engine.State) -> dict[str, Faces]:
    """Return the piles of a position as its player sees them."""
    return {name: expand(cards) for name, cards in engine.game(slug).view(state).items()}


def rules_page(slug: str) -> RulesPage:
    """Return the rules of a game as a server sends them."""
    rules = engine.game(slug)
    (page,) = (example for example in BODY_EXAMPLES if isinstance(example, RulesPage))
    layout = msgspec.convert(layout_as_dict(rules.layout), Layout)
    layouts = msgspec.convert({shape: found.as_dict() for shape, found in rules.layouts.items()}, Layouts)
    return msgspec.structs.replace(
        page, slug=slug, name=rules.name, layout=layout, layouts=layouts, maximum=rules.maximum
    )
