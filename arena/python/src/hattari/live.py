"""Lets classes, objects and modules of this process play as bots of the program.

For each of them, the program starts a relay process (`relay.py`). The relays connect to this
process by a Unix domain socket in a folder that only the current user can access.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

from . import bot as bots
from .program import Error, call

if TYPE_CHECKING:
    from .league import League

RELAY = Path(__file__).with_name("relay.py")
#: Maximum length of the path of a socket, in characters.
SOCKET_PATH_MAX = 100


def is_python_bot(bot: Any) -> bool:
    """Returns `True` for a bot of this process, and `False` for a bot that the program finds."""
    return isinstance(bot, type) or callable(getattr(bot, "act", None))


def has_python_bots(league: Mapping[str, Any]) -> bool:
    """Returns `True` if a league has bots of this process among its entrants."""
    entrants = league.get("entrants")
    if not isinstance(entrants, (list, tuple)):
        return False
    found = [entry.get("bot") if isinstance(entry, Mapping) else entry for entry in entrants]
    return any(is_python_bot(bot) for bot in found)


def name_of(bot: Any) -> str:
    """Returns the name of a bot of this process: the name of its class or module."""
    name: str = getattr(bot, "__name__", None) or type(bot).__name__
    return name.rpartition(".")[2]


class BotServer:
    """Serves bots of this process to the program while the context is entered.

    Errors are stored by the name that the bot has in the league.
    """

    def __init__(self) -> None:
        #: First exception of each bot.
        self.errors: Dict[str, BaseException] = {}
        self._bots: List[Any] = []
        self._names: List[str] = []
        self._stop_at_error = False
        self._program: Optional["subprocess.Popen[str]"] = None
        # `mkdtemp` makes a folder that only this user can access.
        self._folder = tempfile.mkdtemp(prefix="hattari-")
        if len(self._socket_path()) > SOCKET_PATH_MAX:
            shutil.rmtree(self._folder)
            self._folder = tempfile.mkdtemp(prefix="hattari-", dir="/tmp")
        self._socket = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> "BotServer":
        self._socket.bind(self._socket_path())
        self._socket.listen(64)
        thread = threading.Thread(target=self._accept_connections, name="hattari", daemon=True)
        thread.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        try:
            # Wakes the thread that waits for connections.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def with_commands(self, league: Mapping[str, Any]) -> Dict[str, Any]:
        """Returns the league with a command in place of each bot of this process."""
        entrants = [self._with_command(entry) for entry in league["entrants"]]
        return {**league, "entrants": entrants}

    def _with_command(self, entry: Any) -> Any:
        """Returns an entrant with the command of its relay; other entrants are unchanged.

        Raises `TypeError` if the bot has no `act`.
        """
        entrant = dict(entry) if isinstance(entry, Mapping) else {"bot": entry}
        bot = entrant.get("bot")
        if not is_python_bot(bot):
            return entry
        if not callable(getattr(bot, "act", None)):
            raise TypeError(f"{bot!r} is not a bot: it has no `act`")
        del entrant["bot"]
        entrant.setdefault("name", name_of(bot))
        self._check_object(bot, entrant)
        number = len(self._bots)
        self._bots.append(bot)
        self._names.append(entrant["name"])
        # `-I -S`: without the packages of this environment, a relay starts in a few milliseconds.
        command = [sys.executable, "-I", "-S", str(RELAY), self._socket_path(), str(number)]
        # A sandbox cannot start the interpreter of a virtual environment.
        return {**entrant, "command": command, "folder": self._folder, "isolation": "none"}

    def _check_object(self, bot: Any, entrant: Mapping[str, Any]) -> None:
        """Raises `ValueError` if several entrants would share the settings of an object or module."""
        if isinstance(bot, type):
            return
        name = entrant["name"]
        for key in ("sweep",) if isinstance(bot, ModuleType) else ("sweep", "config"):
            if key in entrant:
                raise ValueError(f"{name}: `{key}` needs a class, because it would change the object")
        for other, other_name in zip(self._bots, self._names):
            if other is bot:
                raise ValueError(f"{name}: the object already plays as {other_name}; give its class")

    def has_objects(self) -> bool:
        """Returns `True` if an object or module plays, which cannot play several blocks at once."""
        return not all(isinstance(bot, type) for bot in self._bots)

    def play(
        self, league: "League", options: Dict[str, Any], *, trust: bool, stop_at_error: bool = False
    ) -> None:
        """Plays a league that was made from the result of `with_commands`.

        Bots of this process are trusted; `trust` trusts the others too. With `stop_at_error`, the
        first exception of a bot ends the league and is raised here. Otherwise, the first exception
        of each bot is printed, and every exception is a fault of the bot.
        """
        self._stop_at_error = stop_at_error
        try:
            league._run(options, trust=trust, **self._call_options(league))
            if stop_at_error and self.errors:
                raise next(iter(self.errors.values()))
        except BaseException as error:
            # The trace of the exception keeps the league alive, so its folder is deleted here.
            league._delete_folder()
            if stop_at_error and self.errors and isinstance(error, Error):
                raise next(iter(self.errors.values())) from None
            raise

    def _call_options(self, league: "League") -> Dict[str, Any]:
        """Returns keyword arguments for `call` that trust the relays in this run only.

        The state folder of the run is the temporary folder. It contains a copy of the user's list
        of trusted code, with the commands of the relays added.
        """
        trusted_by_user = json.loads(call(["show", "paths", "--json"]))["kept"].get("trust")
        if trusted_by_user and os.path.isfile(trusted_by_user):
            shutil.copy(trusted_by_user, os.path.join(self._folder, "trusted"))
        entrants = json.loads(league.path.read_text(encoding="utf-8"))["entrants"]
        commands = [entry.get("command", []) for entry in entrants if isinstance(entry, dict)]
        relays = [command for command in commands if self._socket_path() in command]
        with open(os.path.join(self._folder, "trusted"), "a", encoding="utf-8") as trusted:
            for command in relays:
                digest = _trust_digest(command, league.path.parent, self._folder)
                trusted.write(f"{digest} a bot of this process\n")
        return {"environment": {"HATTARI_STATE": self._folder}, "on_start": self._set_program}

    def _set_program(self, program: "subprocess.Popen[str]") -> None:
        """Stores the process of the program, so that an exception of a bot can stop it."""
        self._program = program

    def _socket_path(self) -> str:
        """Returns the path of the socket."""
        return os.path.join(self._folder, "bots")

    def _accept_connections(self) -> None:
        """Starts a thread for every connection, until the socket is closed."""
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(
                target=self._play_block, args=(connection,), name="hattari bot", daemon=True
            )
            thread.start()

    def _play_block(self, connection: socket.socket) -> None:
        """Plays one block with the bot whose number is the first line of the connection."""
        with connection, connection.makefile("rb") as lines:
            try:
                number = int(lines.readline())
                on_error = functools.partial(self._add_error, number)
                bot = self._bots[number]
                if bots.play_block(bot, lines.readline, connection.sendall, on_error):
                    # Wait until the program ends the block: closing the connection earlier means
                    # that the bot has failed.
                    while lines.readline():
                        pass
            except (OSError, ValueError):
                pass  # The program or the relay has ended. The program reports the reason.

    def _add_error(self, number: int, error: BaseException) -> None:
        """Stores the first exception of a bot, then stops the program or prints the exception."""
        name = self._names[number]
        is_first = name not in self.errors
        self.errors.setdefault(name, error)
        if not self._stop_at_error:
            if is_first:
                traceback.print_exception(type(error), error, error.__traceback__)
        elif self._program:
            self._program.terminate()


def _trust_digest(command: List[str], base: Path, folder: str) -> str:
    """Returns the digest under which the program stores a trusted command.

    The digest covers the arguments, the files that they name, and the folders. It must be computed
    as in `arena/play/src/trust.rs`; otherwise, the program refuses to start the relay.
    """
    digest = hashlib.sha256()

    def add(part: bytes) -> None:
        digest.update(len(part).to_bytes(8, "little") + part)

    for part in ("command", "program", os.path.realpath(base), folder):
        add(os.fsencode(part))
    for argument in command:
        add(os.fsencode(argument))
        file = base / argument
        add(hashlib.sha256(file.read_bytes()).digest() if file.is_file() else b"")
    return digest.hexdigest()
