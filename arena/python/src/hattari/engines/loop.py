"""What the adapters share: plan, hand the units out, merge what comes back, plan again until nothing is open.

A part store travels as bytes, so the machines share no folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import Callable, ContextManager, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..league import League, Path_
from ..program import Error, call, find

#: So many plans in a row that brought nothing end the run: what fails every time has been seen often enough.
TRIES = 3
#: How many units a plan is cut into.
UNITS = 32

#: How the program's words begin where a league says `faults: stop` and a bot has erred.
STOPPED = "error: stopped by a fault"


class Outcome(NamedTuple):
    """What came of a unit."""

    #: The bytes of its store. A unit that failed may have one too: what it kept counts, and is not played again.
    part: Optional[bytes]
    #: In what words it failed; empty where it did not.
    words: str


#: Hands units out, and yields what comes back as it does.
HandOut = Callable[[List[str]], Iterable[Sequence[Outcome]]]


def play(hattari: Optional[str], league: str, unit: str, more: Sequence[str]) -> Outcome:
    """Plays a unit on one core. Runs on the engine's workers; without `hattari` by the program that each of them has."""
    # Where a worker is killed its unit comes again elsewhere; nobody waits for this one.
    guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    with tempfile.TemporaryDirectory(prefix="hattari-unit-") as folder:
        part = os.path.join(folder, "part.sqlite")
        try:
            program = hattari or find()
            command = [*guard, program, "run", league, "--unit", unit, "--store", part, "--jobs", "1", "--json", *more]
            ended = subprocess.run(command, capture_output=True, text=True)
        except (Error, OSError) as error:
            return Outcome(None, str(error))
        words = (ended.stderr.strip() or f"{program} ended with code {ended.returncode}") if ended.returncode else ""
        # A program that was killed has left its store in pieces.
        if ended.returncode < 0 or not os.path.exists(part) or not os.path.getsize(part):
            return Outcome(None, words)
        with open(part, "rb") as store:
            return Outcome(store.read(), words)


def place(league: Path_) -> str:
    """Where a league lies, for all machines."""
    return os.path.realpath(league)


def loop(
    league: Path_,
    hand_out: HandOut,
    *,
    store: Optional[Path_] = None,
    units: int = UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays the league of a file to its end, and gives it. A line on the error output says whenever something has come back.

    Raises `Error` where some plans in a row bring nothing, in the words of the last unit that failed, and where a fault stops the league.
    """
    played_league = League(place(league), os.path.realpath(store) if store else None)

    def ask(*arguments: str) -> str:
        return call(arguments, program=hattari)

    def merge(parts: Sequence[bytes]) -> None:
        with tempfile.TemporaryDirectory(prefix="hattari-parts-") as folder:
            names = [os.path.join(folder, f"{number}.sqlite") for number in range(len(parts))]
            for name, part in zip(names, parts):
                with open(name, "wb") as file:
                    file.write(part)
            ask("cluster", "merge", str(played_league.store), *names)

    plan = ("cluster", "plan", str(played_league.path), "--store", str(played_league.store), *more)
    played, tries, words = -1, 0, ""
    while (now := json.loads(ask(*plan, "--units", str(units), "--json")))["units"]:
        tries = tries + 1 if now["played"] == played else 0
        if tries == TRIES:
            raise Error(f"{words}\n{TRIES} plans in a row brought nothing: given up", 2)
        open_units, back, played = [unit["unit"] for unit in now["units"]], 0, now["played"]
        for outcomes in hand_out(open_units):
            parts = [outcome.part for outcome in outcomes if outcome.part]
            words = next((outcome.words for outcome in outcomes if outcome.words), words)
            back += sum(not outcome.words for outcome in outcomes)
            if parts:
                merge(parts)
                print(f"unit {back} of {len(open_units)}: {ask(*plan).splitlines()[0]}", file=sys.stderr, flush=True)
            stopped = next((outcome.words for outcome in outcomes if STOPPED in outcome.words), "")
            if stopped:
                raise Error(stopped[stopped.index(STOPPED) + len("error: ") :], 2)
    return played_league


def parser(doc: Optional[str]) -> argparse.ArgumentParser:
    """The arguments that every adapter has; what it does not know goes to `hattari cluster plan` and `run`."""
    also = "Other arguments go to `hattari cluster plan` and `hattari run`."
    parser = argparse.ArgumentParser(description=doc, epilog=also, allow_abbrev=False)
    add = parser.add_argument
    add("league", help="the league, a YAML file")
    add("--store", help="where results are gathered; without it, beside the league")
    add("--units", help="how many units a plan is cut into (default: %(default)s)", type=int, default=UNITS)
    program = os.environ.get("HATTARI")
    add("--hattari", help="the program, on every machine (or HATTARI; default: the one of this package)", default=program)
    cores = os.cpu_count()
    add("--workers", help="processes, on this machine alone (default: one for each core)", type=int, default=cores)
    return parser


def main(options: argparse.Namespace, more: Sequence[str], engine: ContextManager[HandOut]) -> int:
    """`loop` for a command line: its exit code, what goes wrong told in words. `engine` is opened first and closed last."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with engine as hand_out:
            arguments = {"store": options.store, "units": options.units, "hattari": options.hattari}
            league = loop(options.league, hand_out, more=more, **arguments)
            digest, blocks = _digest(league, options.hattari)
            print(f"{league.store}: {blocks} blocks, digest {digest}", flush=True)
        return 0
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code or 2
    except KeyboardInterrupt:
        return 130


def _digest(league: League, hattari: Optional[str]) -> Tuple[str, str]:
    digest, blocks = call(["store", "digest", league.store], program=hattari).split()
    return digest, blocks
