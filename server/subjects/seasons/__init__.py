"""Seasons: weeks of days and evenings in one table, with divisions, promotion and relegation (`docs/seasons.md`)."""
