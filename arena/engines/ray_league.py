#!/usr/bin/env python3
"""Plays a league of Hattari on Ray: on a cluster that runs already, or on processes of this machine."""

import functools
import sys

import league
import ray
from ray import cloudpickle


def outcome(unit):
    # Ray plays a unit again by itself when a worker dies; after some deaths it gives up, and the next plan has it.
    try:
        return ray.get(unit)
    except ray.exceptions.RayError as error:
        return str(error)


def hand_out(options, more, units):
    play = ray.remote(num_cpus=1)(league.play)
    open_units = [play.remote(options.hattari, options.league, unit, more) for unit in units]
    while open_units:
        ray.wait(open_units)
        back, open_units = ray.wait(open_units, num_returns=len(open_units), timeout=0)
        yield [outcome(unit) for unit in back]


def main():
    parser = league.parser(__doc__)
    parser.add_argument("--address", help="address of a cluster, as in auto or head:6379")
    options, more = parser.parse_known_args()
    # The workers need not have this folder.
    cloudpickle.register_pickle_by_value(league)
    ray.init(options.address, num_cpus=None if options.address else options.workers, log_to_driver=False)
    return league.main(options, more, functools.partial(hand_out, options, more))


if __name__ == "__main__":
    sys.exit(main())
