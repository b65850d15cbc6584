//! Our bots at other people's tables: a bot plays as a client of a contest's server.
//!
//! Here a game is followed by what the server shows, and by nothing else: the rules' own state is
//! not known.

pub mod acpc;
pub mod player;
pub mod uecda;
