#!/usr/bin/env python3
"""Plays a league of Hattari on Dask: on a scheduler that runs already, or on processes of this machine."""

import functools
import sys

import league
from distributed import Client, LocalCluster, as_completed


def outcome(future):
    # Dask hands a unit out again by itself when a worker dies; after some deaths it gives up, and the next plan has it.
    return str(future.exception()) if future.exception() else future.result()


def hand_out(client, options, more, units):
    play = functools.partial(league.play, options.hattari, options.league, more=more)
    # A unit is no pure function: the same one may come again.
    futures = client.map(play, units, pure=False)
    for batch in as_completed(futures).batches():
        yield [outcome(future) for future in batch]


def main():
    parser = league.parser(__doc__)
    parser.add_argument("--scheduler", help="address of a scheduler, as in tcp://head:8786")
    options, more = parser.parse_known_args()
    at = options.scheduler or LocalCluster(n_workers=options.workers, threads_per_worker=1)
    with Client(at) as client:
        # Scheduler and workers need not have this folder.
        client.upload_file(league.__file__)
        return league.main(options, more, functools.partial(hand_out, client, options, more))


if __name__ == "__main__":
    sys.exit(main())
