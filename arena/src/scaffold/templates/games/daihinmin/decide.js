/**
 * Returns the action to play, an element of `legal`. It is the play with the lowest cost: weak
 * cards before strong ones, two cards before one, the joker last.
 */
function act(view, legal) {
  // In the exchange before a game, give away the weakest cards: they are last in the list.
  if (view.phase === "exchange") return legal[legal.length - 1];
  const reversed = view.revolution !== view.eleven_back;
  const cost = (action) => {
    if (action.kind === "pass") return 1000; // Pass only if nothing else is legal.
    if (action.joker) return 500;
    // Columns go from 1 (the threes) to 13 (the twos). A revolution reverses their order.
    const strength = reversed ? 15 - action.column : action.column;
    return 20 * strength - action.count;
  };
  return legal.reduce((best, action) => (cost(action) < cost(best) ? action : best));
}
