"""Shared fixtures of the tests.

The tests run the program at HATTARI_PROGRAM, or the program that was installed with the package.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]

#: A league that is played within a second.
SMALL = {
    "game": "tanhinmin",
    "options": {"cards": 3},
    "entrants": ["eager", "boss", "random"],
    "format": {"kind": "line-ups", "size": 3},
    "blocks": 12,
    "deals": 5,
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives every test its own current folder, state folder and temporary folder.

    Code that one test trusts is therefore not trusted in another test.
    """
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HATTARI_STATE", str(home / "state"))
    monkeypatch.setenv("TMPDIR", str(home))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.fixture
def serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets started programs find this package and this interpreter, as in an active environment."""
    import hattari

    sources = str(Path(hattari.__file__).parents[1])
    search_path = [sources, os.environ.get("PYTHONPATH")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, search_path)))
    programs = [os.path.dirname(sys.executable), os.environ.get("PATH", "")]
    monkeypatch.setenv("PATH", os.pathsep.join(programs))
