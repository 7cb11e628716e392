"""The lists that the client begins with: the deals of the day, games, leaderboards, races, and the account."""
