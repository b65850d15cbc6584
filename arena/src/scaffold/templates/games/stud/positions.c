/* Returns the set that contains one card. Rank 0 is the two, rank 12 is the ace. */
static uint64_t card(uint32_t rank, uint32_t suit)
{
    return UINT64_C(1) << (4 * rank + suit);
}

static void positions(void)
{
    static const hattari_stud_action actions[] = {
        {HATTARI_STUD_KIND_FOLD, HATTARI_STUD_NONE, {0}, 0, 0},
        {HATTARI_STUD_KIND_CALL, HATTARI_STUD_NONE, {0}, 20, 20},
        {HATTARI_STUD_KIND_RAISE, HATTARI_STUD_NONE, {0}, 40, 40},
    };
    hattari_stud_view view;
    hattari_choice choice;
    memset(&view, 0, sizeof view);
    view.to_call = 20;
    view.pot = 60;
    view.hand = card(0, 0) | card(7, 2) | card(11, 1);
    expect(answer(&view, actions, 3).action == 0, "a bet of a third of the pot is not called without a pair");
    view.pot = 100;
    expect(answer(&view, actions, 3).action == 1, "a bet of a fifth of the pot is called");
    view.hand = card(7, 0) | card(7, 2) | card(11, 1);
    choice = answer(&view, actions, 3);
    expect(choice.action == 2 && choice.amount == 40, "a pair bets");
}

