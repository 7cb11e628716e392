"""Bots: programs that play a day's deals under an account of their own. They see only what every client sees.

`random_bot` plays any legal move. `lookahead_bot` looks ahead; it learns the rules from the legal moves that the server
sends, so it plays every game, also new ones. `runner` plays a day with a bot:

    python -m cadogan.bots https://patience.example --bot thought

`evening` enters an evening by its code and plays its rounds with many bots.
"""
