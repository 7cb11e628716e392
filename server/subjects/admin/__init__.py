"""What hosts and moderators do: roles, acts, entry, branding, fair play, and the log of all of it."""
