"""Leagues on engines that exist: Dask and Ray.

The program cuts what is open of a league into units; an engine plays them wherever it likes, what comes back is merged, and so on until
nothing is open. Every machine needs this package, and the league with its bots at the same path; results travel as bytes.
"""
