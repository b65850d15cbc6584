/*
 * @NAME@: @ABOUT@.
 *
 * `decide` chooses the action. `make` builds the library, `make test` runs the tests. include/hattari_bot.h documents the other
 * parts of a library, and how a bot keeps data during a block; include/hattari_@game@.h declares the records.
 */
#include "hattari_@game@.h"

#define HATTARI_BOT_ID "@NAME@" /* name of the bot in leagues, after the path of the library */
#define HATTARI_BOT_VERSION "0.1.0"
#define HATTARI_BOT_ABOUT "@ABOUT@"
#define HATTARI_BOT_GAME HATTARI_@GAME@_GAME
#define HATTARI_BOT_VIEW hattari_@game@_view
#define HATTARI_BOT_ACTION hattari_@game@_action
#include "hattari_bot.h"

@DECIDE@
