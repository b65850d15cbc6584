//! The bots of this package as a library, loaded as any stranger's: to compare both ways to host the same bots.
//! `cargo build -p hattari-bots-daihinmin --example daihinmin`

hattari_bots_daihinmin::every_bot!(hattari_plugin::export_bots);
