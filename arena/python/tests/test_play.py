"""Tests of classes, objects and modules of this process as bots of the program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List

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


def test_a_class_plays_the_same_games_as_the_same_bot_in_lua() -> None:
    Path("first.lua").write_text("return {act = function(view, legal) return 1 end}")
    opponents = ["eager", "boss", "random"]

    def play(bot: Any) -> hattari.Games:
        return hattari.play("tanhinmin", [{"name": "x", "bot": bot}, *opponents], deals=20, seed=3)

    python, lua = play(Low), play("first.lua")
    assert python.scores == lua.scores and len(python) == 20 and not python.faults
    moves = [[move["choice"] for move in games.replay(7).data["moves"]] for games in (python, lua)]
    assert moves[0] == moves[1] != []
    # The random numbers of a bot are the same when the block is played again.
    first, second = (
        hattari.play("tanhinmin", [Random, *opponents], deals=9).scores for _ in range(2)
    )
    assert first == second


def test_every_name_can_be_imported_first() -> None:
    code = (
        "from hattari import Games, play; assert callable(play), play; "
        "from hattari import *; assert callable(play)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_games_show_their_scores_and_replays() -> None:
    games = hattari.play("holdem", [Low, Low, "call"], deals=2)
    assert list(games.scores) == ["Low", "Low 2", "call"] and sum(games.scores.values()) == 0
    html = games._repr_html_()
    assert "<td>Low 2</td>" in html and "<iframe" in html and "points in 2 games" in html
    assert "Low 2 " in repr(games) and "game 1 of 2" in str(games.replay(1))
    # The scores are the sums of the payoffs in the replays.
    payoffs = [games.replay(game).payoffs for game in range(2)]
    assert {name: sum(game[name] for game in payoffs) for name in games.scores} == games.scores


def test_an_object_plays_itself() -> None:
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


def test_an_exception_of_a_bot_is_raised_here() -> None:
    with pytest.raises(IndexError) as caught:
        hattari.play("holdem", [Broken, "call"], deals=10_000)
    assert caught.traceback[-1].name == "act"


@pytest.mark.parametrize("key", [{"blocks": 2}, {"sweep": {"cards": [3, 4]}}])
def test_keys_of_several_blocks_or_tables_are_refused(key: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="give `(blocks|sweep)` to `run`"):
        hattari.play("tanhinmin", ["eager", "boss"], **key)


def test_wrong_bots_are_errors() -> None:
    with pytest.raises(TypeError, match="is not a bot: it has no `act`"):
        hattari.play("holdem", [int, "call"])
    with pytest.raises(hattari.Error, match="no bot `cal`"):
        hattari.play("holdem", [Low, "cal"])
    message = "^give 2 bots, one for each side: a table of bridge takes 4 players, not 3$"
    with pytest.raises(hattari.Error, match=message):
        hattari.play("bridge", ["cheap", "cheap", "random"])
    message = "^give 5 bots: a table of daihinmin takes 5 players, not"
    with pytest.raises(hattari.Error, match=message):
        hattari.play("daihinmin", [Low, "base"])


def test_only_bots_of_this_process_are_trusted() -> None:
    Path("other.py").write_text("open('ran', 'w')")
    command = ["python3", os.path.abspath("other.py")]
    other = {"name": "other", "command": command}
    message = "other.py` in .* if you trust it, pass `trust=True` once"
    for bots in ([Low, "./other.py"], ["call", "./other.py"], [Low, other]):
        with pytest.raises(hattari.Error, match=message):
            hattari.play("holdem", bots)
    assert not Path("ran").exists()
    with pytest.raises(hattari.Error, match="entrant `other` does not start"):
        hattari.play("holdem", [Low, "./other.py"], trust=True)
    assert Path("ran").exists()
    # The trust in a bot of this process is not stored.
    trusted = Path(os.environ["HATTARI_STATE"], "trusted")
    assert not trusted.exists() or "relay" not in trusted.read_text()


def test_no_files_and_threads_are_left() -> None:
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


def test_the_temporary_folder_can_have_a_long_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = tmp_path / ("x" * 90)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    assert hattari.play("holdem", [Low, "call"]).count == 1


def test_a_league_can_have_bots_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    entrants: List[Any] = [{"name": "greedy", "bot": Low}, Random, "random"]
    league = hattari.run({**SMALL, "entrants": entrants}, jobs=2)
    assert league.digest()[1] == 12
    assert [bot["faults"] for bot in league.data()["bots"]] == [0, 0, 0]
    assert set(hattari.standings(league)["bot"].to_pylist()) == {"greedy", "Random", "random"}
    # A replay does not call these bots: their answers are in the store.
    assert "greedy" in str(hattari.replay(league, block=11, game=4))
    # In a league, an exception of a bot is a fault, and only the first one is printed.
    Path("x.lua").write_text("return {act = function() error('x') end}")
    league = hattari.run({**SMALL, "entrants": [Broken, "boss", "random"], "isolation": "process"})
    faults = {bot["name"]: bot["faults"] for bot in league.data()["bots"]}
    assert faults["Broken"] > 12 and faults["boss"] == 0
    faulty = hattari.play("holdem", ["call", {"bot": "x.lua"}], deals=20)
    assert faulty.faults[-1] == "50 faults in all games" and len(faulty.faults) == 5
    assert capsys.readouterr().err.count("IndexError") == 1
    with pytest.raises(ValueError, match="leave `path` out"):
        hattari.run({**SMALL, "entrants": entrants}, path="x.yaml")


def test_a_bot_receives_the_settings_of_its_entrant() -> None:
    class Greedy(Low):
        greed = 0.0

        def start(self, block: Any) -> None:
            super().start(block)
            assert self.greed == 0.3

    hattari.play("holdem", [{"name": "g", "bot": Greedy, "config": {"greed": 0.3}}, "call"])
    with pytest.raises(ValueError, match="unknown setting 'gread'"):
        hattari.play("holdem", [{"name": "g", "bot": Greedy, "config": {"gread": 0.3}}, "call"])


def test_an_object_does_not_share_its_settings_with_other_entrants() -> None:
    bot = Low()
    league = {"game": "holdem", "format": {"kind": "line-ups", "size": 2}, "blocks": 2}
    message = "the object already plays as a; give its class"
    with pytest.raises(ValueError, match=message):
        hattari.run({**league, "entrants": [{"name": "a", "bot": bot}, {"name": "b", "bot": bot}]})
    for key in ("config", "sweep"):
        entrant = {"name": "a", "bot": bot, key: {"fold": 1}}
        with pytest.raises(ValueError, match=f"a: `{key}` needs a class"):
            hattari.run({**league, "entrants": [entrant, "call"]})
    with pytest.raises(ValueError, match="an object plays on one thread"):
        hattari.run({**league, "entrants": [bot, "call"]}, jobs=2)


def test_the_score_of_a_side_of_bridge_counts_once() -> None:
    games = hattari.play("bridge", [Low, "cheap"], deals=3)
    payoffs = [games.replay(game).data["payoffs"] for game in range(3)]
    assert games.scores["Low"] == sum(north for north, *_ in payoffs)
