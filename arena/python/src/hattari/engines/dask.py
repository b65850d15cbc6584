"""Plays a league of Hattari on Dask: on a scheduler that runs already, or on processes of this machine."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence

import dask
from distributed import Client, LocalCluster, as_completed

from ..league import League, Path_
from . import loop


def run(
    league: Path_,
    client: Client,
    *,
    store: Optional[Path_] = None,
    units: int = loop.UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays the league of a file on a client's workers, and gives it.

    `store`: where results are gathered; without it beside the league. `units`: how many a plan is cut into. `hattari`: the program, on
    every machine; without it the one of this package there. `more`: arguments for `hattari cluster plan` and `hattari run`.
    """
    hand_out = functools.partial(_hand_out, client, hattari, loop.place(league), more)
    return loop.loop(league, hand_out, store=store, units=units, hattari=hattari, more=more)


def _hand_out(
    client: Client, hattari: Optional[str], league: str, more: Sequence[str], units: List[str]
) -> Iterator[List[loop.Outcome]]:
    play = functools.partial(loop.play, hattari, league, more=more)
    # A unit is no pure function: the same one may come again.
    futures = client.map(play, units, pure=False)
    for batch in as_completed(futures).batches():
        yield [_outcome(future) for future in batch]


def _outcome(future: Any) -> loop.Outcome:
    # Dask hands a unit out again by itself when a worker dies; after some deaths it gives up, and the next plan has it.
    found: loop.Outcome = loop.Outcome(None, str(future.exception())) if future.exception() else future.result()
    return found


@contextlib.contextmanager
def _here(workers: int) -> Iterator[LocalCluster]:
    """Workers on this machine, until the end of the context."""
    # They end in the middle of what they tell the scheduler, and would log that as an error; what goes wrong with units comes back.
    with dask.config.set({"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}):
        with LocalCluster(n_workers=workers, threads_per_worker=1) as cluster:
            yield cluster


def main() -> int:
    parser = loop.parser(__doc__)
    parser.add_argument("--scheduler", help="address of a scheduler, as in tcp://head:8786")
    options, more = parser.parse_known_args()

    @contextlib.contextmanager
    def engine() -> Iterator[loop.HandOut]:
        with contextlib.ExitStack() as ends:
            client = ends.enter_context(Client(options.scheduler or ends.enter_context(_here(options.workers))))
            yield functools.partial(_hand_out, client, options.hattari, loop.place(options.league), more)

    return loop.main(options, more, engine())


if __name__ == "__main__":
    sys.exit(main())
