"""What keeps one client from harming the others, or pages of other sites from acting for a player."""
