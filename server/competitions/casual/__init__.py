"""Casual games: a player alone with a deal of their own, which nobody else plays."""
