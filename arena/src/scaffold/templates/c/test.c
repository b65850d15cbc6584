/*
 * Tests of @NAME@: hand-made positions and the expected answers. `make test` runs them.
 *
 * The bot is called through hattari_entry, as by the host.
 */
#include "@NAME@.c"

#include <stdio.h>

static int failures;

/* Prints and counts the result of a check. */
static void expect(int is_right, const char *what)
{
    printf("%s  %s\n", is_right ? "ok    " : "FAILED", what);
    failures += !is_right;
}

/* Returns the answer of a new instance of the bot to this view with these legal actions. */
static hattari_choice answer(const hattari_@game@_view *view, const hattari_@game@_action *actions, uint32_t n)
{
    const hattari_bot_factory *bots = (const hattari_bot_factory *)hattari_entry.get_factory(HATTARI_FACTORY_BOTS);
    hattari_choice choice = {sizeof choice, UINT32_MAX, 0};
    hattari_text none = {NULL, 0};
    hattari_block_info block;
    hattari_decision decision;
    hattari_bot *it = NULL;
    memset(&block, 0, sizeof block);
    block.struct_size = sizeof block;
    block.game.ptr = HATTARI_@GAME@_GAME;
    block.game.len = strlen(HATTARI_@GAME@_GAME);
    memset(&decision, 0, sizeof decision);
    decision.struct_size = sizeof decision;
    decision.view_size = sizeof *view;
    decision.view = view;
    decision.actions = actions;
    decision.action_count = n;
    decision.action_stride = sizeof *actions;
    if (bots->create(bots->descriptor(0)->id, NULL, none, NULL, 0, &it) == HATTARI_OK) {
        if (it->functions->block_start(it, &block) == HATTARI_OK)
            it->functions->act(it, &decision, &choice);
        it->functions->destroy(it);
    }
    return choice;
}

@POSITIONS@
int main(void)
{
    positions();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
