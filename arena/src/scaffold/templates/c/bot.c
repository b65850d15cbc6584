/*
 * @NAME@: @ABOUT@.
 *
 * The function `decide` is the bot: change it. `make` builds the library, `make test` runs the
 * tests.
 *
 * include/hattari_bot.h contains the rest of the library, and explains how a bot stores data during
 * a block (a series of deals). include/hattari_@game@.h describes views and actions.
 */
#include "hattari_@game@.h"

#define HATTARI_BOT_ID "@NAME@" /* name of the bot within this library */
#define HATTARI_BOT_VERSION "0.1.0"
#define HATTARI_BOT_ABOUT "@ABOUT@"
#define HATTARI_BOT_GAME HATTARI_@GAME@_GAME
#define HATTARI_BOT_VIEW hattari_@game@_view
#define HATTARI_BOT_ACTION hattari_@game@_action
#include "hattari_bot.h"

@DECIDE@
