"""The outbox: what is to be done once, later, by whichever node takes it, and again until it succeeds.

Work is rows in tables. A kind of work is a `StoredQueue`: it says which table, what its rows are, how one is sent, and
what becomes of it. `Outbox` claims the rows and works on them; `make_rounds` looks for what is due every few seconds.
Webhooks, notifications, digests, the comparison of runs, and analyses are such kinds.
"""
