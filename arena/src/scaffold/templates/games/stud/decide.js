/**
 * Called on your turn. Returns one of `legal`, and for a raise the amount: your total bet on this street. Bets the minimum with a pair,
 * otherwise pays up to a quarter of the pot. In stud in seven turns, turns up the lowest hidden card.
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
