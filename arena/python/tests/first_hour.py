"""Does what a new user does after installing the wheel, in an empty folder.

`wheel.sh` runs this script in an environment that contains only the wheel and its dependencies.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def hattari(*arguments: str) -> str:
    """Runs the program, asserts that it succeeds, and returns its output."""
    print("$ hattari", *arguments, flush=True)
    ended = subprocess.run(["hattari", *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, f"{ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout + ended.stderr


def main() -> None:
    """Plays leagues with the program and with the package."""
    assert os.listdir() == [], "the current folder must be empty"
    print(hattari("--version"), end="")
    assert "blocks, digest" in hattari("run", "--demo")
    hattari("new", "python", "holdem", "mine")
    os.chdir("mine")
    print(hattari("check", "mine.py", "--trust").strip().splitlines()[-1])
    league = Path("league.yaml")
    league.write_text(league.read_text().replace("blocks: 60", "blocks: 12"))
    assert "36 of 36 blocks" in hattari("run", "league.yaml", "--trust")

    import hattari as package
    from hattari.program import find

    assert find().startswith(sys.prefix), find()
    standings = package.standings("league.yaml")
    assert set(standings["bot"].to_pylist()) == {"mine", "honest", "call", "random"}

    import pandas
    import polars

    columns = ["bot", "blocks", "points", "low", "high", "faults"]
    print(standings.to_pandas(types_mapper=pandas.ArrowDtype)[columns])
    samples = package.samples("league.yaml")
    print(polars.from_arrow(samples).group_by("bot").agg(polars.col("mean").mean()).sort("bot"))
    # The same table as a file, read without pyarrow.
    hattari("export", "parquet", "league.yaml", "--output", "tables")
    assert polars.read_parquet("tables/samples.parquet").equals(polars.from_arrow(samples))

    class Mine(package.Bot):
        def act(
            self, view: package.bot.View, legal: list[package.bot.Action]
        ) -> package.bot.Choice:
            return legal[0]

    games = package.play("holdem", [Mine, "call"], deals=2)
    assert "<iframe" in games._repr_html_() and not games.faults
    print(games)


if __name__ == "__main__":
    main()
