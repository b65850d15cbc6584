"""The program: found, run, its words and its end."""

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


def test_errors_are_the_programs_own_words() -> None:
    with pytest.raises(hattari.Error) as caught:
        hattari.run({**SMALL, "entrants": ["eager", "bos"]})
    words = str(caught.value)
    assert "no bot `bos` for tanhinmin" in words and "did you mean `boss`?" in words
    assert not words.startswith("error: ") and caught.value.code == 2


def test_where_nothing_was_played_it_says_so() -> None:
    Path("x.yaml").write_text(hattari.league._text(SMALL))
    with pytest.raises(hattari.Error, match="x.sqlite"):
        hattari.League("x.yaml").digest()


def test_a_program_that_is_not_there_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HATTARI_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(hattari.Error, match="cannot be started.*name the program in HATTARI_PROGRAM"):
        hattari.run(SMALL)
    monkeypatch.delenv("HATTARI_PROGRAM")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    with pytest.raises(hattari.Error, match="pip install hattari"):
        program.find()
    (tmp_path / "hattari").touch()
    assert program.find() == str(tmp_path / "hattari")


@pytest.mark.usefixtures("serves")
def test_the_module_is_the_program() -> None:
    run = subprocess.run([sys.executable, "-m", "hattari", "show", "rules", "chess"], capture_output=True, text=True)
    assert run.returncode == 2 and "chess" in run.stderr
    run = subprocess.run([sys.executable, "-m", "hattari", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.startswith("hattari ")


def test_an_interrupt_keeps_what_is_finished_and_a_run_goes_on() -> None:
    league = hattari.League.of({**SMALL, "blocks": 100_000, "deals": 200}, path="long.yaml")
    ended = threading.Event()

    def interrupt() -> None:
        while not ended.is_set():
            try:
                if league.digest()[1] > 100:
                    os.kill(os.getpid(), signal.SIGINT)
                    return
            except hattari.Error:
                pass  # The store is not there yet.
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
    # What is there stays, and the same blocks are the same.
    league.path.write_text(league.path.read_text().replace("100000", str(played)))
    whole = hattari.run(league.path.read_text(), path="whole.yaml")
    assert hattari.run(league).digest() == whole.digest()


def test_progress_is_told_on_the_error_output(capfd: pytest.CaptureFixture[str]) -> None:
    hattari.run(SMALL)
    assert capfd.readouterr() == ("", "")
    hattari.run(SMALL, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "12 of 12 blocks, digest" in err
