"""Offline verification from files alone: the record of a game, the record of a day, the boards of a day.

Nothing here opens a network connection or a database.
"""
