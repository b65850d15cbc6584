/** Returns true if two of the cards have the same rank. */
const hasPair = (cards) => new Set(cards.map((card) => card[0])).size < cards.length;

/**
 * Called on your turn. Returns one of `legal`, and for a raise the amount: your total bet on this street. Raises by half the pot
 * with its own pair, calls at odds of four to one, otherwise checks or folds.
 */
function act(view, legal) {
  const find = (kind) => legal.find((action) => action.kind === kind);
  const paired = hasPair([...view.hand, ...view.community]) && !hasPair(view.community);
  const raise = find("raise");
  if (paired && raise && view.raises < 2) {
    const total = view.level + Math.floor(view.pot / 2);
    return [raise, Math.max(raise.lowest, Math.min(total, raise.highest))];
  }
  return find("check") ?? (paired || view.to_call * 4 <= view.pot ? find("call") : find("fold"));
}
