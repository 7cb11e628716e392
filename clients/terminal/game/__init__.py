"""A game on the screen: the table, playing and watching, the replay and its analysis."""
