"""Messages to those who are connected: subscriptions, presence, one bounded queue for each connection.

Knows what a message is and who gets it, not why it is sent.
"""
