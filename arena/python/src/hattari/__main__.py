"""Runs the program `hattari`: `python -m hattari` takes the same arguments as `hattari`."""

import os
import sys

from .program import Error, find, start_error

try:
    program = find()
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        raise start_error(program, error) from error
except Error as error:
    sys.exit(f"error: {error}")
