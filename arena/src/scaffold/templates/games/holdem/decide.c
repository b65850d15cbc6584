/* Returns the index of the first action of a kind, or the number of actions if there is none. */
static uint32_t find(const hattari_decision *decision, uint8_t kind)
{
    uint32_t i = 0;
    while (i < decision->action_count && hattari_holdem_action_at(decision, i)->kind != kind)
        i++;
    return i;
}

/* Returns 1 if a set has two cards of a rank; a rank is four neighbouring bits. */
static int has_pair(uint64_t set)
{
    for (; set != 0; set >>= 4) {
        uint64_t suits = set & 0xf;
        if ((suits & (suits - 1)) != 0)
            return 1;
    }
    return 0;
}

/*
 * Returns the index of an action and, for a raise, the amount: the total bet on the street. Raises by half the pot
 * with its own pair, calls at odds of four to one, otherwise checks or folds.
 */
static uint32_t decide(const hattari_holdem_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t raise = find(decision, HATTARI_HOLDEM_KIND_RAISE);
    uint32_t check = find(decision, HATTARI_HOLDEM_KIND_CHECK);
    int paired = has_pair(view->hand | view->community) && !has_pair(view->community);
    if (paired && raise < decision->action_count && view->raises < 2) {
        const hattari_holdem_action *range = hattari_holdem_action_at(decision, raise);
        int64_t total = view->level + view->pot / 2;
        *amount = total < range->lowest ? range->lowest : total > range->highest ? range->highest : total;
        return raise;
    }
    if (check < decision->action_count)
        return check;
    if (paired || view->to_call * 4 <= view->pot)
        return find(decision, HATTARI_HOLDEM_KIND_CALL);
    return find(decision, HATTARI_HOLDEM_KIND_FOLD);
}
