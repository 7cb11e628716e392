"""Leaderboards: the order of runs, the totals on each board, their ranks, pages and digests, and live updates.

`ranking` defines every order of the server, and no other module does.
"""
