"""Leading an evening: making its plan, deciding, hearing objections, and noting outages."""
