"""Bots: programs that play a day's deals under an account of their own. They see only what every client sees.

`random_bot` plays any legal move. `lookahead_bot` looks ahead; it learns which card may go on which from the moves that
the server calls legal, so it plays every game, also one that was added yesterday. `runner` plays a day with a bot:

    python -m cadogan.bots https://patience.example --bot thought
"""
