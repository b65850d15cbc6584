//! The compiled bots of daihinmin in one file, as a stranger would hand them over: a module of
//! WebAssembly or a dynamic library. Tests compare what they play there with what they play in the
//! `hattari` command.

hattari_bots_daihinmin::every_bot!(hattari_plugin::export_bots);
