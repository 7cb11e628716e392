"""Administration by hosts and moderators: roles, acts on players, entry rules, and the log of all acts.

Every act is stored in one transaction with its event in the stream `house`. Nothing here reads cards: hosts and
moderators see games under the same rules as everybody (`play.access`).
"""
