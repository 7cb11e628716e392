"""How difficult each game is, by what was measured: simple play, and the search for a win.

`players` are the two players who do not think ahead, `measure` lets them play, and tries every first move. `levels` is
the formula. `published` reads the two files beside it: `winnability.json`, the summary of a run of `cadogan
winnability`, and `simple_play.json`, which `cadogan levels --measure` writes. docs/levels.md explains all of it.
"""
