"""Places in a dict: from a line of its JSON to the keys that lead there."""

from __future__ import annotations

import json
import re
from typing import List, Union


def in_words(message: str, path: str, text: str) -> str:
    """A message of the program with keys in place of the lines of a file that nobody has written.

    `text` is what the file at `path` holds: JSON with one value a line, as `json.dumps` with an indent writes it.
    """
    places = of_lines(text)

    def keys(found: "re.Match[str]") -> str:
        line = int(found.group(1)) - 1
        return places[line] if line < len(places) else "league"

    message = re.sub(re.escape(path) + r":(\d+):\d+", keys, message)
    return message.replace(path, "league")


def of_lines(text: str) -> List[str]:
    """For every line of JSON, the keys of what begins there, as in `league["entrants"][1]["bot"]`."""
    places: List[str] = []
    above: List[Union[str, int]] = []
    for line in text.splitlines():
        line = line.strip()
        if line[:1] in ("]", "}"):
            above.pop()
        elif above:
            here = above[-1]
            above[-1] = here + 1 if isinstance(here, int) else json.JSONDecoder().raw_decode(line)[0]
        places.append("league" + "".join(f"[{json.dumps(key, ensure_ascii=False)}]" for key in above))
        # No text ends a line with a bracket: a quote or a comma stands behind it.
        if line.endswith("{"):
            above.append("")
        elif line.endswith("["):
            above.append(-1)
    return places
