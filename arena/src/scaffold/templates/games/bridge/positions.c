enum { TWO = 0, NINE = 7, JACK = 9, QUEEN = 10, ACE = 12 };

static void positions(void)
{
    /* All cards are spades: their numbers are their ranks. */
    static const hattari_bridge_action actions[] = {{ACE, 0, {0}}, {JACK, 0, {0}}, {TWO, 0, {0}}};
    hattari_bridge_view view;
    memset(&view, 0, sizeof view);
    view.strain = HATTARI_BRIDGE_STRAIN_NO_TRUMP;
    view.played_count = view.on_table = 1;
    view.cards[0] = NINE;
    expect(answer(&view, actions, 3).action == 1, "the trick is won with the cheapest card");
    view.played_count = view.on_table = 2;
    view.cards[0] = QUEEN;
    view.cards[1] = NINE;
    expect(answer(&view, actions, 3).action == 2, "a trick that partner wins is not overtaken");
}

