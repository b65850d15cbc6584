/**
 * Your turn: one of `legal`, and for a raise the amount: what you will have put in on this street in all. Bets the least with a pair,
 * pays a quarter of the pot for less. In the game of seven turns it turns up the first hidden card offered, the lowest.
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
