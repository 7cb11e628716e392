"""The daily challenge: sealed deals for everybody, one ranked attempt at each, practice, and the day's progress."""
