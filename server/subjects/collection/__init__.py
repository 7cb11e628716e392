"""What a player has collected: won games and badges."""
