/* Returns a play of `number` cards of a column: column 1 is the threes, column 13 the twos. */
static hattari_daihinmin_action play(uint8_t column, uint8_t number)
{
    hattari_daihinmin_action action;
    memset(&action, 0, sizeof action);
    action.kind = number == 1 ? HATTARI_DAIHINMIN_KIND_SINGLE : HATTARI_DAIHINMIN_KIND_GROUP;
    action.column = column;
    action.count = number;
    return action;
}

static void positions(void)
{
    hattari_daihinmin_view view;
    hattari_daihinmin_action actions[3];
    memset(&view, 0, sizeof view);
    view.phase = HATTARI_DAIHINMIN_PHASE_PLAY;
    memset(actions, 0, sizeof actions); /* the first action is a pass */
    actions[1] = play(12, 1);
    actions[2] = play(3, 1);
    expect(answer(&view, actions, 3).action == 2, "the weakest card is played first");
    view.revolution = 1;
    expect(answer(&view, actions, 3).action == 1, "a revolution reverses the order of the ranks");
    view.revolution = 0;
    actions[1] = play(3, 2);
    expect(answer(&view, actions, 3).action == 1, "two cards are played rather than one");
    view.phase = HATTARI_DAIHINMIN_PHASE_EXCHANGE;
    memset(actions, 0, sizeof actions);
    actions[0].kind = actions[1].kind = HATTARI_DAIHINMIN_KIND_GIVE;
    actions[0].cards = HATTARI_DAIHINMIN_JOKER_SET;
    actions[1].cards = HATTARI_DAIHINMIN_SPADE_3;
    expect(answer(&view, actions, 2).action == 1, "the weakest card is given away");
}

