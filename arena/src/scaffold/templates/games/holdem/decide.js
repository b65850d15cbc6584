/** Whether two of the cards have the same rank. */
const hasPair = (cards) => new Set(cards.map((card) => card[0])).size < cards.length;

/**
 * Your turn: one of `legal`, and for a raise the amount: what you will have put in on this street in all. Raises by half the pot
 * with a pair of its own, calls at four to one, else checks or folds.
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
