"""Shields of games and months."""
