"""The compiled engine: the rules of every game as C++, and the solver's search, in one library for all games.

No rule is written twice: the C++ comes from the declarations and the functions of the game files, which use the subset
of Python that docs/compiled.md describes. A file that leaves it is told so, with the line, and its game stays in
Python. Python is the reference: the library answers as `cadogan.engine.solver` does, with the same verdict, number of
nodes and line, or it is not used.
"""
