/** Called on your turn. Returns the cheapest play of `legal`: weak cards before strong ones, two cards before one, the joker last. */
function act(view, legal) {
  // Cards to give away: the sets are listed from the strongest to the weakest.
  if (view.phase === "exchange") return legal[legal.length - 1];
  const reversed = view.revolution !== view.eleven_back;
  const cost = (action) => {
    if (action.kind === "pass") return 1000; // Only if nothing else is legal.
    if (action.joker) return 500;
    // Columns go from 1, the threes, to 13, the twos; a revolution reverses the order.
    const strength = reversed ? 15 - action.column : action.column;
    return 20 * strength - action.count;
  };
  return legal.reduce((best, action) => (cost(action) < cost(best) ? action : best));
}
