def act(view, legal):
    """Returns the action to play, an element of `legal`. Keeps its weakest card for the end.

    The pass is first in the list; then come the cards, the weakest first.
    """
    weakest = min(view["hand"], key=int)
    for action in legal:
        if action["kind"] == "play" and (action["card"] != weakest or len(view["hand"]) == 1):
            return action
    return legal[0]
