"""Tests of the adapters for schedulers, from Python.

`tests/leagues/engines.rs` starts the adapters as commands and kills their workers.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SMALL

import hattari


def test_dask_plays_the_same_games_as_a_single_run(capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    from hattari.engines import dask

    single = hattari.run(SMALL, path="x.yaml")
    with distributed.Client(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as client:
        league = dask.run("x.yaml", client, store="gathered.sqlite", units=3)
        assert league.digest() == single.digest()
        assert league.store == Path("gathered.sqlite").resolve()
        # Units that arrive together have one line; the last unit always has one.
        assert "unit 3 of 3: " in capsys.readouterr().err
        # No blocks remain, so nothing is played.
        again = dask.run("x.yaml", client, store="gathered.sqlite")
        assert again.digest() == single.digest()
        assert "unit" not in capsys.readouterr().err
        Path("x.yaml").write_text(Path("x.yaml").read_text().replace("eager", "eagre"))
        with pytest.raises(hattari.Error, match="did you mean `eager`"):
            dask.run("x.yaml", client)


def test_the_loop_gives_up_if_three_plans_return_no_results() -> None:
    from hattari.engines import loop

    hattari.League.of(SMALL, path="x.yaml")
    plans = []

    def hand_out(units):  # type: ignore[no-untyped-def]
        plans.append(units)
        yield [loop.Outcome(None, "the disk is full")] * len(units)

    message = "the disk is full\n3 plans in a row returned no results; giving up"
    with pytest.raises(hattari.Error, match=message):
        loop.loop("x.yaml", hand_out, units=2)
    assert len(plans) == 3 and len(plans[0]) == 2
    outcome = loop.play("/no/such/program", "x.yaml", "0-1", ())
    assert outcome.part is None and "/no/such/program" in outcome.words


def test_a_refused_store_is_kept_and_the_others_are_merged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from hattari.engines import loop

    hattari.League.of(SMALL, path="x.yaml")
    played = []

    def hand_out(units):  # type: ignore[no-untyped-def]
        played.extend(units)
        bad = loop.Outcome(b"no store", "")
        yield [bad, *(loop.play(None, "x.yaml", unit, ()) for unit in units), bad]

    league = loop.loop("x.yaml", hand_out, units=2)
    assert len(played) == 2
    assert capsys.readouterr().err.count("part` is not a store of Hattari") == 1
    assert len(list(Path("x.sqlite.work").glob("*.refused/*.sqlite"))) == 2

    assert league.digest()[1] == 12

    # No units remain, but the digest at the end is that of the edited league.
    hattari.League.of({**SMALL, "blocks": 6}, path="x.yaml")
    assert loop.loop("x.yaml", hand_out).digest()[1] == 6
    assert len(played) == 2

    hattari.League.of({**SMALL, "seed": 5}, path="y.yaml")
    with pytest.raises(hattari.Error, match="not a store of Hattari(.|\n)*giving up"):
        loop.loop("y.yaml", lambda units: [[loop.Outcome(b"no store", "")]])


def test_a_store_with_a_log_is_not_sent() -> None:
    from hattari.engines import loop

    program = Path("full").resolve()
    leaves = 'case $part in *.sqlite) echo x >"$part"; echo x >"$part-wal";; esac'
    program.write_text(f"#!/bin/sh\nfor part; do {leaves}; done\n")
    program.chmod(0o755)
    outcome = loop.play(str(program), "x.yaml", "0-1", ())
    assert outcome.part is None and outcome.words


def test_blocks_of_a_unit_that_a_fault_stopped_are_merged() -> None:
    from hattari.engines import loop

    Path("bad.lua").write_text("return {act = function() error('no idea') end}")
    entrants = ["eager", "boss", {"name": "bad", "bot": "./bad.lua"}]
    hattari.League.of({**SMALL, "entrants": entrants, "faults": "stop"}, path="x.yaml")
    kept = 0
    for _ in range(2):

        def hand_out(units):  # type: ignore[no-untyped-def]
            yield [loop.play(None, "x.yaml", units[0], ())]

        with pytest.raises(hattari.Error, match="^stopped by a fault .*no idea"):
            loop.loop("x.yaml", hand_out, units=2)
        records = hattari.League("x.yaml").records()
        assert len(records) > kept and all(record["faults"] for record in records)
        kept = len(records)


#: An adapter that receives SIGTERM in the phase {when}.
TERMINATED = """
import contextlib, os, signal, sys
from hattari.engines import loop

def terminate(phase):
    if phase == {when!r}:
        os.kill(os.getpid(), signal.SIGTERM)

@contextlib.contextmanager
def engine():
    terminate("opening")
    try:
        yield lambda units: terminate("playing") or []
    finally:
        terminate("closing")

options, more = loop.parser("").parse_known_args(["x.yaml"])
sys.exit(loop.main(options, more, engine()))
"""


@pytest.mark.parametrize("when", ["opening", "playing", "closing"])
def test_a_terminated_adapter_prints_nothing(when: str) -> None:
    hattari.League.of(SMALL, path="x.yaml")
    if when == "closing":
        hattari.run(SMALL, path="x.yaml")
    command = [sys.executable, "-c", TERMINATED.format(when=when)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "")
