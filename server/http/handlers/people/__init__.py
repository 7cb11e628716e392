"""The handlers for people: accounts and how they sign in, sessions, settings, friends and groups."""
