/**
 * Returns the action to play, an element of `legal`; for a raise, returns [action, amount]. The
 * amount is your total bet on this street.
 *
 * Bets the lowest amount with a pair. Without a pair, calls at most a quarter of the pot. In stud
 * with seven turns, turns up the first hidden card in the list, which is the lowest.
 */
function act(view, legal) {
  if (view.phase === "open") return legal[0];
  const find = (kind) => legal.find((action) => action.kind === kind);
  const paired = new Set(view.hand.map((card) => card[0])).size < view.hand.length;
  const stay = find("check") ?? find("call") ?? find("bring_in");
  const raise = find("raise");
  if (raise && (!stay || (paired && view.raises < 2))) return [raise, raise.lowest];
  if (!paired && view.to_call * 4 > view.pot && find("fold")) return find("fold");
  return stay ?? legal[0];
}
