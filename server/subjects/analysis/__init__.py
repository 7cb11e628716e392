"""Analysis of games: the job queue in the database, the analysts that work on it, and their findings."""
