"""The program `hattari`: where it is, and running it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import IO, Callable, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

#: Environment variable that names the program, in place of the one that came with this package.
VARIABLE = "HATTARI_PROGRAM"

Arguments = Sequence[Union[str, "os.PathLike[str]"]]


class Error(Exception):
    """The program could not do what it was asked. The text is the program's own: what is wrong, where, and what would be right."""

    #: Its exit code; None where it could not be started.
    code: Optional[int]

    def __init__(self, words: str, code: Optional[int] = None) -> None:
        super().__init__(words)
        self.code = code


def find() -> str:
    """The path of the program: what HATTARI_PROGRAM names, the one that was installed with this package, or one on the search path.

    Raises `Error` where there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return named
    name = "hattari" + (sysconfig.get_config_var("EXE") or "")
    schemes = [None, sysconfig.get_preferred_scheme("user")] if sys.version_info >= (3, 10) else [None]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    # `pip install --target` puts programs beside the package.
    folders.append(str(Path(__file__).resolve().parents[1] / "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which("hattari")
    if found:
        return found
    raise Error(f"there is no program `hattari`; `pip install hattari` brings one, or name one in {VARIABLE}")


def call(
    arguments: Arguments,
    *,
    good: Sequence[int] = (0,),
    started: Optional[Callable[["subprocess.Popen[str]"], None]] = None,
    more: Optional[Mapping[str, str]] = None,
    echo: bool = False,
    program: Optional[str] = None,
) -> str:
    """Runs the program to its end and gives what it prints.

    Paths among the arguments are `pathlib.Path`s, so that a file called `--help` is one. `good` are the exit codes that are no error, `started` is told of the process once it runs, `more` are environment variables
    beside those of this process, and with `echo` its error output is this one's, too. `program` is another than `find` finds. An interrupt is handed on: the program keeps what it has finished, then it is raised here.
    """
    command = [program or find(), *map(_word, arguments)]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **(more or {})},
            # A group of its own, so that an interrupt comes once, from here.
            start_new_session=True,
        )
    except OSError as error:
        raise Error(f"`{command[0]}` cannot be started: {error.strerror}; name the program in {VARIABLE}") from error
    if started:
        started(process)
    with process:
        try:
            out, err = _hear(process, echo)
        except BaseException:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate()
            except BaseException:
                process.kill()
                raise
            raise
    if process.returncode not in good:
        _fail(err, process.returncode)
    return out


def _word(argument: Union[str, "os.PathLike[str]"]) -> str:
    """An argument as the program gets it. One that is a path is never taken for an option, nor for the standard input."""
    word = os.fspath(argument)
    return os.path.join(os.curdir, word) if not isinstance(argument, str) and word.startswith("-") else word


def _hear(process: "subprocess.Popen[str]", echo: bool) -> Tuple[str, str]:
    """All that a process prints, on both outputs."""
    if not echo:
        return process.communicate()
    assert process.stdout and process.stderr
    heard: List[str] = []

    def tell(lines: IO[str]) -> None:
        for line in lines:
            heard.append(line)
            print(line, end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, args=(process.stderr,), name="hattari progress", daemon=True)
    teller.start()
    out = process.stdout.read()
    process.wait()
    teller.join()
    return out, "".join(heard)


def _fail(err: str, code: int) -> NoReturn:
    """Raises what the program said on its error output: from the line that begins with `error:` on."""
    words = err.strip()
    lines = words.splitlines()
    begin = next((number for number, line in enumerate(lines) if line.startswith("error: ")), None)
    if begin is not None:
        words = "\n".join(lines[begin:])[len("error: ") :]
    raise Error(words or f"`hattari` ended with code {code} and no word", code)
