const RANKS = "23456789TJQKA";
const TRUMPS = { spades: "S", hearts: "H", diamonds: "D", clubs: "C" };

/** Returns the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else. */
function worth(card, led, trump) {
  const rank = RANKS.indexOf(card[1]);
  return card[0] === trump ? 200 + rank : card[0] === led ? 100 + rank : 0;
}

/** Called on your turn. Returns one of `legal`, the cards that may be played. Declarer also chooses dummy's cards. */
function act(view, legal) {
  const trump = TRUMPS[view.strain];
  const trick = view.cards.slice(view.played_count - view.on_table, view.played_count);
  const led = trick.length > 0 ? trick[0][0] : null;
  const values = trick.map((card) => worth(card, led, trump));
  const high = Math.max(-1, ...values);
  const partnerWins = trick.length > 1 && values.indexOf(high) === trick.length - 2;
  const price = ({ card }) => {
    // Cards that do not win, or need not win, come after all that do.
    const wins = !partnerWins && worth(card, led ?? card[0], trump) > high;
    return RANKS.indexOf(card[1]) + (wins ? 0 : 100);
  };
  return legal.reduce((best, action) => (price(action) < price(best) ? action : best));
}
