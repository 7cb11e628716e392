"""How many small bugs the tests notice: `make mutants`, see `__main__`."""
