"""Arenas: everybody plays as many deals of one sequence as they can; their runs, their standing and their addresses."""
