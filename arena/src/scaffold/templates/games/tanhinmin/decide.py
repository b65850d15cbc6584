def act(view, legal):
    """Called on your turn. Return one of `legal`: a pass first, then cards from the weakest on. Keeps its weakest card for the end."""
    weakest = min(view["hand"], key=int)
    for action in legal:
        if action["kind"] == "play" and (action["card"] != weakest or len(view["hand"]) == 1):
            return action
    return legal[0]
