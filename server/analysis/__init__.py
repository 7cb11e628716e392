"""Analysis of games: jobs in the database, the analysts that carry them out, and what they find."""
