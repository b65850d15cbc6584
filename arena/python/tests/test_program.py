"""Tests of running the program: finding it, its errors, interrupts and progress."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import SMALL

import hattari
from hattari import program


def test_an_error_has_the_message_and_the_exit_code_of_the_program() -> None:
    with pytest.raises(hattari.Error) as caught:
        hattari.run({**SMALL, "entrants": ["eager", "bos"]})
    message = str(caught.value)
    assert "no bot `bos` for tanhinmin" in message and "did you mean `boss`?" in message
    assert not message.startswith("error: ") and caught.value.code == 2


def test_a_missing_store_is_an_error() -> None:
    Path("x.yaml").write_text(hattari.league._league_text(SMALL))
    with pytest.raises(hattari.Error, match="x.sqlite"):
        hattari.League("x.yaml").digest()


def test_the_error_for_a_missing_program_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HATTARI_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(hattari.Error, match="cannot be started.*set HATTARI_PROGRAM to the path"):
        hattari.run(SMALL)
    module = [sys.executable, "-m", "hattari", "--version"]
    ran = subprocess.run(module, capture_output=True, text=True)
    assert ran.returncode == 1 and f"`{tmp_path / 'none'}` cannot be started" in ran.stderr
    monkeypatch.delenv("HATTARI_PROGRAM")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    with pytest.raises(hattari.Error, match="pip install hattari"):
        program.find()
    (tmp_path / "hattari").touch()
    assert program.find() == str(tmp_path / "hattari")


@pytest.mark.usefixtures("serves")
def test_the_module_runs_the_program() -> None:
    command = [sys.executable, "-m", "hattari"]
    rules = [*command, "show", "rules", "chess"]
    run = subprocess.run(rules, capture_output=True, text=True)
    assert run.returncode == 2 and "chess" in run.stderr
    run = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.startswith("hattari ")


def test_an_interrupt_keeps_finished_blocks_and_the_next_run_continues() -> None:
    league = hattari.League.of({**SMALL, "blocks": 100_000, "deals": 200}, path="long.yaml")
    ended = threading.Event()

    def interrupt() -> None:
        while not ended.is_set():
            try:
                if league.digest()[1] > 100:
                    os.kill(os.getpid(), signal.SIGINT)
                    return
            except hattari.Error:
                pass  # The store does not exist yet.
            time.sleep(0.01)

    watcher = threading.Thread(target=interrupt)
    watcher.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            hattari.run(league)
    finally:
        ended.set()
        watcher.join()
    played = league.digest()[1]
    assert 100 < played < 100_000
    # The stored blocks are those of a run without an interrupt.
    league.path.write_text(league.path.read_text().replace("100000", str(played)))
    whole = hattari.run(league.path.read_text(), path="whole.yaml")
    assert hattari.run(league).digest() == whole.digest()


def test_progress_is_printed_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    hattari.run(SMALL)
    assert capfd.readouterr() == ("", "")
    hattari.run(SMALL, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "12 of 12 blocks, digest" in err
