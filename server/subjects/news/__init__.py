"""News for other programs and for readers: webhooks, feeds, digests and notifications."""
