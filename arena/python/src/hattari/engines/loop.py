"""The loop that all adapters share: plan, play the units, merge the results, plan again.

The loop ends when no blocks remain. The stores of units are sent as bytes, so the machines need no
shared folder.
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
from typing import (
    Callable,
    ContextManager,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from ..league import League, PathLike
from ..program import Error, call, find

#: Number of plans in a row without results after which the loop gives up.
TRIES = 3
#: Default number of units in a plan.
UNITS = 32

#: Beginning of the error message of the program if a bot has made a fault in a league with
#: `faults: stop`.
STOPPED = "error: stopped by a fault"


class Outcome(NamedTuple):
    """The outcome of a unit."""

    #: Content of the store of the unit, if there is one. The store of a failed unit contains the
    #: blocks that were finished before the failure; they are merged too.
    part: Optional[bytes]
    #: Error message; empty if the unit was played.
    words: str


#: A function that plays units and yields their outcomes as they arrive.
HandOut = Callable[[List[str]], Iterable[Sequence[Outcome]]]


def play(hattari: Optional[str], league: str, unit: str, more: Sequence[str]) -> Outcome:
    """Plays a unit on one core. Runs on the workers of the scheduler.

    `hattari` is the path of the program (default: the program of the package on the worker).
    """
    # The program is killed together with its worker: the unit is then played on another worker.
    guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    with tempfile.TemporaryDirectory(prefix="hattari-unit-") as folder:
        part = os.path.join(folder, "part.sqlite")
        try:
            program = hattari or find()
            arguments = [league, "--unit", unit, "--store", part, "--jobs", "1", "--json", *more]
            command = [*guard, program, "run", *arguments]
            ended = subprocess.run(command, capture_output=True, text=True)
        except (Error, OSError) as error:
            return Outcome(None, str(error))
        code = ended.returncode
        # A negative code: the program was killed by a signal, so its store is incomplete. A log is
        # also left if the disk is full.
        incomplete = code < 0 or os.path.exists(part + "-wal")
        failed = code or incomplete
        words = (ended.stderr.strip() or f"{program} exited with code {code}") if failed else ""
        if incomplete or not os.path.exists(part) or not os.path.getsize(part):
            return Outcome(None, words)
        with open(part, "rb") as store:
            return Outcome(store.read(), words)


def absolute_path(league: PathLike) -> str:
    """Returns the absolute path of a league, which must be the same on all machines."""
    return os.path.realpath(league)


def loop(
    league: PathLike,
    hand_out: HandOut,
    *,
    store: Optional[PathLike] = None,
    units: int = UNITS,
    hattari: Optional[str] = None,
    more: Sequence[str] = (),
) -> League:
    """Plays a league to its end and returns it. Prints a line on standard error for each merge.

    Stores of units that cannot be merged are kept in `STORE.work`, and their units are played
    again. Raises `Error` if `TRIES` plans in a row return no results, with the message of the last
    unit that failed, and if a fault stops the league.
    """
    played_league = League(absolute_path(league), os.path.realpath(store) if store else None)

    def run_program(*arguments: str) -> str:
        return call(arguments, program=hattari)

    store_path = str(played_league.store)
    reasons: Set[str] = set()

    def into_store(*parts: str) -> None:
        league_file = ("--league", str(played_league.path), *more)
        run_program("cluster", "merge", store_path, *parts, *league_file)

    def merge(parts: Sequence[bytes]) -> str:
        """Merges stores. Returns the reason why one of them was refused; otherwise ""."""
        reason = ""
        with tempfile.TemporaryDirectory(prefix="hattari-parts-") as folder:
            names = [os.path.join(folder, f"{number}.sqlite") for number in range(len(parts))]
            for name, part in zip(names, parts):
                with open(name, "wb") as file:
                    file.write(part)
            try:
                into_store(*names)
            except Error:
                for name in names:
                    try:
                        into_store(name)
                        continue
                    except Error:
                        into_store()  # If this fails too, the fault is not in the part.
                    try:
                        into_store(name)
                    except Error as error:
                        work = store_path + ".work"
                        os.makedirs(work, exist_ok=True)
                        kept = tempfile.mkdtemp(".refused", "", work)
                        shutil.move(name, kept)
                        # Reasons contain the path of the part.
                        reason = str(error).replace(name, "part")
                        if reason not in reasons:
                            print(f"{kept}: {reason}", file=sys.stderr, flush=True)
                        reasons.add(reason)
        return reason

    plan = ("cluster", "plan", str(played_league.path), "--store", store_path, *more)
    last_played, tries, words = -1, 0, ""
    while True:
        now = json.loads(run_program(*plan, "--units", str(units), "--json"))
        if not now["units"]:
            # The league of the store may be an earlier one, if no unit was played.
            into_store()
            return played_league
        tries = tries + 1 if now["played"] == last_played else 0
        if tries == TRIES:
            raise Error(f"{words}\n{TRIES} plans in a row returned no results; giving up", 2)
        open_units = [unit["unit"] for unit in now["units"]]
        last_played, finished = now["played"], 0
        for outcomes in hand_out(open_units):
            parts = [outcome.part for outcome in outcomes if outcome.part]
            words = next((outcome.words for outcome in outcomes if outcome.words), words)
            finished += sum(not outcome.words for outcome in outcomes)
            if parts:
                words = merge(parts) or words
                progress = run_program(*plan).splitlines()[0]
                line = f"unit {finished} of {len(open_units)}: {progress}"
                print(line, file=sys.stderr, flush=True)
            stopped = next((each.words for each in outcomes if STOPPED in each.words), "")
            if stopped:
                raise Error(stopped[stopped.index(STOPPED) + len("error: ") :], 2)


def parser(doc: Optional[str]) -> argparse.ArgumentParser:
    """Returns the parser of the arguments that all adapters have.

    Arguments that it does not know are passed on to `hattari cluster plan` and `hattari run`.
    """
    epilog = "Other arguments are passed on to `hattari cluster plan` and `hattari run`."
    parser = argparse.ArgumentParser(description=doc, epilog=epilog, allow_abbrev=False)
    add = parser.add_argument
    add("league", help="league file (YAML)")
    add("--store", help="file with the results (default: next to the league file)")
    add("--units", help="number of units in a plan (default: %(default)s)", type=int, default=UNITS)
    add(
        "--hattari",
        help="path of the program on every machine "
        "(default: the variable HATTARI, or the program of this package)",
        default=os.environ.get("HATTARI"),
    )
    add(
        "--workers",
        help="number of processes, on this machine only (default: one per core)",
        type=int,
        default=os.cpu_count(),
    )
    return parser


def main(
    options: argparse.Namespace, more: Sequence[str], engine: ContextManager[HandOut]
) -> int:
    """Runs `loop` for a command line, prints the result or the error, and returns the exit code.

    Enters the context `engine` before anything else, and leaves it at the end.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with engine as hand_out:
            league = loop(
                options.league,
                hand_out,
                store=options.store,
                units=options.units,
                hattari=options.hattari,
                more=more,
            )
            digest, blocks = _digest(league, options.hattari)
            print(f"{league.store}: {blocks} blocks, digest {digest}", flush=True)
        return 0
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code or 2
    except KeyboardInterrupt:
        return 130


def _digest(league: League, hattari: Optional[str]) -> Tuple[str, str]:
    """Returns the digest of a store and its number of blocks."""
    digest, blocks = call(["store", "digest", league.store], program=hattari).split()
    return digest, blocks
