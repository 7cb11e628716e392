"""What a player has collected: won games, badges, and the shields of the month."""
