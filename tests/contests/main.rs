//! Tests with external programs and data: clients and servers of contests, recorded games, and
//! rules of other programs.

mod acpc;
mod place;
mod pokerkit;
#[path = "../support/mod.rs"]
mod support;
mod uecda;
mod verify;
