"""Evenings: the same sealed deals for everybody, round by round, scored as duplicate bridge is."""
