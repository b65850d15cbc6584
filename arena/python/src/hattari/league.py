"""Leagues: played, and read as tables and pages."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import keys
from .live import Live
from .page import Page, Replay
from .program import Error, call

if TYPE_CHECKING:
    import pyarrow

Path_ = Union[str, "os.PathLike[str]"]


class League:
    """A league, and what has been played of it: a file of the program's and the store beside it."""

    #: The league's file: YAML, a pack, or a store.
    path: Path
    #: Where its results are, or will be.
    store: Path

    def __init__(self, path: Path_, store: Optional[Path_] = None) -> None:
        self.path = Path(path)
        self.store = Path(store) if store else self.path.with_suffix(".sqlite")
        # A folder that goes with this object.
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        # Its file is made from a dict and goes with this object: messages name keys, not lines.
        self._is_dict = False

    @staticmethod
    def of(league: "LeagueLike", *, path: Optional[Path_] = None, store: Optional[Path_] = None) -> "League":
        """The league of a path, of YAML text (with a line feed in it), of a dict with a league's keys, or one that is one already.

        Text and dicts are written to `path`, and are a league like any other from then on; without it they have a folder of
        their own, which is gone with this object, and their bots' paths start from the current folder.
        """
        if isinstance(league, League):
            return league if store is None else League(league.path, store)
        if isinstance(league, Mapping):
            text = _text(league if path else _from_here(league))
        elif isinstance(league, str) and "\n" in league:
            text = league
        else:
            return League(league, store)
        folder = None if path else tempfile.TemporaryDirectory(prefix="hattari-")
        place = Path(path) if path else Path(folder.name if folder else "") / "league.yaml"
        place.write_text(text, encoding="utf-8")
        made = League(place, store)
        made._folder = folder
        made._is_dict = bool(folder) and isinstance(league, Mapping)
        return made

    def _run(self, words: Mapping[str, Any], *, trust: bool, **how: Any) -> "League":
        """Plays what is missing of it by the words of `run`, with more for `call`."""
        numbers = [f"--{name}={words[name]}" for name in ("blocks", "jobs") if words.get(name) is not None]
        arguments = [
            *("run", self.path, "--store", self.store, "--no-report"),
            *numbers,
            *(word for folder in words.get("bots", ()) for word in ("--bots", Path(folder))),
            *(["--restart"] if words.get("restart") else []),
            *(["--trust"] if trust else []),
            *([] if words.get("progress") else ["--quiet"]),
        ]
        try:
            call(arguments, echo=bool(words.get("progress")), **how)
        except Error as error:
            # The program says what a user of a shell types (`arena/play/src/trust.rs`).
            said = str(error).replace("add `--trust` to this command", "pass `trust=True`")
            if self._is_dict:
                said = keys.in_words(said, os.fspath(self.path), self.path.read_text(encoding="utf-8"))
            raise Error(said, error.code) from None
        return self

    def _forget(self) -> None:
        """Lets go of a folder of its own."""
        if self._folder:
            self._folder.cleanup()

    def table(
        self,
        name: str,
        *,
        line_up: Union[int, str, None] = None,
        block: Optional[int] = None,
        **wishes: Any,
    ) -> "pyarrow.Table":
        """A table by its name: standings, pairs, lineups, faults, samples, congeniality, blocks or deals.

        The guide to reports lists the columns. `wishes` as for `standings`; `line_up` and `block` say which deals are played again.
        """
        given = {"line-up": line_up, "block": block}
        where = [f"--{key}={value}" for key, value in given.items() if value is not None]
        try:
            from pyarrow import parquet
        except ModuleNotFoundError as error:
            if error.name != "pyarrow":
                raise
            raise ImportError("tables are Arrow's and need the package pyarrow: pip install pyarrow") from error
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            words = [*_wishes(wishes), *where]
            call(["export", "parquet", self.path, *self._beside(), "--tables", name, "--output", folder, *words])
            with parquet.ParquetFile(os.path.join(folder, name + ".parquet")) as file:
                return file.read()

    def standings(self, **wishes: Any) -> "pyarrow.Table":
        """A row for each bot: `standings` has the words."""
        return self.table("standings", **wishes)

    def pairs(self, **wishes: Any) -> "pyarrow.Table":
        """A row for every two bots: `pairs` has the words."""
        return self.table("pairs", **wishes)

    def samples(self) -> "pyarrow.Table":
        """A row for each bot and block: `samples` has the words."""
        return self.table("samples")

    def blocks(self) -> "pyarrow.Table":
        """A row for each seat of a block: `blocks` has the words."""
        return self.table("blocks")

    def deals(self, *, line_up: Union[int, str, None] = None, block: Optional[int] = None) -> "pyarrow.Table":
        """A row for each player of a deal: `deals` has the words."""
        return self.table("deals", line_up=line_up, block=block)

    def digest(self) -> Tuple[str, int]:
        """The digest of all that was played, and the number of blocks: two leagues were played alike if theirs are the same."""
        digest, blocks = call(["store", "digest", self.store]).split()
        return digest, int(blocks)

    def records(self) -> List[Dict[str, Any]]:
        """What the store holds of each block, as `hattari store records` says it."""
        return [json.loads(line) for line in call(["store", "records", self.store]).splitlines()]

    def report(self, **wishes: Any) -> Page:
        """The report as a page: `report` has the words."""
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            page = Path(folder) / "page.html"
            call(["report", self.path, *self._beside(), "--html", "--output", page, *_wishes(wishes)])
            return Page(page.read_text(encoding="utf-8"))

    def data(self, **wishes: Any) -> Dict[str, Any]:
        """The report as data, as `hattari report --format json` says it: all that the tables hold, and the verdicts in words."""
        found: Dict[str, Any] = json.loads(call(["report", self.path, *self._beside(), "--format", "json", *_wishes(wishes)]))
        return found

    def replay(self, line_up: Union[int, str] = 0, block: int = 0, game: int = 0) -> Replay:
        """A game of it, made again: `replay` has the words."""
        where: List[Union[str, Path]] = [
            *("replay", self.path, *self._beside()),
            *(f"--line-up={line_up}", f"--block={block}", f"--game={game}"),
        ]
        with tempfile.TemporaryDirectory(prefix="hattari-") as folder:
            page = os.path.join(folder, "game.html")
            # Code 1: the replayed block differs from the stored record; page and text say so.
            data = json.loads(call([*where, "--json", "--html", "--output", page], good=(0, 1)))
            html = Path(page).read_text(encoding="utf-8")
        return Replay(html, data.pop("text"), data)

    def _beside(self) -> List[Union[str, Path]]:
        """Where the store is, unless the path is the store's own."""
        return [] if self.path == self.store else ["--store", self.store]

    def __repr__(self) -> str:
        return f"<League {self.path}>"


