def act(view, legal):
    """Called on your turn. Return one of `legal`, and for a raise the amount: your total bet on this street.

    Bets the minimum with a pair, otherwise pays up to a quarter of the pot. In stud in seven turns, turns up the lowest
    hidden card, which reveals least.
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
