#!/usr/bin/env python3
"""Compares the speed of two builds of `hattari`: the table of arena/SPEED.md.

Usage: arena/benches/programs.py OLD NEW [--rounds N] [--seconds S] [--library base.so]
       [--module base.wasm] [ROW...]

Plays one league per row on one thread, with the same bot at all seats. The two programs alternate.
Prints Markdown: deals per second (median and range) of both, and the ratio of each pair of runs.
Deals of bots in the host are counted per second of processor time, the start of the program
excluded; those of bots in processes per second of elapsed time. Needs a C compiler.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = PROJECT / "scripts" / "daihinmin"
AT_ONCE = "return { act = function(view, legal) return 1 end }\n"


def rows(folder, library, module):
    """Returns (name, game settings, players, bot, isolation) of every row."""
    least = folder / "least.lua"
    least.write_text(AT_ONCE)
    cautious = folder / "cautious.so"
    source = PROJECT / "bots" / "c" / "cautious.c"
    include = PROJECT / "plugin-api" / "include"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", f"-I{include}", "-o", cautious, source, "-lm"], check=True
    )
    daihinmin = {"game": "daihinmin", "deals": 100}
    bridge = {"game": "bridge", "deals": 100, "duplicate": False}
    holdem = {"game": "holdem", "deals": 1000, "duplicate": False}
    stud = {"game": "stud", "deals": 1000, "duplicate": False}
    found = [
        ("daihinmin, built-in `base`", daihinmin, 5, "base", None),
        ("daihinmin, built-in `all-k`", daihinmin, 5, "all-k", None),
        ("daihinmin, built-in `default`", daihinmin, 5, "default", None),
        ("tanhinmin, `saver`", {"game": "tanhinmin", "deals": 1000}, 4, "saver", None),
        ("hold'em heads-up, `call`", holdem, 2, "call", None),
        ("hold'em six-max, `call`", holdem, 6, "call", None),
        ("hold'em heads-up, `honest`", {**holdem, "deals": 100}, 2, "honest", None),
        ("stud for two, `call`", stud, 2, "call", None),
        ("bridge 3NT, `random`", {**bridge, "preset": "3nt"}, 4, "random", None),
        ("bridge unconstrained, `random`", {**bridge, "preset": "random"}, 4, "random", None),
        ("Lua, answers at once", daihinmin, 5, least, None),
        ("Lua, `minimal`", daihinmin, 5, SCRIPTS / "minimal.lua", None),
        ("Lua, `styles`", daihinmin, 5, SCRIPTS / "styles.lua", None),
        ("Lua, `tactician`", daihinmin, 5, SCRIPTS / "tactician.lua", None),
        ("C library in the host, `cautious`", daihinmin, 5, cautious, "none"),
        ("C library in a process, `cautious`", daihinmin, 5, cautious, "process"),
    ]
    if library:
        found.append(("library in a process, `base`", daihinmin, 5, f"{library}#base", "process"))
    if module:
        found.append(("WebAssembly, `base`", daihinmin, 5, f"{module}#base", None))
    return found


def write_league(path, game, players, bot, isolation):
    """Writes a league (YAML contains JSON) with one line-up of `players` copies of a bot."""
    entrant = {"bot": str(bot)} | ({"isolation": isolation} if isolation else {})
    league = {
        **game,
        "seed": 1,
        "entrants": [{"name": f"seat{seat}", **entrant} for seat in range(players)],
        "format": {"kind": "line-ups", "size": players},
        "blocks": 1,
    }
    path.write_text(json.dumps(league))


def play(program, league, blocks):
    """Returns (deals, elapsed seconds, processor seconds) of a run of `blocks` blocks."""
    # An older program refuses to open a store of a newer one.
    store = league.with_name("results.sqlite")
    store.unlink(missing_ok=True)
    command = [program, "run", league, "--jobs", "1", "--json", "--store", store]
    before = os.times()
    process = subprocess.run(
        [*map(str, command), "--trust", "--blocks", str(blocks)],
        capture_output=True, text=True,
    )
    after = os.times()
    if process.returncode:
        sys.exit(f"{program}: {process.stderr}")
    line = json.loads(process.stdout.splitlines()[-1])
    busy = after.children_user + after.children_system
    busy -= before.children_user + before.children_system
    if line["faults"]:
        sys.exit(f"{league}: {line['faults']} faults")
    return line["deals"], line["seconds"], busy


def calibrate(program, league, seconds):
    """Returns a number of blocks that takes about `seconds`."""
    blocks = 1
    while True:
        took = play(program, league, blocks)[1]
        if took > seconds / 4:
            return max(1, round(blocks * seconds / took))
        blocks *= 4


def measure(programs, league, is_process, rounds, seconds):
    """Returns the deals per second of each program, by round."""
    blocks = [calibrate(program, league, seconds) for program in programs]
    start = [min(play(program, league, 1)[2] for _ in range(3)) for program in programs]
    found = [[], []]
    for _ in range(rounds):
        for at, program in enumerate(programs):
            deals, elapsed, busy = play(program, league, blocks[at])
            found[at].append(deals / (elapsed if is_process else busy - start[at]))
    return found


def shown(numbers):
    """Formats the median and the range of numbers with three significant digits."""
    def three(number):
        digits = max(0, len(str(int(number))) - 3)
        return f"{round(number / 10**digits) * 10**digits:,}"
    ends = (min(numbers), max(numbers))
    return f"{three(statistics.median(numbers))} ({three(ends[0])}–{three(ends[1])})"


def main():
    """Measures the chosen rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("rows", nargs="*", help="words; only rows that contain one are measured")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--library", type=Path, help="library of tests/fixtures/module")
    parser.add_argument("--module", type=Path, help="WebAssembly module of the same")
    options = parser.parse_args()
    programs = [options.old.resolve(), options.new.resolve()]
    print("| deals/s, one thread | before | now | ratio |\n|---|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row, game, players, bot, isolation in rows(folder, options.library, options.module):
            if options.rows and not any(word in row for word in options.rows):
                continue
            league = folder / "league.yaml"
            write_league(league, game, players, bot, isolation)
            is_process = isolation == "process"
            old, new = measure(programs, league, is_process, options.rounds, options.seconds)
            ratios = [after / before for before, after in zip(old, new)]
            ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
            print(f"| {row} | {shown(old)} | {shown(new)} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
