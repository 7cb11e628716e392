"""The lists of the lobby: the deals of the day, games, leaderboards, races, and the account."""
