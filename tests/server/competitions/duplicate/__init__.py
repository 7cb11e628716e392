"""A duplicate match as an extension: teams play the same sealed deals, round by round. Nothing else was edited."""
