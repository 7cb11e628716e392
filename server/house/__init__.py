"""What hosts and moderators do: roles, acts on players, the entry of the house, and the log of all of it.

Every act is written in one transaction with its event in the stream `house`. Nothing here reads a card: hosts and
moderators see games as everybody does (`play.access`).
"""
