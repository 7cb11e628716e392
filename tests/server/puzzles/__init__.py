"""Puzzles from lost games."""
