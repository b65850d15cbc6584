//! What others have written: clients and servers of contests, games that were played elsewhere,
//! other programs' rules.

mod acpc;
mod pokerkit;
#[path = "../support/mod.rs"]
mod support;
mod uecda;
mod verify;
