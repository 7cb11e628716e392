"""Races: several players on one deal at the same time, from the lobby to the rematch."""
