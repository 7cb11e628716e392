"""The handlers for hosts and moderators: acts on players, reports and findings, the look and the days of the house."""
