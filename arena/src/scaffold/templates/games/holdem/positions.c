/* Returns the set that contains one card. Rank 0 is the two, rank 12 is the ace. */
static uint64_t card(uint32_t rank, uint32_t suit)
{
    return UINT64_C(1) << (4 * rank + suit);
}

static void positions(void)
{
    static const hattari_holdem_action actions[] = {
        {HATTARI_HOLDEM_KIND_FOLD, {0}, 0, 0},
        {HATTARI_HOLDEM_KIND_CALL, {0}, 900, 900},
        {HATTARI_HOLDEM_KIND_RAISE, {0}, 1800, 10000},
    };
    hattari_holdem_view view;
    hattari_choice choice;
    memset(&view, 0, sizeof view);
    view.community = card(0, 0) | card(5, 1) | card(7, 2);
    view.pot = 1100;
    view.level = view.to_call = 900;
    view.hand = card(2, 0) | card(3, 1);
    expect(answer(&view, actions, 3).action == 0, "a hand without a pair folds to a big bet");
    view.pot = 3600;
    expect(answer(&view, actions, 3).action == 1, "a bet of a quarter of the pot is called");
    view.hand = card(10, 0) | card(10, 1);
    choice = answer(&view, actions, 3);
    expect(choice.action == 2 && choice.amount == 2700, "a pair raises by half the pot");
}

