/* Returns the index of the first action of a kind, or the number of actions if there is none. */
static uint32_t find(const hattari_decision *decision, uint8_t kind)
{
    uint32_t i = 0;
    while (i < decision->action_count && hattari_stud_action_at(decision, i)->kind != kind)
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
 * Returns the index of an action and, for a raise, the amount: the total bet on the street. Bets the minimum with a
 * pair, otherwise pays up to a quarter of the pot. In stud in seven turns, turns up the lowest hidden card.
 */
static uint32_t decide(const hattari_stud_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t none = decision->action_count;
    uint32_t raise = find(decision, HATTARI_STUD_KIND_RAISE);
    uint32_t stay = find(decision, HATTARI_STUD_KIND_CHECK);
    int paired = has_pair(view->hand);
    if (view->phase == HATTARI_STUD_PHASE_OPEN)
        return 0;
    if (stay == none)
        stay = find(decision, HATTARI_STUD_KIND_CALL);
    if (stay == none)
        stay = find(decision, HATTARI_STUD_KIND_BRING_IN);
    if (raise != none && (stay == none || (paired && view->raises < 2))) {
        *amount = hattari_stud_action_at(decision, raise)->lowest;
        return raise;
    }
    if (!paired && view->to_call * 4 > view->pot && find(decision, HATTARI_STUD_KIND_FOLD) != none)
        return find(decision, HATTARI_STUD_KIND_FOLD);
    return stay != none ? stay : 0;
}
