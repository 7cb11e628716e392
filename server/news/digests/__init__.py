"""Digests: once a week, by mail, what has happened on the days that are closed, to readers who have asked for it.

`DigestReaders` keeps who gets them, `DigestWeeks` finds out what is in them, `write_digest` puts it into words, and
`DigestQueue` sends them, each by whichever node claims it. Only closed days are told: their boards are final, and
their cards public.
"""
