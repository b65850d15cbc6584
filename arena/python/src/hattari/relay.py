"""Connects the program with a bot in the Python process that has started the program.

A league starts `relay.py SOCKET NUMBER` as the command of such a bot. The relay copies standard
input to the socket, and data from the socket to standard output. It is started for every block, so
it imports only a few small modules.
"""

import os
import select
import socket
import sys


def main() -> int:
    """Runs the relay and returns its exit code: 1 if the bot ended before its block, else 0."""
    path, number = sys.argv[1:]
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(number.encode() + b"\n")
    inputs = [0, connection.fileno()]
    while True:
        for ready in select.select(inputs, [], [])[0]:
            if ready == 0:
                data = os.read(0, 1 << 16)
                if data:
                    connection.sendall(data)
                else:
                    # The block is over. The bot sees the end of its input and closes the socket.
                    connection.shutdown(socket.SHUT_WR)
                    inputs.remove(0)
            else:
                data = connection.recv(1 << 16)
                if not data:
                    # The bot failed if it closed the connection before the end of the block.
                    return 1 if 0 in inputs else 0
                while data:
                    data = data[os.write(1, data) :]


if __name__ == "__main__":
    sys.exit(main())
