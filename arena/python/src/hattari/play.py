"""A few games, to look at."""

from __future__ import annotations

import html
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .league import League
from .live import Live, name_of
from .page import Replay
from .program import Error


class Games:
    """Games that were played: what everybody has won, and each of them to look at."""

    #: They are a small league, which can be asked for all that leagues can.
    league: League
    #: How many there are; duplicated deals count for each seating.
    count: int
    #: What each has won in all of them, by name.
    scores: Dict[str, int]
    #: What went wrong, in words.
    faults: List[str]

    def __init__(self, league: League, names: Sequence[str]) -> None:
        self.league = league
        (record,) = league.records()
        self.count = record["deals"]
        seats = league.data()["samples"]["line_ups"][0]["entrants"]
        self.scores = {name: 0 for name in names}
        for seat, won in zip(seats, record["sum"]):
            self.scores[names[seat]] += won
        self.faults = [f"{names[seats[fault['entrant']]]}, game {fault['deal']}: {fault['message']}" for fault in record["faults"]]

    def replay(self, game: int = 0) -> Replay:
        """One of them, from 0 on: to step through in a notebook, or `print` it."""
        return self.league.replay(game=game)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        won = ", ".join(f"{name} {score}" for name, score in self.scores.items())
        return f"<{self.count} games: {won}{'; faults: ' if self.faults else ''}{'; '.join(self.faults)}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{score}</td></tr>" for name, score in self.scores.items())
        faults = "".join(f"<li>{html.escape(fault)}</li>" for fault in self.faults)
        table = f"<table><tr><th>bot</th><th>points in {self.count} games</th></tr>{rows}</table>"
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
    """Plays a few games and gives them, to be looked at. To know who is better takes a league: `run`.

    `bots`, one for each at the table (at bridge one for each side): names that the program knows, paths of scripts, libraries,
    modules and programs, bots of this process (a class, of which every game of a league has its own object; an object; a module),
    or dicts with the keys of an entrant, as in `{"name": "bold", "bot": Mine, "config": {"greed": 0.3}}`.
    `deals`: how many. `seed`: the same one deals the same cards. `options`: rules, by the keys of a league; `keys` are others of
    it, as in `preset="cash"`. `trust`: whether programs and libraries among the bots may do all that you may; what you have
    written here may anyway.

    What a bot of this process raises is raised here, with its trace. Raises `Error` in the program's words.
    """
    entrants: List[Dict[str, Any]] = []
    for given in bots:
        entrant = dict(given) if isinstance(given, Mapping) else {"bot": given}
        bot = entrant.get("bot")
        if "name" not in entrant:
            name = name_of(bot) if Live.is_live(bot) else os.path.splitext(os.path.basename(str(bot)))[0]
            taken = {other["name"] for other in entrants}
            numbers = (number for number in range(2, len(bots) + 2) if f"{name} {number}" not in taken)
            entrant["name"] = f"{name} {next(numbers)}" if name in taken else name
        entrants.append(entrant)
    names = [entrant["name"] for entrant in entrants]
    kind: Dict[str, Any] = {"kind": "line-ups", "size": len(entrants)}
    if game == "bridge" and len(names) == 2:
        kind = {"kind": "pairs", "a": names[:1], "b": names[1:]}
    league = {"game": game, "seed": seed, "entrants": entrants, "format": kind, "blocks": 1, "deals": deals, **keys}
    if options:
        league["options"] = options
    with Live() as live:
        made = League.of(live.seated(league))
        try:
            live.play(made, {"jobs": 1}, trust=trust, stop_at_error=True)
        except Error as error:
            raise _of_bots(game, error) from None
    return Games(made, names)


def _of_bots(game: str, error: Error) -> Error:
    """The error in the words of `play`, where there are too few bots or too many."""
    players = re.search(r"a table of \w+ takes (.+?) players?, not \d+", str(error))
    if not players:
        return error
    number = "2 bots, one for each side" if game == "bridge" else f"{players.group(1)} bots"
    return Error(f"give {number}: {players.group()}", error.code)
