"""People: names, settings, friends and groups, profiles, streaks; `sign_in` has their accounts and sessions.

Names and passwords live here and never in the event log.
"""
