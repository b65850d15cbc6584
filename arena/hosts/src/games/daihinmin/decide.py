COLUMNS = "-3456789TJQKA2"


def act(view, legal):
    """Your turn: one of `legal`. The cheapest play: weak cards before strong ones, two cards before one, the joker last."""
    if view["phase"] == "exchange":
        # Cards to give away: the set whose strongest card is the weakest. They are listed from the weakest on.
        return min(legal, key=lambda action: COLUMNS.find(action["cards"][-1][1]) % 15)
    is_reversed = view["revolution"] != view["eleven_back"]

    def cost(action):
        if action["kind"] == "pass":
            return 1000  # Only where nothing else is legal.
        if action["joker"]:
            return 500
        # Columns go from 1, the threes, to 13, the twos; a revolution turns them round.
        strength = 15 - action["column"] if is_reversed else action["column"]
        return 10 * strength - action["count"]

    return min(legal, key=cost)
