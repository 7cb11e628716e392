"""Bots: programs with accounts of their own, which play a day's card by what any client is shown, and by nothing else.

`chance` plays any legal move. `thought` looks ahead; it learns what may be laid on what from the moves that the server
calls legal, so it plays every game, also one that was added yesterday. `play` takes either through a day's card:

    python -m clients.bots https://patience.example --bot thought
"""
