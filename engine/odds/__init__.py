"""Fair odds: how often a player wins who does not see the face-down cards, beside the search that sees all of them.

`knowledge` is what a player knows, `fair_player` the player and its policy, `results` the results of a run and their
table. docs/winnability.md explains all of it.
"""
