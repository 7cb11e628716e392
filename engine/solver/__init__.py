"""Which deals can be won: a search through the positions of any game, with every card known.

`solve` plays *thoughtfully*, as Blake and Gent call it (*The Winnability of Klondike Solitaire and Many Other Patience
Games*): it knows the face-down cards and the order of every later shuffle, because it is given the seed of the deal.
Its verdict is that of a perfect player with this knowledge. Its budget is a number of nodes, not of seconds, so the
same call gives the same answer on every machine, under the same version of the solver (`SOLVER_VERSION`).

`shorten` shortens a winning line. Both can also be run in steps (`Steps`), between which the caller can do other work.
`RunAnalysis` chooses which positions of a run to solve, and derives the other verdicts.

Like all of the engine, it uses no clock, no randomness and no I/O.
"""

from cadogan.engine.solver.run_analysis import RunAnalysis
from cadogan.engine.solver.shorten import shorten, shorten_in_steps
from cadogan.engine.solver.solution import SOLVER_VERSION, SOLVER_VERSIONS, Solution
from cadogan.engine.solver.solve import solve, solve_in_steps
from cadogan.engine.solver.steps import Steps

__all__ = [
    "SOLVER_VERSION",
    "SOLVER_VERSIONS",
    "RunAnalysis",
    "Solution",
    "Steps",
    "shorten",
    "shorten_in_steps",
    "solve",
    "solve_in_steps",
]
