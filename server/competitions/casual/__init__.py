"""Casual games: one player and a deal that nobody else plays."""
