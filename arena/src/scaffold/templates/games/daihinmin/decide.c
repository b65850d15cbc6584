/* Returns the cost of a play. Passes come last, the joker before them; a revolution reverses the order of ranks. */
static uint32_t cost(const hattari_daihinmin_action *action, int reversed)
{
    uint32_t strength = reversed ? 15u - action->column : action->column;
    if (action->kind == HATTARI_DAIHINMIN_KIND_PASS)
        return 1000;
    if ((action->cards & HATTARI_DAIHINMIN_JOKER_SET) != 0)
        return 500;
    return 20 * strength - action->count;
}

/* Returns the index of an action. There are no amounts in this game. */
static uint32_t decide(const hattari_daihinmin_view *view, const hattari_decision *decision, int64_t *amount)
{
    int reversed = view->revolution != view->eleven_back;
    uint32_t i, best = 0;
    (void)amount;
    /* Cards to give away: the sets are listed from the strongest to the weakest. */
    if (view->phase == HATTARI_DAIHINMIN_PHASE_EXCHANGE)
        return decision->action_count - 1;
    for (i = 1; i < decision->action_count; i++) {
        if (cost(hattari_daihinmin_action_at(decision, i), reversed) <
            cost(hattari_daihinmin_action_at(decision, best), reversed))
            best = i;
    }
    return best;
}
