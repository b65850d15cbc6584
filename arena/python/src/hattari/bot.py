"""Bots in Python: the base class, and the protocol between a bot and the program.

A bot is any object with a function `act`: a subclass of `Bot`, an instance of it, or a module. The
protocol consists of lines of JSON on standard input and output. The guide for programs
(`bots/programs/README.md`) describes the messages.
"""

from __future__ import annotations

import json
import os
import random
import sys
import traceback
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

#: Version of the protocol.
PROTOCOL = 1

#: The information that a player has. `hattari show types lua GAME` prints the fields.
View = Dict[str, Any]
#: A legal action: an element of the list `legal`.
Action = Dict[str, Any]
#: A return value of `act`: an action, or an action and its amount.
Choice = Union[Action, Tuple[Action, int]]


class Bot:
    """The base class of bots. A subclass must define `act`; the other methods are optional.

    For every block, a new object is created without arguments. Attributes of the object are
    therefore lost at the end of a block.
    """

    #: Games that the bot plays. Empty (the default): all games.
    games: ClassVar[Sequence[str]] = ()
    #: Start message of the block: `game`, `options`, `players`, `player` (the number of this
    #: player, from 1), `deals`, `seed` and `config`.
    block: Mapping[str, Any] = {}
    #: Random number generator of the bot. Its seed differs from block to block, and is the same
    #: when a block is replayed.
    random: random.Random

    def start(self, block: Mapping[str, Any]) -> None:
        """Starts a block. The program calls it once, before the first deal.

        Sets the attributes that the league gives under `config`. Each of them must be an attribute
        of the class. Raises `ValueError` for any other key. If this method raises an exception, the
        bot refuses to play the block.
        """
        for key, value in block["config"].items():
            if not hasattr(type(self), key) or hasattr(Bot, key):
                raise ValueError(f"unknown setting '{key}' in `config`")
            setattr(self, key, value)

    def deal_start(self, view: View) -> None:
        """Handles the start of a deal. The cards have been dealt. Does nothing by default."""

    def act(self, view: View, legal: List[Action]) -> Choice:
        """Returns the action to play, an element of `legal`.

        If the action takes an amount, such as a raise, return the tuple (element, amount). The
        amount is between `lowest` and `highest` of the action. `view` contains all information of
        the player. `view["history"]` lists the events of the deal, oldest first.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `act`")

    def deal_end(self, view: View, payoffs: List[int]) -> None:
        """Handles the end of a deal. Does nothing by default.

        `payoffs` contains the payoff of each player, in the order of the player numbers.
        """

    @classmethod
    def serve(cls) -> None:
        """Plays one block as a program that Hattari has started.

        Call it in the last line of the bot's file, below `if __name__ == "__main__":`.
        """
        serve(cls)


def serve(bot: Any) -> None:
    """Plays one block as a program that Hattari has started.

    `bot` is a class, an object or a module with a function `act`. Output that the bot prints goes
    to standard error, because standard output is reserved for answers. Reports show standard error
    together with faults. Exits with code 1 if `deal_start` or `deal_end` raises an exception.
    """
    out, sys.stdout = sys.stdout, sys.stderr
    descriptor = out.fileno()

    def write(line: bytes) -> None:
        while line:
            line = line[os.write(descriptor, line) :]

    if not play_block(bot, sys.stdin.buffer.readline, write):
        sys.exit(1)


def play_block(
    bot: Any,
    read_line: Callable[[], bytes],
    write: Callable[[bytes], None],
    on_error: Optional[Callable[[BaseException], None]] = None,
) -> bool:
    """Plays one block: reads the messages of the program and writes the answers of the bot.

    `read_line` returns the next line, or an empty one at the end of input. `write` receives
    complete lines. `on_error` receives the exceptions of the bot; by default, their traces are
    printed.

    An exception in `act` is a fault of that decision only. If `start` raises an exception, the bot
    refuses the block. Returns `False` if `deal_start` or `deal_end` raises an exception, and `True`
    in all other cases.
    """
    report_error = on_error or (
        lambda error: traceback.print_exception(type(error), error, error.__traceback__)
    )
    bot_class = bot if isinstance(bot, type) else None
    # `deal_start` is never skipped: the history of the deal is cleared when it arrives.
    skip = [] if _overrides(bot, "deal_end") else ["deal_end"]
    write(_line({"type": "hello", "protocol": PROTOCOL, "skip": skip}))
    player: Any = None
    history: List[Any] = []
    for message in _messages(read_line):
        message_type: str = message["type"]
        if message_type == "deal_start":
            history.clear()
        if "view" in message:
            history += message["events"]
            message["view"]["history"] = history
        if message_type == "act":
            try:
                # The bot may sort or filter its list.
                choice = player.act(message["view"], list(message["legal"]))
                answer = {"id": message["id"], **_answer(message["legal"], choice)}
            except (Exception, SystemExit) as error:
                report_error(error)
                answer = {"id": message["id"], "error": f"{type(error).__name__}: {error}"}
            write(_line(answer))
            continue
        try:
            if message_type == "block_start":
                player = bot_class() if bot_class else bot
                _start(player, message)
                write(_line({"type": "ready"}))
            elif message_type == "deal_start":
                getattr(player, "deal_start", _do_nothing)(message["view"])
            elif message_type == "deal_end":
                getattr(player, "deal_end", _do_nothing)(message["view"], message["payoffs"])
            elif message_type == "block_end":
                return True
        except (Exception, SystemExit) as error:
            report_error(error)
            if message_type == "block_start":
                write(_line({"refuse": str(error) or type(error).__name__}))
            return message_type == "block_start"
    return True


def _start(player: Any, block: Dict[str, Any]) -> None:
    """Checks the game, sets `block` and `random`, and calls `start`.

    Raises `ValueError` if the bot does not play the game, and `TypeError` if it has no `act`.
    """
    games = getattr(player, "games", ())
    game = block["game"].split("/")[0]
    if games and game not in games:
        raise ValueError(f"this bot plays {', '.join(games)}, not {game}")
    if isinstance(player, Bot):
        player.block = block
        player.random = random.Random(block["seed"])
    if not callable(getattr(player, "act", None)):
        raise TypeError(f"{player!r} has no `act`")
    getattr(player, "start", _do_nothing)(block)


def _answer(legal: List[Any], choice: Any) -> Dict[str, int]:
    """Returns the number of the chosen action in `legal`, and the amount.

    Raises `ValueError` if the chosen action is not legal.
    """
    action, amount = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, 0)
    number = next((position for position, other in enumerate(legal, 1) if other is action), 0)
    if not number:
        if action not in legal:
            raise ValueError(
                f"`act` returned {action!r}; "
                "it must return an element of `legal`, or a tuple (element, amount)"
            )
        number = legal.index(action) + 1
    return {"action": number, "amount": int(amount)}


def _messages(read_line: Callable[[], bytes]) -> Iterator[Dict[str, Any]]:
    """Yields the messages of the program until the end of input."""
    for line in iter(read_line, b""):
        yield json.loads(line)


def _line(message: Dict[str, Any]) -> bytes:
    """Returns a message as one line of JSON."""
    return json.dumps(message).encode() + b"\n"


def _do_nothing(*_: Any) -> None:
    """Replaces an optional method that a bot does not have."""


def _overrides(bot: Any, name: str) -> bool:
    """Returns `True` if the bot has a method `name` that is not the empty one of `Bot`."""
    method = getattr(bot, name, None)
    return method is not None and getattr(method, "__func__", method) is not getattr(Bot, name)
