"""How many small bugs the tests notice: see `__main__`."""
