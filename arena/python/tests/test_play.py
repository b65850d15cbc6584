"""Bots of this process at the program's tables."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, List

import pytest
from conftest import SMALL

import hattari


class Low(hattari.Bot):
    def act(self, view: Any, legal: Any) -> Any:
        return legal[0]


class Random(hattari.Bot):
    def act(self, view: Any, legal: Any) -> Any:
        return self.random.choice(legal)


class Broken(Low):
    def act(self, view: Any, legal: Any) -> Any:
        return legal[99]


def test_a_class_plays_as_the_same_bot_in_the_program() -> None:
    Path("first.lua").write_text("return {act = function(view, legal) return 1 end}")
    table = ["eager", "boss", "random"]
    ours = hattari.play("tanhinmin", [{"name": "x", "bot": Low}, *table], deals=20, seed=3)
    theirs = hattari.play("tanhinmin", [{"name": "x", "bot": "first.lua"}, *table], deals=20, seed=3)
    assert ours.scores == theirs.scores and len(ours) == 20 and not ours.faults
    moves = [[move["choice"] for move in games.replay(7).data["moves"]] for games in (ours, theirs)]
    assert moves[0] == moves[1] != []
    # Its own chance is the block's: the same again.
    again = [hattari.play("tanhinmin", [Random, *table], deals=9).scores for _ in range(2)]
    assert again[0] == again[1]


def test_every_name_can_be_imported_first() -> None:
    code = "from hattari import Games, play; assert callable(play), play; from hattari import *; assert callable(play)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_games_show_themselves() -> None:
    games = hattari.play("holdem", [Low, Low, "call"], deals=2)
    assert list(games.scores) == ["Low", "Low 2", "call"] and sum(games.scores.values()) == 0
    shown = games._repr_html_()
    assert "<td>Low 2</td>" in shown and "<iframe" in shown and "points in 2 games" in shown
    assert "Low 2 " in repr(games) and "game 1 of 2" in str(games.replay(1))
    # Every replay is that of a league, and their sums are the scores.
    payoffs = [games.replay(game).payoffs for game in range(2)]
    assert {name: sum(game[name] for game in payoffs) for name in games.scores} == games.scores


def test_an_object_is_asked_itself() -> None:
    class Counts(Low):
        decisions = 0

        def act(self, view: Any, legal: Any) -> Any:
            self.decisions += 1
            return legal[0]

        def deal_end(self, view: Any, payoffs: Any) -> None:
            self.payoffs = payoffs

    bot = Counts()
    games = hattari.play("holdem", [bot, "call"])
    assert bot.decisions > 0 and games.scores["Counts"] == bot.payoffs[bot.block["player"] - 1]


def test_what_a_bot_raises_is_raised_here() -> None:
    with pytest.raises(IndexError) as caught:
        hattari.play("holdem", [Broken, "call"], deals=10_000)
    assert caught.traceback[-1].name == "act"


def test_what_is_no_bot_is_told() -> None:
    with pytest.raises(TypeError, match="it has no `act`"):
        hattari.play("holdem", [int, "call"])
    with pytest.raises(hattari.Error, match="no bot `cal`"):
        hattari.play("holdem", [Low, "cal"])
    with pytest.raises(hattari.Error, match="^give 2 bots, one for each side: a table of bridge takes 4 players, not 3$"):
        hattari.play("bridge", ["cheap", "cheap", "random"])
    with pytest.raises(hattari.Error, match="^give 5 bots: a table of daihinmin takes 5 players, not"):
        hattari.play("daihinmin", [Low, "base"])


def test_what_is_written_here_is_trusted_and_nothing_else() -> None:
    Path("other.py").write_text("open('ran', 'w')")
    for bots in ([Low, "./other.py"], ["call", "./other.py"], [Low, {"name": "other", "command": ["python3", os.path.abspath("other.py")]}]):
        with pytest.raises(hattari.Error, match="other.py` in .* if you trust it, pass `trust=True` once"):
            hattari.play("holdem", bots)
    assert not Path("ran").exists()
    with pytest.raises(hattari.Error, match="entrant `other` does not start"):
        hattari.play("holdem", [Low, "./other.py"], trust=True)
    assert Path("ran").exists()
    # Nor is it kept that a bot of this process was trusted.
    trusted = Path(os.environ["HATTARI_STATE"], "trusted")
    assert not trusted.exists() or "relay" not in trusted.read_text()


def test_nothing_is_left_behind() -> None:
    before = threading.active_count()
    for _ in range(2):
        hattari.play("holdem", [Low, "call"])
    with pytest.raises(IndexError):
        hattari.play("holdem", [Broken, "call"])
    assert os.listdir(tempfile.gettempdir()) == []
    for thread in threading.enumerate():
        if thread.name.startswith("hattari"):
            thread.join(20)
    assert threading.active_count() <= before


def test_a_folder_with_a_long_name_has_room_for_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    long = tmp_path / ("x" * 90)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    assert hattari.play("holdem", [Low, "call"]).count == 1


def test_a_league_takes_bots_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    entrants: List[Any] = [{"name": "greedy", "bot": Low}, Random, "random"]
    league = hattari.run({**SMALL, "entrants": entrants}, jobs=2)
    assert league.digest()[1] == 12
    assert [bot["faults"] for bot in league.data()["bots"]] == [0, 0, 0]
    assert set(hattari.standings(league)["bot"].to_pylist()) == {"greedy", "Random", "random"}
    # A replay asks nobody: what they answered is in the store.
    assert "greedy" in str(hattari.replay(league, block=11, game=4))
    # In a league a bot's fault is data.
    league = hattari.run({**SMALL, "entrants": [Broken, "boss", "random"]})
    faults = {bot["name"]: bot["faults"] for bot in league.data()["bots"]}
    assert faults["Broken"] > 12 and faults["boss"] == 0
    assert capsys.readouterr().err.count("IndexError") == 1
    with pytest.raises(ValueError, match="leave `path` out"):
        hattari.run({**SMALL, "entrants": entrants}, path="x.yaml")


def test_settings_of_an_entrant_reach_it() -> None:
    class Greedy(Low):
        greed = 0.0

        def start(self, block: Any) -> None:
            super().start(block)
            assert self.greed == 0.3

    hattari.play("holdem", [{"name": "g", "bot": Greedy, "config": {"greed": 0.3}}, "call"])
    with pytest.raises(ValueError, match="no setting 'gread'"):
        hattari.play("holdem", [{"name": "g", "bot": Greedy, "config": {"gread": 0.3}}, "call"])
