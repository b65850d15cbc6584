"""Between the program and a bot of another process, which has started the program: `relay.py SOCKET NUMBER`, in a league's place of a
bot's command. What comes in on the standard input goes to the socket, what comes from there to the standard output.

It is started for every block, so it imports next to nothing.
"""

import os
import select
import socket
import sys


def main() -> int:
    where, number = sys.argv[1:]
    there = socket.socket(socket.AF_UNIX)
    there.connect(where)
    there.sendall(number.encode() + b"\n")
    hears = [0, there.fileno()]
    while True:
        for ready in select.select(hears, [], [])[0]:
            if ready == 0:
                line = os.read(0, 1 << 16)
                if line:
                    there.sendall(line)
                else:
                    # The block is over: the bot hears it too, and closes.
                    there.shutdown(socket.SHUT_WR)
                    hears.remove(0)
            else:
                line = there.recv(1 << 16)
                if not line:
                    # A bot that goes before its block is over has fallen.
                    return 1 if 0 in hears else 0
                while line:
                    line = line[os.write(1, line) :]


if __name__ == "__main__":
    sys.exit(main())
