/* The first action of a kind; the number of actions where there is none. */
static uint32_t find(const hattari_decision *decision, uint8_t kind)
{
    uint32_t i = 0;
    while (i < decision->action_count && hattari_stud_action_at(decision, i)->kind != kind)
        i++;
    return i;
}

/* Whether a set has two cards of a rank, which is four neighbouring bits. */
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
 * Your turn: the index of an action and, for a raise, the amount, which is the total of the street. Bets the least with a
 * pair, pays a quarter of the pot for less. In the game of seven turns it turns up the first hidden card offered, the lowest.
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
