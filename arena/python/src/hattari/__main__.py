"""Runs the program `hattari`: `python -m hattari` takes the same arguments as `hattari`."""

import os
import sys

from .program import Error, find

try:
    program = find()
    os.execv(program, [program, *sys.argv[1:]])
except (Error, OSError) as error:
    sys.exit(f"error: {error}")
