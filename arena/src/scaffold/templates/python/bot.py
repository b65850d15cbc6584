# @NAME@: @ABOUT@.
# hattari-game: @game@
import json
import sys


def start(block):
    """Called at the start of a block, with game, options, players, player (your number), deals, seed and config."""
    # The settings of the league (`config`). The bot has no settings yet.
    for key in block["config"]:
        raise SystemExit(f"there is no setting '{key}'")


@DECIDE@


def deal_start(view):
    """Called after the cards have been dealt."""


def deal_end(view, payoffs):
    """Called at the end of a deal; payoffs are by player."""


# With the package `hattari` this module is a bot in a notebook, too: hattari.play("@game@", [module, …]).
# The rest exchanges messages with Hattari, one line of JSON each (see bots/programs/README.md). Printed text goes to standard error,
# which reports show with faults; standard output is reserved for messages.
def main():
    out, sys.stdout = sys.stdout, sys.stderr

    def say(message):
        out.write(json.dumps(message) + "\n")
        out.flush()

    history = []
    say({"type": "hello", "protocol": 1})
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        kind = message["type"]
        if kind == "deal_start":
            history.clear()
        if "view" in message:
            # All events of the deal so far, oldest first; a message contains only the new ones.
            history += message["events"]
            message["view"]["history"] = history
        if kind == "act":
            choice = act(message["view"], message["legal"])
            action, amount = choice if isinstance(choice, tuple) else (choice, 0)
            say({"id": message["id"], "action": message["legal"].index(action) + 1, "amount": amount})
        elif kind == "deal_start":
            deal_start(message["view"])
        elif kind == "deal_end":
            deal_end(message["view"], message["payoffs"])
        elif kind == "block_start":
            if message["game"].split("/")[0] != "@game@":
                say({"refuse": "this bot plays @game@ only"})
                return
            start(message)
            say({"type": "ready"})
        elif kind == "block_end":
            return


if __name__ == "__main__":
    main()
