def act(view, legal):
    """Returns the action to play, an element of `legal`; for a raise, returns (action, amount).

    The amount is your total bet on this street.

    Bets the lowest amount with a pair. Without a pair, calls at most a quarter of the pot. In stud
    with seven turns, turns up the first hidden card in the list: the lowest card, which tells the
    opponents least.
    """
    if view["phase"] == "open":
        return legal[0]
    by_kind = {action["kind"]: action for action in legal}
    paired = len({card[0] for card in view["hand"]}) < len(view["hand"])
    stay = by_kind.get("check") or by_kind.get("call") or by_kind.get("bring_in")
    if "raise" in by_kind and (not stay or (paired and view["raises"] < 2)):
        return by_kind["raise"], by_kind["raise"]["lowest"]
    if not paired and view["to_call"] * 4 > view["pot"] and "fold" in by_kind:
        return by_kind["fold"]
    return stay or legal[0]
