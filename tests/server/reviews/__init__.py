"""Reviews of closed days."""
