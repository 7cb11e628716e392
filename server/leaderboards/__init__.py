"""Who stands before whom: the order of runs, the boards, their ranks, pages and digests.

Every order is defined in `ranking` and nowhere else. Imports `players` and the floors below it.
"""
