"""Leagues: playing them, and reading their results as tables and pages."""

from __future__ import annotations

import copy
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import keys
from .live import BotServer, has_python_bots
from .page import Page, Replay
from .program import Error, call

if TYPE_CHECKING:
    import pyarrow

PathLike = Union[str, "os.PathLike[str]"]


class League:
    """A league file and the store with its results.

    `store` is the path of the store (default: the path of the league with the extension `.sqlite`).
    """

    #: Path of the league: a YAML file, a pack or a store.
    path: Path
    #: Path of the store, which need not exist yet.
    store: Path

    def __init__(self, path: PathLike, store: Optional[PathLike] = None) -> None:
        self.path = Path(path)
        self.store = Path(store) if store else self.path.with_suffix(".sqlite")
        # Temporary folder that is deleted with this object.
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        # The league file was written from a dict into the temporary folder: error messages name
        # keys of the dict, not lines of the file.
        self._is_dict = False
        # Folders with bots, which are also needed to replay games.
        self._bots: List[PathLike] = []

    @staticmethod
    def of(
        league: "LeagueLike",
        *,
        path: Optional[PathLike] = None,
        store: Optional[PathLike] = None,
    ) -> "League":
        """Returns the league for a path, a YAML text, a dict or a `League`.

        A string is a YAML text if it contains a line feed. A dict has the keys of a league file.
        Texts and dicts are written to `path`. Without `path`, they are written to a temporary
        folder, which is deleted with the returned object. In that case, relative paths of a dict
        start from the current folder.
        """
        if isinstance(league, League):
            if store is None:
                return league
            league = copy.copy(league)
            league.store = Path(store)
            return league
        if isinstance(league, Mapping):
            text = _league_text(league if path else _with_absolute_commands(league))
        elif isinstance(league, str) and "\n" in league:
            text = league
        else:
            return League(league, store)
        folder = None if path else tempfile.TemporaryDirectory(prefix="hattari-")
        file = Path(path) if path else Path(folder.name if folder else "") / "league.yaml"
        file.write_text(text, encoding="utf-8")
        result = League(file, store)
        result._folder = folder
        result._is_dict = bool(folder) and isinstance(league, Mapping)
        return result

    def _run(self, options: Mapping[str, Any], *, trust: bool, **call_options: Any) -> "League":
        """Plays the blocks that the store does not contain yet.

        `options` has keyword arguments of `run` (`blocks`, `jobs`, `bots`, `restart`, `progress`);
        `call_options` are passed on to `call`.
        """
        bots = options.get("bots", ())
        self._bots = [bots] if isinstance(bots, (str, os.PathLike)) else list(bots) or self._bots
        arguments: List[PathLike] = ["run", *self._league_arguments(), "--no-report"]
        for name in ("blocks", "jobs"):
            if options.get(name) is not None:
                arguments.append(f"--{name}={options[name]}")
        if options.get("restart"):
            arguments.append("--restart")
        if trust:
            arguments.append("--trust")
        if not options.get("progress"):
            arguments.append("--quiet")
        try:
            call(arguments, echo=bool(options.get("progress")), **call_options)
        except Error as error:
            # The message of the program (`arena/play/src/trust.rs`) is meant for a shell.
            message = str(error).replace("add `--trust` to this command", "pass `trust=True`")
            if self._is_dict:
                text = self.path.read_text(encoding="utf-8")
                message = keys.with_keys(message, os.fspath(self.path), text)
            raise Error(message, error.code) from None
        return self

    def _delete_folder(self) -> None:
        """Deletes the temporary folder, if there is one."""
        if self._folder:
            self._folder.cleanup()

    def table(
        self,
        name: str,
        *,
        line_up: Union[int, str, None] = None,
        block: Optional[int] = None,
        **options: Any,
    ) -> "pyarrow.Table":
        """Returns a table: standings, pairs, lineups, faults, samples, congeniality, blocks, deals,
        decisions, numbers.

        The guide to reports (`arena/REPORTS.md`) lists the columns. `line_up` and `block` select
        the deals of the tables `deals` (see `deals`), `decisions` and `numbers`; `options` are those
        of `standings`. Raises `ImportError` if pyarrow is not installed, and `Error` with the message of the program.
        """
        parquet = _pyarrow().parquet
        selected = {"line-up": line_up, "block": block}
        selection = [f"--{key}={value}" for key, value in selected.items() if value is not None]
        arguments = [*_report_arguments(options), *selection]
        league = self._league_arguments()
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            call(["export", "parquet", *league, "--tables", name, "--output", folder, *arguments])
            with parquet.ParquetFile(os.path.join(folder, name + ".parquet")) as file:
                return file.read()

    def standings(self, **options: Any) -> "pyarrow.Table":
        """Returns a table with a row for each bot; see the function `standings`."""
        return self.table("standings", **options)

    def pairs(self, **options: Any) -> "pyarrow.Table":
        """Returns a table with a row for each pair of bots; see the function `pairs`."""
        return self.table("pairs", **options)

    def samples(self) -> "pyarrow.Table":
        """Returns a table with a row for each bot and block; see the function `samples`."""
        return self.table("samples")

    def blocks(self) -> "pyarrow.Table":
        """Returns a table with a row for each seat of each block; see the function `blocks`."""
        return self.table("blocks")

    def deals(
        self, *, line_up: Union[int, str, None] = None, block: Optional[int] = None
    ) -> "pyarrow.Table":
        """Returns a table with a row for each player of each deal; see the function `deals`."""
        return self.table("deals", line_up=line_up, block=block)

    def review(self, of: str, by: str, *, deals: Optional[int] = None) -> "pyarrow.Table":
        """Returns the classes of decisions that make the difference between two entrants.

        `by` plays every seat that `of` has, on the same deals. Each row is a class: its number, the
        number of its parent, its conditions, and `value`, the mean points per deal that the choices
        of `by` gain, with standard error and interval. Row 0 contains all decisions. The metadata
        of the table contain the whole review as JSON (key `review`). `deals`: deals to review
        (default: 10,000). Needs pyarrow.
        """
        pyarrow = _pyarrow()
        arguments = ["--of", of, "--by", by, *([] if deals is None else [f"--deals={deals}"])]
        league = self._league_arguments()
        text = call(["review", *league, *arguments, "--format", "json", "--forks", "0"])
        review = json.loads(text)
        if "classes" not in review:
            raise Error(f"`by` must be the name of an entrant, not {by!r}")
        rows = [
            {
                "class": number,
                "parent": found["parent"],
                "conditions": ", ".join(found["conditions"]),
                "value": found["value"],
                "se": found["se"],
                "low": found["ci"] and found["ci"][0],
                "high": found["ci"] and found["ci"][1],
                "forks": found["n"],
                "decisions": found["decisions"],
            }
            for number, found in enumerate(review["classes"])
        ]
        return pyarrow.Table.from_pylist(rows).replace_schema_metadata({"review": text})

    def digest(self) -> Tuple[str, int]:
        """Returns the digest of all stored games and the number of stored blocks.

        If the digests of two stores are equal, their games are equal.
        """
        digest, blocks = call(["store", "digest", self.store]).split()
        return digest, int(blocks)

    def records(self) -> List[Dict[str, Any]]:
        """Returns the stored record of each block: the output of `hattari store records`."""
        return [json.loads(line) for line in call(["store", "records", self.store]).splitlines()]

    def report(self, **options: Any) -> Page:
        """Returns the report as a page; see the function `report`."""
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            page = Path(folder) / "page.html"
            arguments: List[PathLike] = [*self._league_arguments()]
            arguments += _report_arguments(options)
            call(["report", *arguments, "--html", "--output", page])
            return Page(page.read_text(encoding="utf-8"))

    def data(self, **options: Any) -> Dict[str, Any]:
        """Returns the report as data: the output of `hattari report --format json`.

        It contains all values of the tables, and the verdicts as sentences. `options` are those of
        `standings`.
        """
        arguments: List[PathLike] = [*self._league_arguments()]
        arguments += _report_arguments(options)
        output = call(["report", *arguments, "--format", "json"])
        data: Dict[str, Any] = json.loads(output)
        return data

    def replay(self, line_up: Union[int, str] = 0, block: int = 0, game: int = 0) -> Replay:
        """Returns the replay of a game; see the function `replay`."""
        selection = [f"--line-up={line_up}", f"--block={block}", f"--game={game}"]
        arguments: List[PathLike] = ["replay", *self._league_arguments(), *selection]
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            page = os.path.join(folder, "game.html")
            # Exit code 1: the replayed block differs from the stored record. The page and the text
            # contain a warning.
            output = call([*arguments, "--json", "--html", "--output", page], good_codes=(0, 1))
            data = json.loads(output)
            html = Path(page).read_text(encoding="utf-8")
        return Replay(html, data.pop("text"), data)

    def _league_arguments(self) -> List[PathLike]:
        """Returns the arguments that name the league, its store and the folders with bots.

        The default store is left out, because a sweep over an option has several stores.
        """
        arguments: List[PathLike] = [self.path]
        if self.store not in (self.path, self.path.with_suffix(".sqlite")):
            arguments += ["--store", self.store]
        for folder in self._bots:
            arguments += ["--bots", Path(folder)]
        return arguments

    def __repr__(self) -> str:
        return f"<League {self.path}>"


