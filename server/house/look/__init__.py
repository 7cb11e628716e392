"""What the house says of itself: its name, texts, colours and crest."""
