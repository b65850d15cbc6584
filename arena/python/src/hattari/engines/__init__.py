"""Adapters that play leagues on a cluster: Dask and Ray.

The program splits the remaining blocks of a league into units. A scheduler plays the units on its
workers, and the results are merged. This is repeated until no blocks remain. Every machine needs
this package, and the league and its bots at the same path. Results are sent as bytes, so the
machines need no shared folder.
"""
