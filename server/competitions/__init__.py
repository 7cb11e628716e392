"""Competitions: the contexts in which a game is played. One package for each kind: casual, daily, races.

A competition decides whether a deal is shared, who sees what and when, when a run must end, when the secret is
revealed, and on which boards a run counts. Shared code asks the competition and never tests which one it is.
"""
