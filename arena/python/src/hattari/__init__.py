"""Hattari, an arena for card games of imperfect information, from Python.

    import hattari

    class Low(hattari.Bot):
        "Plays the first thing that it may."
        def act(self, view, legal):
            return legal[0]

    hattari.play("daihinmin", [Low, "base", "all-k", "default", "random"])     # a few games, to look at
    league = hattari.run("leagues/demo.yaml")                                  # a league, to know
    hattari.standings(league).to_pandas()

The program `hattari` plays and computes; what is here starts it and reads what it says.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

from .bot import Bot, serve

if TYPE_CHECKING:
    from .league import League, blocks, deals, pairs, replay, report, run, samples, standings
    from .page import Page
    from .play import Games, play
    from .program import Error

# A bot's process starts anew for every block and needs none of these.
_WHERE = {
    "Error": "program",
    "Games": "play",
    "League": "league",
    "Page": "page",
    "blocks": "league",
    "deals": "league",
    "pairs": "league",
    "play": "play",
    "replay": "league",
    "report": "league",
    "run": "league",
    "samples": "league",
    "standings": "league",
}

__all__ = [
    "Bot",
    "Error",
    "Games",
    "League",
    "Page",
    "blocks",
    "deals",
    "pairs",
    "play",
    "replay",
    "report",
    "run",
    "samples",
    "serve",
    "standings",
]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        module = importlib.import_module("." + _WHERE[name], __name__)
        # All that it offers: an import puts the module `play` in the place of its function.
        globals().update({offered: getattr(module, offered) for offered, where in _WHERE.items() if where == _WHERE[name]})
        return globals()[name]
    raise AttributeError(f"module 'hattari' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
