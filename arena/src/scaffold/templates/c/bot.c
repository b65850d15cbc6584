/*
 * @NAME@: @ABOUT@.
 *
 * `decide` is the bot. `make` builds the library, `make test` tests it. What every library needs besides, and how a bot keeps
 * something in a block, stands in include/hattari_bot.h, what the records hold in include/hattari_@game@.h.
 */
#include "hattari_@game@.h"

#define HATTARI_BOT_ID "@NAME@" /* what a league calls it, after the library's name */
#define HATTARI_BOT_VERSION "0.1.0"
#define HATTARI_BOT_ABOUT "@ABOUT@"
#define HATTARI_BOT_GAME HATTARI_@GAME@_GAME
#define HATTARI_BOT_VIEW hattari_@game@_view
#define HATTARI_BOT_ACTION hattari_@game@_action
#include "hattari_bot.h"

@DECIDE@
