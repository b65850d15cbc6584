"""Python interface of Hattari, an arena for card games with imperfect information.

    import hattari

    class Low(hattari.Bot):
        "Plays the first legal action."
        def act(self, view, legal):
            return legal[0]

    # A few games, to see how a bot plays:
    hattari.play("daihinmin", [Low, "base", "all-k", "default", "random"])
    # A league, to find out which bot is stronger:
    league = hattari.run("leagues/demo.yaml")
    hattari.standings(league).to_pandas()

The program `hattari` plays the games and computes the results. This package starts the program and
reads its output.
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

# Module of each name that is imported at its first use. A process that serves a bot is started for
# every block and needs none of these modules.
_MODULES = {
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
    if name in _MODULES:
        module_name = _MODULES[name]
        module = importlib.import_module("." + module_name, __name__)
        # Set all names of the module at once: importing the module `play` sets the attribute `play`
        # of this package to the module, and the function must replace it.
        names = [other for other, other_module in _MODULES.items() if other_module == module_name]
        globals().update({other: getattr(module, other) for other in names})
        return globals()[name]
    raise AttributeError(f"module 'hattari' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
