/** Returns true if two of the cards have the same rank. */
const hasPair = (cards) => new Set(cards.map((card) => card[0])).size < cards.length;

/**
 * Returns the action to play, an element of `legal`; for a raise, returns [action, amount]. The
 * amount is your total bet on this street.
 *
 * Raises by half the pot if the hand makes a pair. Without a pair, calls at most a quarter of the
 * pot; otherwise checks or folds.
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
