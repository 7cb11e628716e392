"""The collection of a player: won games and badges."""
