"""`python -m hattari`: the program, as if it had been called by its name."""

import os
import sys

from .program import Error, find

try:
    program = find()
    os.execv(program, [program, *sys.argv[1:]])
except (Error, OSError) as error:
    sys.exit(f"error: {error}")
