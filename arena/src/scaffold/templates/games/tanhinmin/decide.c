/*
 * Returns the index of the action to play. The pass is first in the list; then come the cards, the
 * weakest first. Keeps its weakest card for the end. `amount` is not used in this game.
 */
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
