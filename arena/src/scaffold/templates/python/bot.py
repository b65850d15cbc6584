# @NAME@: @ABOUT@.
# hattari-game: @game@
import json
import sys


def start(block):
    """A block starts: game, options, players, your number among them, deals, a seed for your chance, config."""
    # What a league sets under `config`. So far there is nothing to set.
    for key in block["config"]:
        raise SystemExit(f"there is no setting '{key}'")


@DECIDE@


def deal_start(view):
    """Cards have been dealt."""


def deal_end(view, payoffs):
    """The deal is over; payoffs go by player."""


# With the package `hattari` this module is a bot in a notebook, too: hattari.play("@game@", [module, …]).
# The rest speaks with Hattari, one line of JSON a message; bots/programs/README.md says what each of them holds. Whatever is printed
# goes to the error output, which reports tell with faults: the real output is for answers alone.
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
            # What has happened in the deal so far, oldest first; messages bring what is new.
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
                say({"refuse": "it plays @game@ alone"})
                return
            start(message)
            say({"type": "ready"})
        elif kind == "block_end":
            return


if __name__ == "__main__":
    main()
