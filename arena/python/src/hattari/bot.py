"""Bots in Python: what one is, and speaking with the program in its place.

A bot is whatever has a function `act`: a subclass of `Bot`, an object of it, a module. The protocol is lines of JSON on standard
input and output; the guide for programs (`bots/programs/README.md`) says what each holds.
"""

from __future__ import annotations

import json
import os
import random
import sys
import traceback
from typing import Any, Callable, ClassVar, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

#: The version of the protocol that is spoken here.
PROTOCOL = 1

#: What a seat may know: `hattari show types lua GAME` lists its fields.
View = Dict[str, Any]
#: Something that may be done now, an element of the list `legal`.
Action = Dict[str, Any]
#: What `act` gives: an action, or one with its amount.
Choice = Union[Action, Tuple[Action, int]]


class Bot:
    """A bot. Write `act`; the rest may stay as it is.

    Every block has an object of its own, made without arguments, so nothing that a bot keeps reaches the next block.
    """

    #: The games that it plays; none for all.
    games: ClassVar[Sequence[str]] = ()
    #: How the block started: `game`, `options`, `players`, `player` (your number, from 1), `deals`, `seed`, `config`.
    block: Mapping[str, Any] = {}
    #: Your own chance: another in every block, the same when the block is played again.
    random: random.Random

    def start(self, block: Mapping[str, Any]) -> None:
        """A block starts. An error that is raised here is a refusal to play.

        What a league sets under `config` becomes an attribute where the class has one of that name; all else is refused.
        """
        for key, value in block["config"].items():
            if not hasattr(type(self), key) or hasattr(Bot, key):
                raise ValueError(f"there is no setting '{key}'")
            setattr(self, key, value)

    def deal_start(self, view: View) -> None:
        """Cards have been dealt."""

    def act(self, view: View, legal: List[Action]) -> Choice:
        """Your turn: one of `legal`, or that and an amount where the action takes one (`lowest` to `highest`).

        `view` holds all that your seat may know, and under `history` what has happened in the deal so far, oldest first.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `act`")

    def deal_end(self, view: View, payoffs: List[int]) -> None:
        """The deal is over; payoffs go by player."""

    @classmethod
    def serve(cls) -> None:
        """Plays as a program that Hattari has started: the last line of a bot's file, below `if __name__ == "__main__":`."""
        serve(cls)


def serve(bot: Any) -> None:
    """Plays a bot, a class, an object or a module that has `act`, as a program that Hattari has started.

    What the bot prints goes to the error output, which reports tell with faults: the real output is for answers alone.
    """
    out, sys.stdout = sys.stdout, sys.stderr
    descriptor = out.fileno()

    def say(line: bytes) -> None:
        while line:
            line = line[os.write(descriptor, line) :]

    if not converse(bot, sys.stdin.buffer.readline, say):
        sys.exit(1)


def converse(
    bot: Any,
    hear: Callable[[], bytes],
    say: Callable[[bytes], None],
    failed: Optional[Callable[[BaseException], None]] = None,
) -> bool:
    """Speaks for a bot through one block: `hear` gives lines, empty at the end, `say` takes them.

    `failed` is told what the bot raises; without it the trace is printed. Says whether all went well: what a bot raises in `act`
    is a fault of that decision alone, what it raises elsewhere ends the block.
    """
    tell = failed or (lambda error: traceback.print_exception(type(error), error, error.__traceback__))
    kind = bot if isinstance(bot, type) else None
    # Without the start of a deal nobody would know that its history begins.
    skip = [] if _does_something(bot, "deal_end") else ["deal_end"]
    say(_line({"type": "hello", "protocol": PROTOCOL, "skip": skip}))
    player: Any = None
    history: List[Any] = []
    for message in _messages(hear):
        what: str = message["type"]
        if what == "deal_start":
            history.clear()
        if "view" in message:
            history += message["events"]
            message["view"]["history"] = history
        if what == "act":
            try:
                answer = _answer(message, player.act(message["view"], message["legal"]))
            except Exception as error:
                tell(error)
                answer = {"id": message["id"], "error": f"{type(error).__name__}: {error}"}
            say(_line(answer))
            continue
        try:
            if what == "block_start":
                player = kind() if kind else bot
                _start(player, message)
                say(_line({"type": "ready"}))
            elif what == "deal_start":
                getattr(player, "deal_start", _nothing)(message["view"])
            elif what == "deal_end":
                getattr(player, "deal_end", _nothing)(message["view"], message["payoffs"])
            elif what == "block_end":
                return True
        except Exception as error:
            tell(error)
            if what == "block_start":
                say(_line({"refuse": str(error) or type(error).__name__}))
            return what == "block_start"
    return True


def _start(player: Any, block: Dict[str, Any]) -> None:
    """Tells a bot what block starts, after what every bot has."""
    games = getattr(player, "games", ())
    game = block["game"].split("/")[0]
    if games and game not in games:
        raise ValueError(f"it plays {', '.join(games)}, not {game}")
    if isinstance(player, Bot):
        player.block = block
        player.random = random.Random(block["seed"])
    if not callable(getattr(player, "act", None)):
        raise TypeError(f"{player!r} has no `act`")
    getattr(player, "start", _nothing)(block)


def _answer(message: Dict[str, Any], choice: Any) -> Dict[str, Any]:
    """The answer to an `act` that a choice is."""
    action, amount = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, 0)
    legal = message["legal"]
    number = next((at for at, other in enumerate(legal, 1) if other is action), 0)
    if not number:
        if action not in legal:
            raise ValueError(f"`act` gave {action!r}, which is none of `legal`: give one of these, or (one, amount)")
        number = legal.index(action) + 1
    return {"id": message["id"], "action": number, "amount": int(amount)}


def _messages(hear: Callable[[], bytes]) -> Iterator[Dict[str, Any]]:
    for line in iter(hear, b""):
        yield json.loads(line)


def _line(message: Dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _nothing(*_: Any) -> None:
    pass


def _does_something(bot: Any, name: str) -> bool:
    """Whether a bot has a function of that name that is not the empty one of `Bot`."""
    found = getattr(bot, name, None)
    return found is not None and getattr(found, "__func__", found) is not getattr(Bot, name)
