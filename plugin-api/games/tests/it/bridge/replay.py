"""Reads a PBN file with endplay and writes what it has understood as PBN again: replay.py FROM TO"""

import sys

from endplay.parsers import pbn

with open(sys.argv[1]) as file:
    boards = pbn.load(file)
with open(sys.argv[2], "w") as file:
    pbn.dump(boards, file)
print(len(boards))
