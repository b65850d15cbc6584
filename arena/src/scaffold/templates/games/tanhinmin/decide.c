/* Returns the index of an action: a pass comes first, then cards from the weakest on. There are no amounts. */
static uint32_t decide(const hattari_tanhinmin_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint64_t weakest = view->hand & (~view->hand + 1);
    uint32_t i;
    (void)amount;
    for (i = 0; i < decision->action_count; i++) {
        const hattari_tanhinmin_action *action = hattari_tanhinmin_action_at(decision, i);
        if (action->kind == HATTARI_TANHINMIN_KIND_PLAY &&
            (UINT64_C(1) << action->card != weakest || view->hand == weakest))
            return i;
    }
    return 0;
}
