"""What the tests share. The program is the one that HATTARI_PROGRAM names, else the one that was installed with the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]

#: A league that is played in a moment.
SMALL = {
    "game": "tanhinmin",
    "options": {"cards": 3},
    "entrants": ["eager", "boss", "random"],
    "format": {"kind": "line-ups", "size": 3},
    "blocks": 12,
    "deals": 5,
}


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its folder, and what is trusted in one is not trusted in another."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HATTARI_STATE", str(home / "state"))
    monkeypatch.setenv("TMPDIR", str(home))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.fixture
def serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that are started find this package, and this interpreter, as in an environment that is entered."""
    import hattari

    sources = str(Path(hattari.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [sources, os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))
