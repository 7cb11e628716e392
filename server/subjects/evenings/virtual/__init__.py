"""Virtual evenings: playing a final evening later, as if one had been there."""
