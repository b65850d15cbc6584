"""Pages that the program makes, shown in a notebook: each is a whole page of its own in a frame."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any, Dict, Union


class Page:
    """A page of the program. At the end of a notebook's cell it shows itself."""

    #: The page: one document that needs no network.
    html: str
    #: How high its frame is in a notebook, in pixels; may be set.
    height: int

    def __init__(self, html: str, height: int = 640) -> None:
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        # A page of its own origin: its scripts work, and reach nothing of the notebook's.
        return (
            f'<iframe sandbox="allow-scripts" style="width:100%;height:{self.height}px;border:1px solid #8884" '
            f'srcdoc="{html.escape(self.html)}"></iframe>'
        )

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes the page to a file, and says which."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def open(self) -> None:
        """Shows the page in the browser of this machine."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.html):,} bytes: show it in a notebook, or .save() or .open() it>"


class Replay(Page):
    """A game, made again: to step through in a notebook, as text by `str` and `print`, as data in `data`."""

    #: What `hattari replay --json` says of it; seats and players count from 0 there.
    data: Dict[str, Any]
    text: str

    def __init__(self, html: str, text: str, data: Dict[str, Any], height: int = 860) -> None:
        super().__init__(html, height)
        self.text, self.data = text, data

    def __str__(self) -> str:
        return self.text

    @property
    def payoffs(self) -> Dict[str, float]:
        """What each has won, by name; copies of one at a table are told apart by their places."""
        names = [self.data["names"][entrant] for entrant in self.data["entrants"]]
        labels = [name if names.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(names, 1)]
        return dict(zip(labels, self.data["payoffs"]))