#: A league's path, its YAML text, a dict with its keys, or a `League`.
LeagueLike = Union[str, "os.PathLike[str]", Mapping[str, Any], League]


def run(
    league: LeagueLike,
    *,
    path: Optional[Path_] = None,
    store: Optional[Path_] = None,
    blocks: Optional[int] = None,
    jobs: Optional[int] = None,
    bots: Iterable[Path_] = (),
    trust: bool = False,
    restart: bool = False,
    progress: bool = False,
) -> League:
    """Plays a league, or what is missing of it, and gives it.

    `league`: a path, YAML text, or a dict with a league's keys. Text and dicts are kept in `path`, without it in a folder that is
    gone with what this gives. A dict's entrants may be bots of this process, as in `play`: `{"name": "mine", "bot": Mine}`, and
    the class alone for short; such a league has its folder, and cannot be kept.

    `store`: where results are; without it beside the league. `blocks`: so many of each line-up, whatever the league says. `jobs`:
    threads; without it one for each core, and one where a bot of this process plays. `bots`: folders with bots. `trust`: whether
    programs that the league starts may do all that you may. `restart`: throw away what the store holds. `progress`: say on the
    error output how far it is.

    An interrupt keeps the blocks that are finished; run again, it goes on. Raises `Error` in the program's words.
    """
    words: Dict[str, Any] = {"blocks": blocks, "jobs": jobs, "bots": bots, "restart": restart, "progress": progress}
    if isinstance(league, Mapping) and Live.is_wanted(league):
        if path:
            raise ValueError("a league with bots of this process cannot be kept in a file: leave `path` out")
        with Live() as live:
            made = League.of(live.seated(league), store=store)
            live.play(made, {**words, "jobs": jobs or 1}, trust=trust)
            return made
    return League.of(league, path=path, store=store)._run(words, trust=trust)


