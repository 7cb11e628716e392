"""Players: names, settings, friends and groups, profiles, streaks. `sign_in` has accounts and sessions.

Names and passwords are stored in tables, never in the event log.
"""
