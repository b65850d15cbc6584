//! What host and bots share: the C interface ([`abi`]), the records of every game (re-exported as [`games`]), and the
//! Rust SDK that makes a bot one file without unsafe code.

pub mod abi;

pub use hattari_games as games;
