"""Leagues on engines, from Python. `tests/leagues/engines.rs` starts them as commands and kills their workers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SMALL

import hattari


def test_dask_plays_what_a_single_run_plays(capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    from hattari.engines import dask

    alone = hattari.run(SMALL, path="x.yaml")
    with distributed.Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        league = dask.run("x.yaml", client, store="gathered.sqlite", units=3)
        assert league.digest() == alone.digest() and league.store == Path("gathered.sqlite").resolve()
        # Units that come back together share a line; the last one of all always has it.
        assert "unit 3 of 3: " in capsys.readouterr().err
        # Nothing is open: nothing is played.
        assert dask.run("x.yaml", client, store="gathered.sqlite").digest() == alone.digest()
        assert "unit" not in capsys.readouterr().err
        Path("x.yaml").write_text(Path("x.yaml").read_text().replace("eager", "eagre"))
        with pytest.raises(hattari.Error, match="did you mean `eager`"):
            dask.run("x.yaml", client)


def test_units_that_fail_again_and_again_are_given_up() -> None:
    from hattari.engines import loop

    hattari.League.of(SMALL, path="x.yaml")
    handed = []

    def hand_out(units):  # type: ignore[no-untyped-def]
        handed.append(units)
        yield [loop.Outcome(None, "the disk is full")] * len(units)

    with pytest.raises(hattari.Error, match="the disk is full\n3 plans in a row brought nothing: given up"):
        loop.loop("x.yaml", hand_out, units=2)
    assert len(handed) == 3 and len(handed[0]) == 2
    outcome = loop.play("/no/such/program", "x.yaml", "0-1", ())
    assert outcome.part is None and "/no/such/program" in outcome.words


def test_blocks_of_a_unit_that_a_fault_stopped_are_merged() -> None:
    from hattari.engines import loop

    Path("bad.lua").write_text("return {act = function() error('no idea') end}")
    hattari.League.of({**SMALL, "entrants": ["eager", "boss", {"name": "bad", "bot": "./bad.lua"}], "faults": "stop"}, path="x.yaml")
    kept = 0
    for _ in range(2):

        def hand_out(units):  # type: ignore[no-untyped-def]
            yield [loop.play(None, "x.yaml", units[0], ())]

        with pytest.raises(hattari.Error, match="^stopped by a fault .*no idea"):
            loop.loop("x.yaml", hand_out, units=2)
        records = hattari.League("x.yaml").records()
        assert len(records) > kept and all(record["faults"] for record in records)
        kept = len(records)



#: An adapter whose engine is told to end (SIGTERM) while the part {when} is done.
ENDED = """
import contextlib, os, signal, sys
from hattari.engines import loop

def end(now):
    if now == {when!r}:
        os.kill(os.getpid(), signal.SIGTERM)

@contextlib.contextmanager
def engine():
    end("opening")
    try:
        yield lambda units: end("playing") or []
    finally:
        end("closing")

options, more = loop.parser("").parse_known_args(["x.yaml"])
sys.exit(loop.main(options, more, engine()))
"""


@pytest.mark.parametrize("when", ["opening", "playing", "closing"])
def test_an_adapter_that_is_told_to_end_says_nothing(when: str) -> None:
    hattari.League.of(SMALL, path="x.yaml")
    if when == "closing":
        hattari.run(SMALL, path="x.yaml")
    ended = subprocess.run([sys.executable, "-c", ENDED.format(when=when)], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "")
