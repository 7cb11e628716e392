"""What the server tells other programs and its readers: webhooks, feeds, digests and notifications."""
