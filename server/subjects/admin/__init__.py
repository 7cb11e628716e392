"""Administration by hosts and moderators: roles, acts, entry, branding, fair play, and the log of all of it."""
