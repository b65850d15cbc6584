/* Returns the value of a card in a trick. Trumps beat the led suit, which beats the other suits. */
static int worth(uint8_t card, uint8_t led, uint8_t strain)
{
    uint8_t suit = card / 13, rank = card % 13;
    return suit == strain ? 26 + rank : suit == led ? 13 + rank : 0;
}

/*
 * Returns the index of the card to play. Declarer also plays the cards of dummy.
 *
 * Wins the trick with the lowest card that is high enough, unless partner already wins it.
 * Otherwise plays the lowest card. `amount` is not used in this game.
 */
static uint32_t decide(const hattari_bridge_view *view, const hattari_decision *decision, int64_t *amount)
{
    const uint8_t *trick = view->cards + (view->played_count - view->on_table);
    uint32_t i, best = 0, cheapest = UINT32_MAX;
    int high = -1, partner_wins = 0;
    uint8_t led;
    (void)amount;
    for (i = 0; i < view->on_table; i++) {
        int value = worth(trick[i], trick[0] / 13, view->strain);
        if (value > high) {
            high = value;
            partner_wins = i + 2 == view->on_table;
        }
    }
    for (i = 0; i < decision->action_count; i++) {
        uint8_t card = hattari_bridge_action_at(decision, i)->card;
        uint32_t price = card % 13;
        led = view->on_table > 0 ? trick[0] / 13 : card / 13;
        /* A card that does not win costs more. If partner wins the trick, no card needs to win. */
        if (partner_wins || worth(card, led, view->strain) <= high)
            price += 13;
        if (price < cheapest) {
            cheapest = price;
            best = i;
        }
    }
    return best;
}
