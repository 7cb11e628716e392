"""Reviews: how the deals of a closed day were won and lost, from the analyses of its runs."""
