/* Returns the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else. */
static int worth(uint8_t card, uint8_t led, uint8_t strain)
{
    uint8_t suit = card / 13, rank = card % 13;
    return suit == strain ? 26 + rank : suit == led ? 13 + rank : 0;
}

/*
 * Chooses the card to play: returns the index of an action. Declarer also chooses dummy's cards. Wins the trick as cheaply as
 * possible, unless partner wins it already; otherwise plays the lowest card. There are no amounts in this game.
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
        /* Cards that do not win, or need not win, come after all that do. */
        if (partner_wins || worth(card, led, view->strain) <= high)
            price += 13;
        if (price < cheapest) {
            cheapest = price;
            best = i;
        }
    }
    return best;
}
