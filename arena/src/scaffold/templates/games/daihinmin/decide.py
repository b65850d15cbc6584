def act(view, legal):
    """Returns the action to play, an element of `legal`.

    It is the play with the lowest cost: weak cards before strong ones, two cards before one, the
    joker last.
    """
    # In the exchange before a game, give away the weakest cards: they are last in the list.
    if view["phase"] == "exchange":
        return legal[-1]
    is_reversed = view["revolution"] != view["eleven_back"]

    def cost(action):
        if action["kind"] == "pass":
            return 1000  # Pass only if nothing else is legal.
        if action["joker"]:
            return 500
        # Columns go from 1 (the threes) to 13 (the twos). A revolution reverses their order.
        strength = 15 - action["column"] if is_reversed else action["column"]
        return 20 * strength - action["count"]

    return min(legal, key=cost)
