"""Fair play: reports by players, findings of the copy detector, and strikes of runs off the boards."""
