def has_pair(cards):
    """Return whether two of the cards have the same rank."""
    return len({card[0] for card in cards}) < len(cards)


def act(view, legal):
    """Called on your turn. Return one of `legal`, and for a raise the amount: your total bet on this street.

    Raises by half the pot with its own pair, calls at odds of four to one, otherwise checks or folds.
    """
    by_kind = {action["kind"]: action for action in legal}
    paired = has_pair(view["hand"] + view["community"]) and not has_pair(view["community"])
    if paired and "raise" in by_kind and view["raises"] < 2:
        action = by_kind["raise"]
        return action, max(action["lowest"], min(view["level"] + view["pot"] // 2, action["highest"]))
    if "check" in by_kind:
        return by_kind["check"]
    return by_kind["call"] if paired or view["to_call"] * 4 <= view["pot"] else by_kind["fold"]
