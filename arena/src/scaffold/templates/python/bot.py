# @NAME@: @ABOUT@.
# hattari-game: @game@
import json
import sys


def start(block):
    """Starts a block (a series of deals).

    The keys of `block` are game, options, players, player (your number, from 1), deals, seed (for
    your random numbers) and config.
    """
    # The settings that a league gives under `config`. This bot has no settings, so it rejects them.
    for key in block["config"]:
        raise SystemExit(f"there is no setting '{key}'")


@DECIDE@


def deal_start(view):
    """Handles the start of a deal, after the cards have been dealt."""


def deal_end(view, payoffs):
    """Handles the end of a deal. `payoffs` contains the payoff of each player."""


# The rest of this file exchanges messages with Hattari: each message is a line of JSON. Hattari's
# guide bots/programs/README.md describes them. Printed text goes to standard error; reports show
# it together with faults. Standard output is for messages only.
#
# With the Python package `hattari`, this module can also play in a notebook:
# hattari.play("@game@", [module, ...])
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
            # All events of the deal so far, oldest first. A message contains only the new ones.
            history += message["events"]
            message["view"]["history"] = history
        if kind == "act":
            # `act` may sort or filter its list.
            choice = act(message["view"], list(message["legal"]))
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
