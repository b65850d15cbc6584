"""Plays a league of Hattari on Ray: on a cluster that runs already, or on processes of this machine."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence

import ray

from ..league import League, Path_
from . import loop


def run(
    league: Path_,
    *,
    store: Optional[Path_] = None,
    units: int = loop.UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays the league of a file on the cluster that `ray.init` has connected to, and gives it; the rest as with Dask."""
    hand_out = functools.partial(_hand_out, hattari, loop.place(league), more)
    return loop.loop(league, hand_out, store=store, units=units, hattari=hattari, more=more)


def _hand_out(
    hattari: Optional[str], league: str, more: Sequence[str], units: List[str]
) -> Iterator[List[loop.Outcome]]:
    play = ray.remote(num_cpus=1)(loop.play)
    open_units = [play.remote(hattari, league, unit, more) for unit in units]
    while open_units:
        ray.wait(open_units)
        back, open_units = ray.wait(open_units, num_returns=len(open_units), timeout=0)
        yield [_outcome(unit) for unit in back]


def _outcome(unit: Any) -> loop.Outcome:
    # Ray plays a unit again by itself when a worker dies; after some deaths it gives up, and the next plan has it.
    try:
        found: loop.Outcome = ray.get(unit)
        return found
    except ray.exceptions.RayError as error:
        return loop.Outcome(None, str(error))


def main() -> int:
    parser = loop.parser(__doc__)
    parser.add_argument("--address", help="address of a cluster, as in auto or head:6379")
    options, more = parser.parse_known_args()

    @contextlib.contextmanager
    def engine() -> Iterator[loop.HandOut]:
        ray.init(options.address, num_cpus=None if options.address else options.workers, log_to_driver=False)
        yield functools.partial(_hand_out, options.hattari, loop.place(options.league), more)

    return loop.main(options, more, engine())


if __name__ == "__main__":
    sys.exit(main())