#: A league: the path of a file, a YAML text, a dict with the keys of a league file, or a `League`.
LeagueLike = Union[str, "os.PathLike[str]", Mapping[str, Any], League]


def run(
    league: LeagueLike,
    *,
    path: Optional[PathLike] = None,
    store: Optional[PathLike] = None,
    blocks: Optional[int] = None,
    jobs: Optional[int] = None,
    bots: Iterable[PathLike] = (),
    trust: bool = False,
    restart: bool = False,
    progress: bool = False,
) -> League:
    """Plays the blocks of a league that its store does not contain yet, and returns the league.

    Arguments:
        league: a path, a YAML text, or a dict with the keys of a league file. An entrant of a dict
            may be a bot of this process, as in `play`: `{"name": "mine", "bot": Mine}`, or only the
            class.
        path: file to which a text or dict is written. Without it, the league and its results are
            deleted with the returned object. Not allowed with bots of this process.
        store: file with the results (default: next to the league file).
        blocks: number of blocks of each line-up (default: the value in the league).
        jobs: number of threads (default: one per core; 1 if a bot of this process plays).
        bots: folders with bots. The returned league replays games with them.
        trust: allow programs and libraries of the league to run outside the sandbox (default:
            False).
        restart: discard the stored results (default: False).
        progress: show the progress on standard error (default: False).

    Finished blocks are kept after an interrupt, and the next run continues from there. Blocks with
    bots of this process are played again, because their code may have changed. Raises
    `Error` with the message of the program, and `ValueError` if `path` is not allowed or an object
    (instead of its class) would play for several entrants or on several threads.
    """
    options: Dict[str, Any] = {
        "blocks": blocks,
        "jobs": jobs,
        "bots": bots,
        "restart": restart,
        "progress": progress,
    }
    if isinstance(league, Mapping) and has_python_bots(league):
        if path:
            raise ValueError(
                "a league with bots of this process cannot be saved to a file: "
                "leave `path` out"
            )
        with BotServer() as server:
            result = League.of(server.with_commands(league), store=store)
            if jobs is not None and jobs > 1 and server.has_objects():
                raise ValueError("an object plays on one thread: leave `jobs` out, or give its class")
            server.play(result, {**options, "jobs": 1 if jobs is None else jobs}, trust=trust)
            return result
    return League.of(league, path=path, store=store)._run(options, trust=trust)


