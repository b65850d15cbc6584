"""Plays a few games, to see how bots play."""

from __future__ import annotations

import html
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .league import League
from .live import BotServer, is_python_bot, name_of
from .page import Replay
from .program import Error


class Games:
    """The games of a call of `play`: the scores, the faults and a replay of each game."""

    #: The games as a league of one block, with all tables and pages of a league.
    league: League
    #: Number of games. A duplicate deal counts once for each seating, except in bridge.
    count: int
    #: Sum of the payoffs over all games, by name (in duplicate bridge: of the IMPs).
    scores: Dict[str, int]
    #: Texts of the first faults of each bot. If there are more, the last text is their number.
    faults: List[str]

    def __init__(self, league: League, names: Sequence[str], game: str) -> None:
        self.league = league
        (record,) = league.records()
        self.count = record["deals"]
        seats = league.data()["samples"]["line_ups"][0]["entrants"]
        self.scores = {name: 0 for name in names}
        for seat, payoff in zip(seats, record["sum"]):
            self.scores[names[seat]] += payoff
        if game == "bridge":
            # The partners of a side both have the score of the side.
            for seat, name in enumerate(names):
                self.scores[name] //= max(1, seats.count(seat))
        self.faults = [
            f"{names[seats[fault['entrant']]]}, game {fault['deal']}: {fault['message']}"
            for fault in record["faults"]
        ]
        if len(self.faults) < sum(record["fault_counts"]):
            self.faults.append(f"{sum(record['fault_counts'])} faults in all games")

    def replay(self, game: int = 0) -> Replay:
        """Returns the replay of a game. Games count from 0.

        A notebook shows the replay move by move; `print` prints it as text.
        """
        return self.league.replay(game=game)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {score}" for name, score in self.scores.items())
        faults = f"; faults: {'; '.join(self.faults)}" if self.faults else ""
        return f"<{self.count} games: {scores}{faults}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{score}</td></tr>"
            for name, score in self.scores.items()
        )
        faults = "".join(f"<li>{html.escape(fault)}</li>" for fault in self.faults)
        header = f"<tr><th>bot</th><th>points in {self.count} games</th></tr>"
        table = f"<table>{header}{rows}</table>"
        return table + (f"<ul>{faults}</ul>" if faults else "") + self.replay()._repr_html_()


def play(
    game: str,
    bots: Sequence[Any],
    *,
    deals: int = 1,
    seed: int = 1,
    options: Optional[Mapping[str, Any]] = None,
    trust: bool = False,
    **keys: Any,
) -> Games:
    """Plays a few games and returns them. To find out which bot is stronger, use `run`.

    Arguments:
        game: name of the game, for example "holdem".
        bots: one bot for each player (for bridge, one for each side). Each is one of these:
            - a name that `hattari show bots` lists;
            - the path of a script, library, WebAssembly module or program;
            - a class of this process, of which every block gets a new object;
            - an object or a module of this process;
            - a dict with keys of an entrant, for example
              `{"name": "bold", "bot": Mine, "config": {"greed": 0.3}}`.
        deals: number of deals (default: 1).
        seed: the same seed gives the same cards (default: 1).
        options: rules of the game, with the keys that `options` has in a league.
        trust: allow programs and libraries among the bots to run outside the sandbox (default:
            False). Bots of this process need no trust.
        keys: other keys of a league, for example `preset="cash"`, except `blocks`, `entrants`,
            `format` and `sweep`.

    An exception of a bot of this process is raised here, with its trace. Raises `Error` with the
    message of the program if the games cannot be played.
    """
    for key in ("blocks", "entrants", "format", "sweep"):
        if key in keys:
            raise ValueError(f"`play` plays one block at one table: give `{key}` to `run`")
    entrants: List[Dict[str, Any]] = []
    for bot_or_entrant in bots:
        is_entrant = isinstance(bot_or_entrant, Mapping)
        entrant = dict(bot_or_entrant) if is_entrant else {"bot": bot_or_entrant}
        if "name" not in entrant:
            entrant["name"] = _unused_name(entrant.get("bot"), entrants)
        entrants.append(entrant)
    names = [entrant["name"] for entrant in entrants]
    league_format: Dict[str, Any] = {"kind": "line-ups", "size": len(entrants)}
    if game == "bridge" and len(names) == 2:
        league_format = {"kind": "pairs", "a": names[:1], "b": names[1:]}
    league_dict = {
        "game": game,
        "seed": seed,
        "entrants": entrants,
        "format": league_format,
        "blocks": 1,
        "deals": deals,
        **keys,
    }
    if options:
        league_dict["options"] = options
    with BotServer() as server:
        league = League.of(server.with_commands(league_dict))
        try:
            server.play(league, {"jobs": 1}, trust=trust, stop_at_error=True)
        except Error as error:
            raise _number_of_bots_error(game, error) from None
    return Games(league, names, game)


def _unused_name(bot: Any, entrants: Sequence[Mapping[str, Any]]) -> str:
    """Returns a name for a bot, with a number if another entrant already has the name."""
    file_name = os.path.basename(str(bot))
    name = name_of(bot) if is_python_bot(bot) else os.path.splitext(file_name)[0]
    used = {entrant["name"] for entrant in entrants}
    if name not in used:
        return name
    number = 2
    while f"{name} {number}" in used:
        number += 1
    return f"{name} {number}"


def _number_of_bots_error(game: str, error: Error) -> Error:
    """Returns `error`, with the number of bots to give if `play` got too few or too many.

    The pattern must match the message in `arena/play/src/league/formats/reader.rs`.
    """
    players = re.search(r"a table of \w+ takes (.+?) players?, not \d+", str(error))
    if not players:
        return error
    number = "2 bots, one for each side" if game == "bridge" else f"{players.group(1)} bots"
    return Error(f"give {number}: {players.group()}", error.code)
