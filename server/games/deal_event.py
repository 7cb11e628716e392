"""The first event of a game, with its cards. They follow from the secret of the deal and the nonce."""

import engine
from server.eventlog.events import GameDealt
from server.fairness import commit_reveal
from server.fairness.sealed_deals import SealedDeal


def make_deal_event(
    deal: SealedDeal, player: str, *, nonce: str | None = None, ranked: bool = False, race: str | None = None
) -> GameDealt:
    """Return the event that begins a player's game of a sealed deal.

    `player` and `race` are ids. Without a nonce it is that of the deal, as for a deal of a day.
    """
    game = engine.game(deal.game)
    nonce = deal.nonce if nonce is None else nonce
    state = game.deal(commit_reveal.seed(deal.game, nonce, deal.secret))
    return GameDealt(
        game=deal.game,
        rules_version=game.rules_version,
        player=player,
        deal=deal.id,
        nonce=nonce,
        commitment=deal.commitment,
        day=deal.day,
        slot=deal.slot,
        race=race,
        ranked=ranked,
        piles=game.write_piles(state),
        counters=game.write_counters(state),
    )
