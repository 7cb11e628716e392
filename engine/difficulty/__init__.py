"""How difficult each game is, by measurements of simple play and of the search for a win.

`players` are the two players who do not think ahead, `measure` runs them, and searches after first moves. `levels` is
the formula. `published` reads the two files beside it: `winnability.json`, the summary of a run of `cadogan
winnability`, and `simple_play.json`, which `cadogan levels --measure` writes. docs/levels.md explains all of it.
"""
