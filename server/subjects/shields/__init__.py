"""Shields: who has played a game best in a month, in days and in evenings."""
