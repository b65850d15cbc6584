//! All compiled bots of the project, for programs that link them: the `hattari` command, its tests
//! and benches.

use hattari_plugin::Collection;

/// The bots of every game, a collection for each.
pub static ALL: &[&Collection] = &[
    &hattari_bots_bridge::bots::BOTS,
    &hattari_bots_daihinmin::bots::BOTS,
    &hattari_bots_holdem::bots::BOTS,
    &hattari_bots_stud::bots::BOTS,
    &hattari_bots_tanhinmin::bots::BOTS,
];
