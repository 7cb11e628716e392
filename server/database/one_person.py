"""The accounts of one person: a player, and all bots of that player, including retired ones."""

from sqlalchemy import Select, func, or_, select

from cadogan.server.database.tables import players


def accounts_of(player: str) -> Select[tuple[str]]:
    """Return a query for the ids of all accounts of this player's person: the owner and the bots."""
    own = select(func.coalesce(players.c.owner, players.c.id)).where(players.c.id == player).scalar_subquery()
    return select(players.c.id).where(or_(players.c.id == player, players.c.id == own, players.c.owner == own))
