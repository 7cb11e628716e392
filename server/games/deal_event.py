"""The first event of a game, with its cards, which are computed from the deal's secret and the nonce."""

from functools import lru_cache

from cadogan import engine
from cadogan.server.eventlog.events import GameDealt
from cadogan.server.fairness import commit_reveal
from cadogan.server.fairness.sealed_deals import SealedDeal


def make_deal_event(
    deal: SealedDeal,
    player: str,
    *,
    nonce: str | None = None,
    ranked: bool = False,
    race: str | None = None,
    competition: str | None = None,
    about: str | None = None,
) -> GameDealt:
    """Return the event that starts a player's game of a sealed deal.

    `player` and `race` are ids, `competition` and `about` are as in `GameDealt`. If `nonce` is None, the nonce of the
    deal is used, as for a daily deal.
    """
    nonce = deal.nonce if nonce is None else nonce
    piles, counters = _deal(deal.game, commit_reveal.seed(deal.game, nonce, deal.secret))
    return GameDealt(
        game=deal.game,
        rules_version=engine.game(deal.game).rules_version,
        player=player,
        deal=deal.id,
        nonce=nonce,
        commitment=deal.commitment,
        day=deal.day,
        slot=deal.slot,
        race=race,
        ranked=ranked,
        piles=piles,
        counters=counters,
        competition=competition,
        about=about,
    )


@lru_cache(maxsize=64)
def _deal(slug: str, seed: bytes) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return the piles and counters of a deal. They are cached and shared, so callers must not change them."""
    game = engine.game(slug)
    state = game.deal(seed)
    return game.write_piles(state), game.write_counters(state)