def standings(league: LeagueLike, **options: Any) -> "pyarrow.Table":
    """Returns a table with a row for each bot, the best bot first.

    It contains the points per deal with their confidence interval, the places and the faults. The
    columns are those of `standings.csv` (see `arena/REPORTS.md`).

    Options (default: the value in the league):
        confidence: confidence level (0.95 if the league has no value).
        correction: correction of p values for multiple comparisons: "max-t", "holm" or "none".
        equal_within: difference in points per deal below which two bots count as equal.
        without_luck: True for luck-adjusted scores.
    """
    return League.of(league).standings(**options)


def pairs(league: LeagueLike, **options: Any) -> "pyarrow.Table":
    """Returns a table with a row for each pair of bots.

    It contains the difference with its test, the number of blocks needed to confirm a
    difference of this size, and the verdict as a sentence. The columns are those of `pairs.csv`. `options` are
    those of `standings`.
    """
    return League.of(league).pairs(**options)


def samples(league: LeagueLike) -> "pyarrow.Table":
    """Returns a table with a row for each bot and block: the data of all statistical tests.

    It contains the mean points per deal, and the cluster: blocks with the same cards are in the
    same cluster. The columns are those of `samples.csv`.
    """
    return League.of(league).samples()


def blocks(league: LeagueLike) -> "pyarrow.Table":
    """Returns a table with a row for each seat of each block.

    It contains the sum of the payoffs and the sum of their squares over the deals of the block, the
    faults, and the digest of the games.
    """
    return League.of(league).blocks()


