"""What the adapters in Python share: plan, hand the units out, merge what comes back, plan again until nothing is open.

A part store travels as bytes, so the machines share no folder. Each needs `hattari`, and the league with its bots at the same path.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

# So many plans in a row that brought nothing end the run: what fails every time has been seen often enough.
TRIES = 3


def parser(doc):
    """The arguments that every adapter has; what it does not know goes to `hattari plan` and `run`."""
    also = "Other arguments go to `hattari plan` and `hattari run`."
    parser = argparse.ArgumentParser(description=doc, epilog=also, allow_abbrev=False)
    add = parser.add_argument
    add("league", help="the league, a YAML file", type=os.path.realpath)
    add("--store", help="where results are gathered; without it, beside the league", type=os.path.realpath)
    add("--units", help="how many units a plan is cut into (default: %(default)s)", type=int, default=32)
    program = os.environ.get("HATTARI", "hattari")
    add("--hattari", help="the program, on every machine (or HATTARI; default: %(default)s)", default=program)
    cores = os.cpu_count()
    add("--workers", help="processes, on this machine alone (default: one for each core)", type=int, default=cores)
    return parser


def play(hattari, league, unit, more):
    """Plays a unit on one core: the bytes of its store, or in what words it failed. Runs on the engine's workers."""
    # Where a worker is killed its unit comes again elsewhere; nobody waits for this one.
    guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    with tempfile.TemporaryDirectory(prefix="hattari-unit-") as folder:
        part = os.path.join(folder, "part.sqlite")
        command = [*guard, hattari, "run", league, "--unit", unit, "--store", part, "--jobs", "1", "--json", *more]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode:
            return ended.stderr.strip() or f"{hattari} ended with code {ended.returncode}"
        with open(part, "rb") as store:
            return store.read()


def loop(options, more, hand_out):
    """Plays the league to its end; `hand_out(units)` yields lists of what `play` gave, as units come back. The exit code."""
    store = options.store or os.path.splitext(options.league)[0] + ".sqlite"

    def hattari(*arguments):
        return subprocess.run([options.hattari, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    def merge(parts):
        with tempfile.TemporaryDirectory(prefix="hattari-parts-") as folder:
            names = [os.path.join(folder, f"{number}.sqlite") for number in range(len(parts))]
            for name, part in zip(names, parts):
                with open(name, "wb") as file:
                    file.write(part)
            hattari("merge", store, *names)

    plan = ("plan", options.league, "--store", store, *more)
    played, tries, words = -1, 0, ""
    while (now := json.loads(hattari(*plan, "--units", str(options.units), "--json")))["units"]:
        tries = tries + 1 if now["played"] == played else 0
        if tries == TRIES:
            print(f"{words}\n{TRIES} plans in a row brought nothing: given up", file=sys.stderr)
            return 2
        units, back, played = [unit["unit"] for unit in now["units"]], 0, now["played"]
        for outcomes in hand_out(units):
            parts = [outcome for outcome in outcomes if isinstance(outcome, bytes)]
            words = next((outcome for outcome in outcomes if not isinstance(outcome, bytes)), words)
            back += len(parts)
            if parts:
                merge(parts)
                print(f"unit {back} of {len(units)}: {hattari(*plan).splitlines()[0]}", file=sys.stderr, flush=True)
    digest, blocks = hattari("records", store, "--digest").split()
    print(f"{store}: {blocks} blocks, digest {digest}")
    return 0


def main(options, more, hand_out):
    """`loop`, with what goes wrong told in a line."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return loop(options, more, hand_out)
    except subprocess.CalledProcessError as error:
        return error.returncode  # It has said why.
    except FileNotFoundError as error:
        print(f"error: no program `{error.filename}`: give --hattari", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
