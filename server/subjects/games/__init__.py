"""Playing and watching games: commands, spectators, replays, results."""
