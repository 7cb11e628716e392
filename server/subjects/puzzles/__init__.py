"""Puzzles: a position of a lost game that could still be won, one a day, and who finds the way in how many tries."""
