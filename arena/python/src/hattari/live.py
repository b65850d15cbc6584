"""Bots of this process at the program's tables: classes, objects, modules.

The program starts a relay for each of them, which connects to this process by a socket that nobody else's user can reach.
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
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

from . import bot as bots
from .program import Error, call

if TYPE_CHECKING:
    from .league import League

RELAY = Path(__file__).with_name("relay.py")
#: Longest path that a socket may have.
SOCKET_MAX = 100


class Live:
    """Seats bots of this process, for as long as it is entered. A bot is told of by its name in the league."""

    def __init__(self) -> None:
        #: What the first bot of each name raised.
        self.errors: Dict[str, BaseException] = {}
        self._seated: List[Any] = []
        self._names: List[str] = []
        self._stop_at_error = False
        self._program: Optional["subprocess.Popen[str]"] = None
        self._folder = tempfile.mkdtemp(prefix="hattari-")
        if len(os.path.join(self._folder, "bots")) > SOCKET_MAX:
            shutil.rmtree(self._folder)
            self._folder = tempfile.mkdtemp(prefix="hattari-", dir="/tmp")
        self._socket = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> "Live":
        # The folder is this user's alone, and so is what lies in it.
        self._socket.bind(self._where())
        self._socket.listen(64)
        threading.Thread(target=self._welcome, name="hattari", daemon=True).start()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            # Whoever waits for a connection is woken.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @staticmethod
    def is_live(given: Any) -> bool:
        """Whether this is a bot of this process, not one that the program finds."""
        return isinstance(given, type) or callable(getattr(given, "act", None))

    @staticmethod
    def is_wanted(league: Mapping[str, Any]) -> bool:
        """Whether a league has such bots among its entrants."""
        entrants = league.get("entrants")
        if not isinstance(entrants, (list, tuple)):
            return False
        return any(Live.is_live(given.get("bot") if isinstance(given, Mapping) else given) for given in entrants)

    def seated(self, league: Mapping[str, Any]) -> Dict[str, Any]:
        """The league with commands in the place of bots of this process."""
        return {**league, "entrants": [self._seat(given) for given in league["entrants"]]}

    def _seat(self, given: Any) -> Any:
        entrant = dict(given) if isinstance(given, Mapping) else {"bot": given}
        bot = entrant.get("bot")
        if not self.is_live(bot):
            return given
        if not callable(getattr(bot, "act", None)):
            raise TypeError(f"{bot!r} is no bot: it has no `act`")
        del entrant["bot"]
        entrant.setdefault("name", name_of(bot))
        self._seated.append(bot)
        self._names.append(entrant["name"])
        # Without the packages of this environment a relay starts in a few milliseconds.
        command = [sys.executable, "-I", "-S", str(RELAY), self._where(), str(len(self._seated) - 1)]
        return {**entrant, "command": command, "folder": self._folder}

    def play(self, league: "League", words: Dict[str, Any], *, trust: bool, stop_at_error: bool = False) -> None:
        """Plays a league that `seated` has made. Bots of this process are trusted, others where `trust` says so.

        Where `stop_at_error` says so, what a bot raises ends it and is raised here; else it is printed once for each bot, and is a
        fault as any other.
        """
        self._stop_at_error = stop_at_error
        try:
            league._run(words, trust=trust, **self._how(league))
            if stop_at_error and self.errors:
                raise next(iter(self.errors.values()))
        except BaseException as error:
            # Whoever looks at the trace holds the league.
            league._forget()
            if stop_at_error and self.errors and isinstance(error, Error):
                raise next(iter(self.errors.values())) from None
            raise

    def _how(self, league: "League") -> Dict[str, Any]:
        """What the program is started with: what the user trusts, and for this once the relays."""
        own = json.loads(call(["show", "paths", "--json"]))["kept"].get("trust")
        if own and os.path.isfile(own):
            shutil.copy(own, os.path.join(self._folder, "trusted"))
        entrants = json.loads(league.path.read_text(encoding="utf-8"))["entrants"]
        ours = [entrant["command"] for entrant in entrants if isinstance(entrant, dict) and self._where() in entrant.get("command", [])]
        with open(os.path.join(self._folder, "trusted"), "a", encoding="utf-8") as trusted:
            for command in ours:
                trusted.write(f"{_digest(command, league.path.parent, self._folder)} a bot of this process\n")
        return {"more": {"HATTARI_STATE": self._folder}, "started": self._started}

    def _started(self, program: "subprocess.Popen[str]") -> None:
        self._program = program

    def _where(self) -> str:
        return os.path.join(self._folder, "bots")

    def _welcome(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), name="hattari bot", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """A bot through one block."""
        with connection, connection.makefile("rb") as lines:
            try:
                number = int(lines.readline())
                tell = functools.partial(self._failed, number)
                if bots.converse(self._seated[number], lines.readline, connection.sendall, tell):
                    # The program ends the block; who goes before that has fallen.
                    while lines.readline():
                        pass
            except (OSError, ValueError):
                pass  # The program has gone, or the relay was ended: it says so.

    def _failed(self, number: int, error: BaseException) -> None:
        name = self._names[number]
        is_first = name not in self.errors
        self.errors.setdefault(name, error)
        if not self._stop_at_error:
            if is_first:
                traceback.print_exception(type(error), error, error.__traceback__)
        elif self._program:
            self._program.terminate()


def _digest(command: List[str], base: Path, folder: str) -> str:
    """What the program keeps a command by that the user trusts: its words, the files that they name, and the folders
    (`arena/play/src/trust.rs`). Were it to keep another, the relay would not run."""
    digest = hashlib.sha256()

    def add(part: bytes) -> None:
        digest.update(len(part).to_bytes(8, "little") + part)

    for part in ("command", "program", os.path.realpath(base), folder):
        add(os.fsencode(part))
    for word in command:
        add(os.fsencode(word))
        file = base / word
        add(hashlib.sha256(file.read_bytes()).digest() if file.is_file() else b"")
    return digest.hexdigest()


def name_of(bot: Any) -> str:
    """What a bot of this process is called."""
    name: str = getattr(bot, "__name__", None) or type(bot).__name__
    return name.rpartition(".")[2]
