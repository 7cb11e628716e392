"""Puzzles: a position of a lost game that could still be won, one a day, ranked by the number of tries."""
