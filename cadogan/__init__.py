"""The command `cadogan` as a whole: what the server offers, and the terminal client with a server of its own."""
