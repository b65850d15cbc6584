"""Pages that the program writes. A notebook shows each of them in a frame."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any, Dict, Union


class Page:
    """A page of the program. A notebook shows it if it is the last value of a cell."""

    #: The page: one HTML document that needs no network.
    html: str
    #: Height of the frame in a notebook, in pixels (default: 640). It may be set.
    height: int

    def __init__(self, html: str, height: int = 640) -> None:
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        # The frame has an origin of its own: scripts of the page run, but they cannot access the
        # notebook.
        style = f"width:100%;height:{self.height}px;border:1px solid #8884"
        return (
            f'<iframe sandbox="allow-scripts" style="{style}" '
            f'srcdoc="{html.escape(self.html)}"></iframe>'
        )

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes the page to a file and returns its path."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def open(self) -> None:
        """Shows the page in the default browser of this machine."""
        with tempfile.NamedTemporaryFile(
            "w", suffix=".html", delete=False, encoding="utf-8"
        ) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def __repr__(self) -> str:
        size = f"{len(self.html):,} characters"
        return f"<{type(self).__name__} of {size}: show it in a notebook, or .save() or .open() it>"


class Replay(Page):
    """A replayed game. A notebook shows it move by move; `str` and `print` give its text."""

    #: The game as data: the output of `hattari replay --json`. Seats and players count from 0.
    data: Dict[str, Any]
    #: The game as text.
    text: str

    def __init__(self, html: str, text: str, data: Dict[str, Any], height: int = 860) -> None:
        super().__init__(html, height)
        self.text, self.data = text, data

    def __str__(self) -> str:
        return self.text

    @property
    def payoffs(self) -> Dict[str, float]:
        """The payoff of each player by name.

        If an entrant has several seats, the number of the place follows the name.
        """
        names = self.data["names"]
        named = [
            (place, names[place], payoff)
            for place, payoff in sorted(zip(self.data["entrants"], self.data["payoffs"]))
        ]
        return {
            name if names.count(name) == 1 else f"{name} ({place + 1})": payoff
            for place, name, payoff in named
        }
