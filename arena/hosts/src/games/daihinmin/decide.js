const COLUMNS = "-3456789TJQKA2";

/** Your turn: one of `legal`. The cheapest play: weak cards before strong ones, two cards before one, the joker last. */
function act(view, legal) {
  const reversed = view.revolution !== view.eleven_back;
  const cost = (action) => {
    // Cards to give away: the set whose strongest card is the weakest. The joker is stronger than all.
    if (action.kind === "give") return (COLUMNS.indexOf(action.cards[action.cards.length - 1][1]) + 15) % 15;
    if (action.kind === "pass") return 1000; // Only where nothing else is legal.
    if (action.joker) return 500;
    // Columns go from 1, the threes, to 13, the twos; a revolution turns them round.
    const strength = reversed ? 15 - action.column : action.column;
    return 10 * strength - action.count;
  };
  return legal.reduce((best, action) => (cost(action) < cost(best) ? action : best));
}
