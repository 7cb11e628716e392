"""Checking what happened from files alone: one game's record, a day's record, the boards of a day.

Nothing here opens a network connection or a database.
"""
