"""Plays a league of Hattari on Ray: on an existing cluster, or on processes of this machine."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence

import ray

from ..league import League, PathLike
from . import loop


def run(
    league: PathLike,
    *,
    store: Optional[PathLike] = None,
    units: int = loop.UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays a league on the cluster to which `ray.init` is connected, and returns the league.

    Arguments:
        league: path of the league file.
        store: file with the results (default: next to the league file).
        units: number of units in each plan (default: 32).
        hattari: path of the program on every machine (default: the program of this package).
        more: additional arguments for `hattari cluster plan` and `hattari run`.

    Raises `Error` if several plans in a row return no results, or if a fault stops the league.
    """
    hand_out = functools.partial(_hand_out, hattari, loop.absolute_path(league), more)
    return loop.loop(league, hand_out, store=store, units=units, hattari=hattari, more=more)


def _hand_out(
    hattari: Optional[str], league: str, more: Sequence[str], units: List[str]
) -> Iterator[List[loop.Outcome]]:
    """Plays units on the cluster and yields their outcomes as they arrive."""
    play = ray.remote(num_cpus=1)(loop.play)
    pending = [play.remote(hattari, league, unit, more) for unit in units]
    while pending:
        # Wait for one unit, then take all that have finished.
        ray.wait(pending)
        finished, pending = ray.wait(pending, num_returns=len(pending), timeout=0)
        yield [_outcome(unit) for unit in finished]


def _outcome(unit: Any) -> loop.Outcome:
    """Returns the outcome of a unit, or the error of Ray."""
    # If a worker dies, Ray retries its units. After several attempts it gives up, and the units are
    # part of the next plan.
    try:
        outcome: loop.Outcome = ray.get(unit)
        return outcome
    except ray.exceptions.RayError as error:
        return loop.Outcome(None, str(error))


def main() -> int:
    """Runs the command line and returns the exit code."""
    parser = loop.parser(__doc__)
    parser.add_argument("--address", help="address of a cluster, for example auto or head:6379")
    options, more = parser.parse_known_args()

    @contextlib.contextmanager
    def engine() -> Iterator[loop.HandOut]:
        cpus = None if options.address else options.workers
        ray.init(options.address, num_cpus=cpus, log_to_driver=False)
        league = loop.absolute_path(options.league)
        yield functools.partial(_hand_out, options.hattari, league, more)

    return loop.main(options, more, engine())


if __name__ == "__main__":
    sys.exit(main())
