#!/usr/bin/env python3
"""Measures a large league on Dask: the tables of arena/site/scale.md.

Usage: arena/benches/scale.py [--blocks N] [--deals N] [--workers 1,2,4] [--units N]

Plays a league of daihinmin (five entrants, one line-up) with `target/release/hattari` through the
Dask adapter, once for each number of workers, and checks that all digests are equal. Then measures
the store, a merge of the whole store and a report, each for a tenth of the league and for all of
it. Prints Markdown. Needs the packages `dask` and `distributed`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = PROJECT / "target" / "release" / "hattari"
LEAGUE = """game: daihinmin
seed: 1
isolation: none
format: {{kind: line-ups, size: 5}}
deals: {deals}
blocks: {blocks}
entrants: [base, all-k, {{name: base-2, bot: base}}, {{name: all-k-2, bot: all-k}}, default]
"""


def measured(folder, *arguments):
    """Runs a command; returns its output, seconds, processor seconds and peak memory in MB."""
    environment = {
        **os.environ,
        "HATTARI": str(PROGRAM),
        "HATTARI_STATE": str(folder / ".state"),
        "PYTHONPATH": str(PROJECT / "arena" / "python" / "src"),
    }
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen(
            arguments, cwd=folder, stdout=output, stderr=errors, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        output.seek(0)
        errors.seek(0)
        text = output.read().decode()
        problems = errors.read().decode()
    if status:
        sys.exit(f"{' '.join(map(str, arguments))} failed:\n{text}{problems}")
    return text, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write_league(folder, name, blocks, deals):
    league = folder / name
    league.write_text(LEAGUE.format(deals=deals, blocks=blocks))
    return league


def play_with_workers(folder, options):
    """Prints the table of the workers; returns the last store."""
    games = options.blocks * options.deals
    print("| workers | seconds | games/s | processor seconds |\n|---:|---:|---:|---:|")
    digests = set()
    for workers in map(int, options.workers.split(",")):
        store = folder / f"workers-{workers}.sqlite"
        _, seconds, processor, _ = measured(
            folder, sys.executable, "-m", "hattari.engines.dask", "league.yaml",
            "--workers", str(workers), "--units", str(options.units), "--store", store,
        )  # fmt: skip
        digests.add(measured(folder, PROGRAM, "store", "digest", store)[0])
        print(f"| {workers} | {seconds:.0f} | {games / seconds:,.0f} | {processor:.0f} |")
    if len(digests) != 1:
        sys.exit(f"the digests differ: {digests}")
    return store


def measure_operations(folder, options, store):
    """Prints the table of the store, the merge and the report."""
    print("\n| blocks | bytes a block | plan, s | merge, s | report, s | report, MB |")
    print("|---:|---:|---:|---:|---:|---:|")
    write_league(folder, "tenth.yaml", options.blocks // 10, options.deals)
    tenth = folder / "tenth.sqlite"
    measured(folder, PROGRAM, "run", "tenth.yaml", "--no-report", "--store", tenth)
    for league, blocks, full in [
        ("tenth.yaml", options.blocks // 10, tenth),
        ("league.yaml", options.blocks, store),
    ]:
        copy = folder / "copy.sqlite"
        copy.unlink(missing_ok=True)
        _, planning, *_ = measured(folder, PROGRAM, "cluster", "plan", league, "--store", full)
        _, merging, *_ = measured(folder, PROGRAM, "cluster", "merge", copy, full)
        _, reporting, _, memory = measured(
            folder, PROGRAM, "report", league, "--store", full
        )
        size = full.stat().st_size / blocks
        print(
            f"| {blocks:,} | {size:,.0f} | {planning:.2f} | {merging:.2f} | {reporting:.2f} "
            f"| {memory:,.0f} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=10_000)
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--units", type=int, default=64)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hattari-scale-") as path:
        folder = Path(path)
        write_league(folder, "league.yaml", options.blocks, options.deals)
        measure_operations(folder, options, play_with_workers(folder, options))


if __name__ == "__main__":
    main()
