"""The cards of evenings: their announcement, their sealed deals, the beacon and the certificates."""
