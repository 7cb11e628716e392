"""People: accounts, sessions, names, settings, friends and groups, profiles, streaks.

Names and passwords live here and never in the event log. Imports `realtime` (to close connections when a session ends)
and the floors below it.
"""
