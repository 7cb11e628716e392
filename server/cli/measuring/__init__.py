"""The commands that measure winnability and difficulty of the games, on all cores, and publish the results."""
