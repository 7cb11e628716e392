"""The branding of the house: its name, texts, colours and crest."""