def standings(league: LeagueLike, **wishes: Any) -> "pyarrow.Table":
    """A row for each bot, the best first: points a deal with their confidence interval, places, faults.

    The columns are those of `standings.csv`; the guide to reports lists them. `wishes`: `confidence` (0.95), `correction` of p
    ("max-t", "holm", "none"), `equal_within` (points a deal), `without_luck`
    (True: scores less what chance is known to have been worth); without them what the league says.
    """
    return League.of(league).standings(**wishes)


def pairs(league: LeagueLike, **wishes: Any) -> "pyarrow.Table":
    """A row for every two bots: their difference with its test, what would settle it, and the verdict in words.

    The columns are those of `pairs.csv`; `wishes` as for `standings`.
    """
    return League.of(league).pairs(**wishes)


def samples(league: LeagueLike) -> "pyarrow.Table":
    """A row for each bot and block, what all tests are made from: mean points a deal, and the cluster of blocks that were dealt the same
    cards. The columns are those of `samples.csv`."""
    return League.of(league).samples()


def blocks(league: LeagueLike) -> "pyarrow.Table":
    """A row for each seat of a block: sum of payoffs and of their squares over its deals, faults, and the digest of what was played."""
    return League.of(league).blocks()


def deals(league: LeagueLike, *, line_up: Union[int, str, None] = None, block: Optional[int] = None) -> "pyarrow.Table":
    """A row for each player of a deal: what it won.

    A store keeps sums, so the games are played again, as `replay` does, which takes as long as playing them; `line_up` (its number,
    or names) and `block` say which.
    """
    return League.of(league).deals(line_up=line_up, block=block)


def report(league: LeagueLike, **wishes: Any) -> Page:
    """The report as a page with figures and games, which shows itself in a notebook; `wishes` as for `standings`."""
    return League.of(league).report(**wishes)


def replay(league: LeagueLike, line_up: Union[int, str] = 0, block: int = 0, game: int = 0) -> Replay:
    """A game, made again from its seed or from the recorded answers of its bots: to step through in a notebook, or as text and data.

    `line_up` is a number or names with commas between them; all numbers count from 0, as in reports.
    """
    return League.of(league).replay(line_up, block, game)


def _wishes(wishes: Mapping[str, Any]) -> List[str]:
    known = ("confidence", "correction", "equal_within", "without_luck")
    for name in wishes:
        if name not in known:
            raise TypeError(f"there is no `{name}` to wish for; these there are: {', '.join(known)}")
    words = []
    for name, value in wishes.items():
        if value is not None and value is not False:
            words.append("--" + name.replace("_", "-") + ("" if value is True else f"={value}"))
    return words


def _text(league: Mapping[str, Any]) -> str:
    """A dict as a league's text: JSON, which is YAML."""

    def plain(value: Any) -> Any:
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if hasattr(value, "item"):
            return value.item()  # A number of numpy's.
        if isinstance(value, Iterable):
            return list(value)
        raise TypeError(f"{value!r} cannot stand in a league")

    return json.dumps(league, indent=2, default=plain, ensure_ascii=False) + "\n"


def _from_here(league: Mapping[str, Any]) -> Dict[str, Any]:
    """A dict whose file will lie elsewhere: commands of its entrants name files from the current folder, as their bots' paths do."""

    def here(word: Any, is_path: bool) -> Any:
        path = os.path.abspath(os.fspath(word))
        return path if is_path and os.path.exists(path) else word

    def entrant(given: Any) -> Any:
        if not isinstance(given, Mapping) or "command" not in given:
            return given
        words = [here(word, number > 0 or os.sep in os.fspath(word)) for number, word in enumerate(given["command"])]
        runs_where_it_lies = os.sep in os.fspath(words[0])
        folder = {"folder": os.path.abspath(given.get("folder", "."))} if "folder" in given or not runs_where_it_lies else {}
        return {**given, "command": words, **folder}

    entrants = league.get("entrants")
    if not isinstance(entrants, (list, tuple)):
        return dict(league)
    return {**league, "entrants": [entrant(given) for given in entrants]}


__all__ = ["Error", "League", "blocks", "deals", "pairs", "replay", "report", "run", "samples", "standings"]
