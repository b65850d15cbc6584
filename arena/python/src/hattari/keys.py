"""Converts positions in messages about a league from lines of a JSON file to keys of a dict."""

from __future__ import annotations

import json
import re
from typing import List, Union


def with_keys(message: str, path: str, text: str) -> str:
    """Returns `message` with keys of the dict in place of the lines of the file at `path`.

    The file was written from a dict, so the user has never seen its lines. `text` is the content of
    the file: JSON with one value per line, as `json.dumps` with `indent` writes it.
    """
    keys_by_line = keys_of_lines(text)

    def keys(match: "re.Match[str]") -> str:
        line = int(match.group(1)) - 1
        return keys_by_line[line] if line < len(keys_by_line) else "league"

    message = re.sub(re.escape(path) + r":(\d+):\d+", keys, message)
    return message.replace(path, "league")


def keys_of_lines(text: str) -> List[str]:
    """Returns, for every line of JSON, the keys of the value that begins in this line.

    The keys are written as an expression, for example `league["entrants"][1]["bot"]`.
    """
    keys_by_line: List[str] = []
    # Key or index at each level of nesting, from the outermost level to the innermost.
    keys: List[Union[str, int]] = []
    for line in text.split("\n"):
        line = line.strip()
        if line[:1] in ("]", "}"):
            keys.pop()
        elif keys:
            last = keys[-1]
            keys[-1] = last + 1 if isinstance(last, int) else json.JSONDecoder().raw_decode(line)[0]
        expression = "".join(f"[{json.dumps(key, ensure_ascii=False)}]" for key in keys)
        keys_by_line.append("league" + expression)
        # A string never ends a line with a bracket: a quote or a comma follows it.
        if line.endswith("{"):
            keys.append("")
        elif line.endswith("["):
            keys.append(-1)
    return keys_by_line
