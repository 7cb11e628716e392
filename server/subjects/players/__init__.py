"""People: profiles, friends and groups, settings, and what is stored about somebody."""
