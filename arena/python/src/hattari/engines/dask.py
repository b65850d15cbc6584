"""Plays a league of Hattari on Dask: on an existing scheduler, or on processes of this machine."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence

import dask
from distributed import Client, LocalCluster, as_completed

from ..league import League, PathLike
from . import loop


def run(
    league: PathLike,
    client: Client,
    *,
    store: Optional[PathLike] = None,
    units: int = loop.UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays a league on the workers of a Dask client and returns the league.

    Arguments:
        league: path of the league file.
        client: client of the Dask scheduler.
        store: file with the results (default: next to the league file).
        units: number of units in each plan (default: 32).
        hattari: path of the program on every machine (default: the program of this package).
        more: additional arguments for `hattari cluster plan` and `hattari run`.

    Raises `Error` if several plans in a row return no results, or if a fault stops the league.
    """
    hand_out = functools.partial(_hand_out, client, hattari, loop.absolute_path(league), more)
    return loop.loop(league, hand_out, store=store, units=units, hattari=hattari, more=more)


def _hand_out(
    client: Client, hattari: Optional[str], league: str, more: Sequence[str], units: List[str]
) -> Iterator[List[loop.Outcome]]:
    """Plays units on the workers and yields their outcomes as they arrive."""
    play = functools.partial(loop.play, hattari, league, more=more)
    # Not pure: Dask must not reuse the result of an earlier call with the same unit.
    futures = client.map(play, units, pure=False)
    for batch in as_completed(futures).batches():
        yield [_outcome(future) for future in batch]


def _outcome(future: Any) -> loop.Outcome:
    """Returns the outcome of a unit, or the error of Dask."""
    # If a worker dies, Dask retries its units. After several attempts it gives up, and the units
    # are part of the next plan.
    if future.exception():
        return loop.Outcome(None, str(future.exception()))
    outcome: loop.Outcome = future.result()
    return outcome


@contextlib.contextmanager
def _local_cluster(workers: int) -> Iterator[LocalCluster]:
    """Runs workers on this machine until the end of the context."""
    # Workers are stopped while they communicate with the scheduler and would log this as an error.
    # Errors of units are not affected: they are part of the outcomes.
    log_level = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    with dask.config.set(log_level):
        with LocalCluster(n_workers=workers, threads_per_worker=1) as cluster:
            yield cluster


def main() -> int:
    """Runs the command line and returns the exit code."""
    parser = loop.parser(__doc__)
    parser.add_argument("--scheduler", help="address of a scheduler, for example tcp://head:8786")
    options, more = parser.parse_known_args()

    @contextlib.contextmanager
    def engine() -> Iterator[loop.HandOut]:
        with contextlib.ExitStack() as stack:
            address = options.scheduler or stack.enter_context(_local_cluster(options.workers))
            client = stack.enter_context(Client(address))
            league = loop.absolute_path(options.league)
            yield functools.partial(_hand_out, client, options.hattari, league, more)

    return loop.main(options, more, engine())


if __name__ == "__main__":
    sys.exit(main())