def deals(
    league: LeagueLike, *, line_up: Union[int, str, None] = None, block: Optional[int] = None
) -> "pyarrow.Table":
    """Returns a table with a row for each player of each deal: the payoff.

    A store contains only sums, so the games are replayed. This takes as long as playing them.
    `line_up` (a number from 0, or names separated by commas) and `block` (a number from 0) select
    the games to replay (default: all).
    """
    return League.of(league).deals(line_up=line_up, block=block)


def report(league: LeagueLike, **options: Any) -> Page:
    """Returns the report as a page with figures and games. A notebook shows the page.

    `options` are those of `standings`.
    """
    return League.of(league).report(**options)


def replay(
    league: LeagueLike, line_up: Union[int, str] = 0, block: int = 0, game: int = 0
) -> Replay:
    """Returns the replay of a game. A notebook shows it move by move; it is also text and data.

    The game is replayed from its seed, and from stored answers for bots that may not be
    deterministic. `line_up` is a number or names separated by commas. All numbers count from 0, as
    in reports.
    """
    return League.of(league).replay(line_up, block, game)


def _pyarrow() -> Any:
    """Returns the package pyarrow."""
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ImportError("tables need the package pyarrow: pip install pyarrow") from error
    return pyarrow


def _report_arguments(options: Mapping[str, Any]) -> List[str]:
    """Returns the command-line arguments for options of a report.

    Raises `TypeError` if an option is unknown.
    """
    known = ("confidence", "correction", "equal_within", "without_luck")
    for name in options:
        if name not in known:
            raise TypeError(f"unknown option `{name}`; the options are: {', '.join(known)}")
    arguments = []
    for name, value in options.items():
        if value is not None and value is not False:
            option = "--" + name.replace("_", "-")
            arguments.append(option if value is True else f"{option}={value}")
    return arguments


def _league_text(league: Mapping[str, Any]) -> str:
    """Returns a dict as the text of a league file: JSON, which is also YAML.

    Raises `TypeError` if the dict contains a value that JSON cannot represent, and `ValueError` for
    infinity and NaN.
    """

    def to_json(value: Any) -> Any:
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if hasattr(value, "tolist"):
            return value.tolist()  # A number or an array of numpy.
        if isinstance(value, Iterable):
            return list(value)
        raise TypeError(f"a league cannot contain the value {value!r}")

    return json.dumps(league, indent=2, default=to_json, ensure_ascii=False, allow_nan=False) + "\n"


def _with_absolute_commands(league: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns a league with absolute paths in the commands of its entrants.

    The league file is written to another folder, but its paths are relative to the current folder.
    """

    def absolute(argument: Any, may_be_path: bool) -> Any:
        path = os.path.abspath(os.fspath(argument))
        return path if may_be_path and os.path.exists(path) else argument

    def has_separator(argument: Any) -> bool:
        return os.sep in os.fspath(argument)

    def entrant(entry: Any) -> Any:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("command"), (list, tuple)):
            return entry  # The program reports a command that is not a list.
        # The first word is the name of a program in `PATH`, unless it contains a separator.
        command = [
            absolute(argument, number > 0 or has_separator(argument))
            for number, argument in enumerate(entry["command"])
        ]
        result = {**entry, "command": command}
        if "folder" in entry or not has_separator(command[0]):
            result["folder"] = os.path.abspath(entry.get("folder", "."))
        return result

    entrants = league.get("entrants")
    if not isinstance(entrants, (list, tuple)):
        return dict(league)
    return {**league, "entrants": [entrant(entry) for entry in entrants]}


__all__ = [
    "Error",
    "League",
    "blocks",
    "deals",
    "pairs",
    "replay",
    "report",
    "run",
    "samples",
    "standings",
]
