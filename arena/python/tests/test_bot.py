"""Tests of bots as programs: the messages that are written and read for a bot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Dict, List, Tuple

import pytest

import hattari
from hattari.bot import play_block
from hattari.program import call

BLOCK = {
    "type": "block_start",
    "game": "holdem/1",
    "options": {},
    "players": 2,
    "player": 1,
    "deals": 2,
    "seed": 7,
    "config": {},
}
LEGAL = [{"kind": "fold"}, {"kind": "raise", "lowest": 5, "highest": 9}]


def act(number: int, *events: str) -> Dict[str, Any]:
    """Returns the message that asks for a decision."""
    legal = [dict(action) for action in LEGAL]
    return {"type": "act", "id": number, "view": {}, "events": list(events), "legal": legal}


def deal(*events: str) -> Dict[str, Any]:
    """Returns the message that starts a deal."""
    return {"type": "deal_start", "view": {}, "events": list(events)}


def answers_to(
    bot: Any, *messages: Dict[str, Any]
) -> Tuple[List[Dict[str, Any]], List[BaseException], bool]:
    """Plays a block.

    Returns the answers without the greeting, the exceptions of the bot, and the result of
    `play_block`.
    """
    lines = iter([json.dumps(message).encode() + b"\n" for message in messages])
    written: List[bytes] = []
    raised: List[BaseException] = []
    succeeded = play_block(bot, lambda: next(lines, b""), written.append, raised.append)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in written)
    return [json.loads(line) for line in written][1:], raised, succeeded


def test_the_history_grows_within_a_deal_and_is_empty_at_the_next_deal() -> None:
    histories: List[List[str]] = []

    class Mine(hattari.Bot):
        def act(self, view: Any, legal: Any) -> Any:
            histories.append(list(view["history"]))
            return legal[0]

    messages = [deal("a"), act(1, "b"), act(2, "c", "d"), deal(), act(3, "e")]
    answers, raised, succeeded = answers_to(Mine, BLOCK, *messages)
    assert histories == [["a", "b"], ["a", "b", "c", "d"], ["e"]]
    assert [answer.get("action") for answer in answers] == [None, 1, 1, 1]
    assert answers[0] == {"type": "ready"}
    assert succeeded and not raised


@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        (lambda legal: legal[1], {"action": 2, "amount": 0}),
        (lambda legal: (legal[1], 7), {"action": 2, "amount": 7}),
        # The list may be sorted in place.
        (lambda legal: legal.reverse() or legal[0], {"action": 2, "amount": 0}),
        (
            lambda legal: ({"kind": "raise", "lowest": 5, "highest": 9}, 6),
            {"action": 2, "amount": 6},
        ),
        (
            lambda legal: 0,
            {
                "error": "ValueError: `act` returned 0; "
                "it must return an element of `legal`, or a tuple (element, amount)"
            },
        ),
        (lambda legal: legal[9], {"error": "IndexError: list index out of range"}),
    ],
)
def test_return_values_become_answers(choice: Any, answer: Dict[str, Any]) -> None:
    bot = SimpleNamespace(act=lambda view, legal: choice(legal))
    answers, raised, succeeded = answers_to(bot, BLOCK, deal(), act(4))
    assert answers[1] == {"id": 4, **answer}
    # An exception is a fault of one decision: the block continues.
    assert succeeded and len(raised) == ("error" in answer)


def test_every_block_has_a_new_object_with_its_settings() -> None:
    class Mine(hattari.Bot):
        games = ("holdem",)
        greed = 0.5

        def __init__(self) -> None:
            self.decisions = 0

        def act(self, view: Any, legal: Any) -> Any:
            self.decisions += 1
            return legal[1], self.decisions + int(self.greed) + self.random.randrange(1)

    for _ in range(2):
        block = {**BLOCK, "config": {"greed": 5}}
        answers, _, _ = answers_to(Mine, block, deal(), act(1), act(2))
        assert [answer.get("amount") for answer in answers] == [None, 6, 7]
    for name in ("gread", "act"):
        answers, _, _ = answers_to(Mine, {**BLOCK, "config": {name: 5}})
        assert answers == [{"refuse": f"unknown setting '{name}' in `config`"}]
    answers, _, _ = answers_to(Mine, {**BLOCK, "game": "stud/1"})
    assert answers == [{"refuse": "this bot plays holdem, not stud"}]
    answers, _, _ = answers_to(hattari.Bot, BLOCK, deal(), act(1))
    assert answers[1]["error"] == "NotImplementedError: Bot has no `act`"


def test_ends_of_deals_are_sent_only_to_bots_that_handle_them() -> None:
    class Ignores(hattari.Bot):
        def act(self, view: Any, legal: Any) -> Any:
            return legal[0]

    class Handles(Ignores):
        def deal_end(self, view: Any, payoffs: Any) -> None:
            raise RuntimeError("no more")

    modules = [SimpleNamespace(act=print), SimpleNamespace(act=print, deal_end=print)]
    greetings: List[bytes] = []
    for bot in (Ignores, Ignores(), Handles, Handles(), *modules):
        play_block(bot, lambda: b"", greetings.append)
    skipped = [json.loads(line)["skip"] for line in greetings]
    assert skipped == [["deal_end"], ["deal_end"], [], [], ["deal_end"], []]
    end = {"type": "deal_end", "view": {}, "events": [], "payoffs": [1, -1]}
    answers, raised, succeeded = answers_to(Handles, BLOCK, deal(), end)
    assert not succeeded and str(raised[0]) == "no more"


BOT = '''\
"""Folds, or takes the first action."""
# hattari-game: holdem
import hattari


class Mine(hattari.Bot):
    def act(self, view, legal):
        print("output of a bot is not an answer")
        return legal[0]


if __name__ == "__main__":
    Mine.serve()
'''


@pytest.mark.usefixtures("serves")
def test_a_file_that_calls_serve_is_a_program(tmp_path: Path) -> None:
    Path("mine.py").write_text(BOT)
    output = call(["check", "mine.py", "--trust"])
    assert "fault" not in output.replace("no faults", "").replace("0 faults", ""), output
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
def test_a_bot_imports_no_large_module() -> None:
    modules = ("pyarrow", "numpy", "subprocess", "hattari.league")
    code = f"import sys, hattari; print(*(name for name in {modules!r} if name in sys.modules))"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "\n"


GAMES = ("bridge", "daihinmin", "holdem", "stud", "tanhinmin")


@pytest.mark.usefixtures("serves")
@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_plays_the_same_games_as_a_module_and_as_a_program(game: str) -> None:
    """Plays the bot that `hattari new python` writes as a module of this process too."""
    call(["new", "python", game, "mine"])
    module = ModuleType("mine")
    exec(compile(Path("mine/mine.py").read_text(), "mine.py", "exec"), module.__dict__)
    players = {"bridge": 2, "daihinmin": 5, "holdem": 2, "stud": 2, "tanhinmin": 4}[game]
    opponents: List[Any] = ["random"] * (players - 1)
    as_module = hattari.play(game, [module, *opponents], deals=2)
    as_program = hattari.play(game, ["mine/mine.py", *opponents], deals=2, trust=True)
    assert as_module.faults == as_program.faults == []
    assert as_module.scores == as_program.scores and as_module.scores.keys() >= {"mine"}
