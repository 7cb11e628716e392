"""Duplicate matches: an evening of two players, who play the same deals against each other."""
