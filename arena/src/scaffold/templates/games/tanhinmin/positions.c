static void positions(void)
{
    static const hattari_tanhinmin_action actions[] = {
        {HATTARI_TANHINMIN_KIND_PASS, HATTARI_TANHINMIN_NONE, 0},
        {HATTARI_TANHINMIN_KIND_PLAY, 3, 0},
        {HATTARI_TANHINMIN_KIND_PLAY, 9, 0},
    };
    hattari_tanhinmin_view view;
    memset(&view, 0, sizeof view);
    view.hand = UINT64_C(1) << 3 | UINT64_C(1) << 9;
    expect(answer(&view, actions, 3).action == 2, "the weakest card is kept");
    expect(answer(&view, actions, 2).action == 0, "the bot passes rather than play its weakest card");
    view.hand = UINT64_C(1) << 3;
    expect(answer(&view, actions, 2).action == 1, "the last card is played");
}

