"""Finds and runs the program `hattari`."""

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

#: Environment variable with the path of the program. If it is not set, the program that was
#: installed with this package is used.
VARIABLE = "HATTARI_PROGRAM"

Arguments = Sequence[Union[str, "os.PathLike[str]"]]


class Error(Exception):
    """The program failed. The text is the error message of the program."""

    #: Exit code of the program; `None` if it could not be started.
    code: Optional[int]

    def __init__(self, words: str, code: Optional[int] = None) -> None:
        super().__init__(words)
        self.code = code


def find() -> str:
    """Returns the path of the program.

    The search order is: the environment variable HATTARI_PROGRAM, the program that was installed
    with this package, the folders in `PATH`. Raises `Error` if the program is not found.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return named
    name = "hattari" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts")]
    if sys.version_info >= (3, 10):
        folders.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    # `pip install --target` puts programs into a folder `bin` next to the package.
    folders.append(str(Path(__file__).resolve().parents[1] / "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which("hattari")
    if found:
        return found
    raise Error(
        "the program `hattari` was not found; "
        f"run `pip install hattari`, or set {VARIABLE} to its path"
    )


def start_error(program: str, error: OSError) -> Error:
    """Returns the error that the program at this path cannot be started."""
    return Error(
        f"`{program}` cannot be started: {error.strerror}; set {VARIABLE} to the path of `hattari`"
    )


def call(
    arguments: Arguments,
    *,
    good_codes: Sequence[int] = (0,),
    on_start: Optional[Callable[["subprocess.Popen[str]"], None]] = None,
    environment: Optional[Mapping[str, str]] = None,
    echo: bool = False,
    program: Optional[str] = None,
) -> str:
    """Runs the program to its end and returns its standard output.

    Arguments:
        arguments: the command line. Give paths as `pathlib.Path`: a file called `--help` is then
            not taken for an option.
        good_codes: exit codes that are not errors.
        on_start: called with the process after its start.
        environment: variables to add to the environment of this process.
        echo: also write standard error of the program to standard error of this process.
        program: path of the program (default: the result of `find`).

    Raises `Error` if the program cannot be started or exits with any other code. An interrupt is
    passed on to the program, which stores its finished blocks; then the interrupt is raised here.
    """
    command = [program or find(), *map(_argument, arguments)]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **(environment or {})},
            # A session of its own: the program gets an interrupt once, from this process, and not
            # a second time from the terminal.
            start_new_session=True,
        )
    except OSError as error:
        raise start_error(command[0], error) from error
    if on_start:
        on_start(process)
    with process:
        try:
            output, errors = _read_output(process, echo)
        except BaseException:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate()
            except BaseException:
                process.kill()
                raise
            raise
    if process.returncode not in good_codes:
        _raise_error(errors, process.returncode)
    return output


def _argument(argument: Union[str, "os.PathLike[str]"]) -> str:
    """Returns an argument for the command line.

    A path that begins with `-` gets the prefix `./`, so that the program does not take it for an
    option or for standard input.
    """
    text = os.fspath(argument)
    is_path = not isinstance(argument, str)
    return os.path.join(os.curdir, text) if is_path and text.startswith("-") else text


def _read_output(process: "subprocess.Popen[str]", echo: bool) -> Tuple[str, str]:
    """Waits for the end of a process and returns its standard output and standard error.

    With `echo`, standard error is also written to standard error of this process, line by line.
    """
    if not echo:
        return process.communicate()
    assert process.stdout and process.stderr
    error_lines: List[str] = []

    def copy(lines: IO[str]) -> None:
        for line in lines:
            error_lines.append(line)
            print(line, end="", file=sys.stderr, flush=True)

    thread = threading.Thread(
        target=copy, args=(process.stderr,), name="hattari progress", daemon=True
    )
    thread.start()
    output = process.stdout.read()
    process.wait()
    thread.join()
    return output, "".join(error_lines)


def _raise_error(errors: str, code: int) -> NoReturn:
    """Raises `Error` with the error message of the program.

    `errors` is the standard error of the program. The message begins at the line with `error: `; if
    there is no such line, all of `errors` is the message.
    """
    message = errors.strip()
    lines = message.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("error: ")), None)
    if first is not None:
        message = "\n".join(lines[first:])[len("error: ") :]
    raise Error(message or f"`hattari` exited with code {code} and printed no error message", code)
