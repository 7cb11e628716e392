"""The commands that measure how often games can be won and how difficult they are, over all cores, and publish it."""
