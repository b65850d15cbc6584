"""What somebody does who has just installed the wheel, in an empty folder: run by `wheel.sh` in an environment with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def hattari(*arguments: str) -> str:
    print("$ hattari", *arguments, flush=True)
    ended = subprocess.run(["hattari", *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, f"{ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout + ended.stderr


def main() -> None:
    assert os.listdir() == [], "an empty folder"
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

    print(standings.to_pandas(types_mapper=pandas.ArrowDtype)[["bot", "blocks", "points", "low", "high", "faults"]])
    samples = package.samples("league.yaml")
    print(polars.from_arrow(samples).group_by("bot").agg(polars.col("mean").mean()).sort("bot"))
    # Again by files, without Arrow's package between them.
    hattari("export", "parquet", "league.yaml", "--output", "tables")
    assert polars.read_parquet("tables/samples.parquet").equals(polars.from_arrow(samples))

    class Mine(package.Bot):
        def act(self, view: package.bot.View, legal: list[package.bot.Action]) -> package.bot.Choice:
            return legal[0]

    games = package.play("holdem", [Mine, "call"], deals=2)
    assert "<iframe" in games._repr_html_() and not games.faults
    print(games)


if __name__ == "__main__":
    main()
