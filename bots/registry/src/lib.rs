//! All compiled bots of the project, for programs that link them: the `hattari` command, its tests
//! and benchmarks.

use hattari_plugin::Collection;

/// The bots of all games, one collection per game.
pub static ALL: &[&Collection] = &[
    &hattari_bots_bridge::bots::BOTS,
    &hattari_bots_daihinmin::bots::BOTS,
    &hattari_bots_holdem::bots::BOTS,
    &hattari_bots_stud::bots::BOTS,
    &hattari_bots_tanhinmin::bots::BOTS,
];
