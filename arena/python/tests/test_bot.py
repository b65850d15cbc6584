"""Bots as programs: what is said for them, and to them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Dict, List, Tuple

import pytest

import hattari
from hattari.bot import converse
from hattari.program import call

BLOCK = {"type": "block_start", "game": "holdem/1", "options": {}, "players": 2, "player": 1, "deals": 2, "seed": 7, "config": {}}
LEGAL = [{"kind": "fold"}, {"kind": "raise", "lowest": 5, "highest": 9}]


def act(number: int, *events: str) -> Dict[str, Any]:
    return {"type": "act", "id": number, "view": {}, "events": list(events), "legal": [dict(action) for action in LEGAL]}


def deal(*events: str) -> Dict[str, Any]:
    return {"type": "deal_start", "view": {}, "events": list(events)}


def spoken(bot: Any, *messages: Dict[str, Any]) -> Tuple[List[Dict[str, Any]], List[BaseException], bool]:
    """What is said for a bot after its greeting, what it raised, and whether all went well."""
    lines = iter([json.dumps(message).encode() + b"\n" for message in messages])
    said: List[bytes] = []
    raised: List[BaseException] = []
    well = converse(bot, lambda: next(lines, b""), said.append, raised.append)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in said)
    return [json.loads(line) for line in said][1:], raised, well


def test_history_grows_within_a_deal_and_begins_anew_with_the_next() -> None:
    seen: List[List[str]] = []

    class Mine(hattari.Bot):
        def act(self, view: Any, legal: Any) -> Any:
            seen.append(list(view["history"]))
            return legal[0]

    answers, raised, well = spoken(Mine, BLOCK, deal("a"), act(1, "b"), act(2, "c", "d"), deal(), act(3, "e"))
    assert seen == [["a", "b"], ["a", "b", "c", "d"], ["e"]]
    assert [answer.get("action") for answer in answers] == [None, 1, 1, 1] and answers[0] == {"type": "ready"}
    assert well and not raised


@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        (lambda legal: legal[1], {"action": 2, "amount": 0}),
        (lambda legal: (legal[1], 7), {"action": 2, "amount": 7}),
        (lambda legal: ({"kind": "raise", "lowest": 5, "highest": 9}, 6), {"action": 2, "amount": 6}),
        (lambda legal: 0, {"error": "ValueError: `act` gave 0, which is none of `legal`: give one of these, or (one, amount)"}),
        (lambda legal: legal[9], {"error": "IndexError: list index out of range"}),
    ],
)
def test_choices_become_answers(choice: Any, answer: Dict[str, Any]) -> None:
    bot = SimpleNamespace(act=lambda view, legal: choice(legal))
    answers, raised, well = spoken(bot, BLOCK, deal(), act(4))
    assert answers[1] == {"id": 4, **answer}
    # A fault of one decision: the bot is asked on.
    assert well and len(raised) == ("error" in answer)


def test_a_class_has_an_object_for_every_block_and_its_settings() -> None:
    class Mine(hattari.Bot):
        games = ("holdem",)
        greed = 0.5

        def __init__(self) -> None:
            self.asked = 0

        def act(self, view: Any, legal: Any) -> Any:
            self.asked += 1
            return legal[1], self.asked + int(self.greed) + self.random.randrange(1)

    for _ in range(2):
        answers, _, _ = spoken(Mine, {**BLOCK, "config": {"greed": 5}}, deal(), act(1), act(2))
        assert [answer.get("amount") for answer in answers] == [None, 6, 7]
    assert spoken(Mine, {**BLOCK, "config": {"gread": 5}})[0] == [{"refuse": "there is no setting 'gread'"}]
    assert spoken(Mine, {**BLOCK, "config": {"act": 5}})[0] == [{"refuse": "there is no setting 'act'"}]
    assert spoken(Mine, {**BLOCK, "game": "stud/1"})[0] == [{"refuse": "it plays holdem, not stud"}]
    assert spoken(hattari.Bot, BLOCK, deal(), act(1))[0][1]["error"] == "NotImplementedError: Bot has no `act`"


def test_ends_of_deals_are_asked_for_where_they_are_heard() -> None:
    class Quiet(hattari.Bot):
        def act(self, view: Any, legal: Any) -> Any:
            return legal[0]

    class Hears(Quiet):
        def deal_end(self, view: Any, payoffs: Any) -> None:
            raise RuntimeError("no more")

    heard: List[bytes] = []
    for bot in (Quiet, Quiet(), Hears, Hears(), SimpleNamespace(act=print), SimpleNamespace(act=print, deal_end=print)):
        converse(bot, lambda: b"", heard.append)
    assert [json.loads(line)["skip"] for line in heard] == [["deal_end"], ["deal_end"], [], [], ["deal_end"], []]
    end = {"type": "deal_end", "view": {}, "events": [], "payoffs": [1, -1]}
    answers, raised, well = spoken(Hears, BLOCK, deal(), end)
    assert not well and str(raised[0]) == "no more"


BOT = '''\
"""Folds, or takes the first action."""
# hattari-game: holdem
import hattari


class Mine(hattari.Bot):
    def act(self, view, legal):
        print("what a bot prints is no answer")
        return legal[0]


if __name__ == "__main__":
    Mine.serve()
'''


@pytest.mark.usefixtures("serves")
def test_a_file_that_serves_is_a_program_that_plays(tmp_path: Path) -> None:
    Path("mine.py").write_text(BOT)
    told = call(["check", "mine.py", "--trust"])
    assert "fault" not in told.replace("no faults", "").replace("0 faults", ""), told
    league = hattari.run(
        {
            "game": "holdem",
            "entrants": [{"name": "mine", "command": ["python3", "mine.py"]}, "call"],
            "format": {"kind": "duel", "a": ["mine"], "b": ["call"]},
            "blocks": 2,
            "deals": 3,
        },
        trust=True,
    )
    assert [record["fault_counts"] for record in league.records()] == [[0, 0], [0, 0]]


@pytest.mark.usefixtures("serves")
def test_a_bot_imports_nothing_that_is_large() -> None:
    code = "import sys, hattari; print(*(name for name in ('pyarrow', 'numpy', 'subprocess', 'hattari.league') if name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


GAMES = ("bridge", "daihinmin", "holdem", "stud", "tanhinmin")


@pytest.mark.usefixtures("serves")
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_to_start_from_is_one_here_too(game: str) -> None:
    """What `hattari new python` writes plays as a module of this process what it plays as a program."""
    call(["new", "python", game, "mine"])
    module = ModuleType("mine")
    exec(compile(Path("mine/mine.py").read_text(), "mine.py", "exec"), module.__dict__)
    players = {"bridge": 2, "daihinmin": 5, "holdem": 2, "stud": 2, "tanhinmin": 4}[game]
    table: List[Any] = ["random"] * (players - 1)
    here = hattari.play(game, [module, *table], deals=2)
    there = hattari.play(game, ["mine/mine.py", *table], deals=2, trust=True)
    assert here.faults == there.faults == []
    assert here.scores == there.scores and here.scores.keys() >= {"mine"}
