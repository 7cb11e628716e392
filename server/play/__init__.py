"""What happens to games while the server runs: commands carried out, games shown, access decided, gaps closed.

Asks the competition of a game wherever competitions differ.
"""
