//! Bots that are programs in any language. The host starts them and communicates through their
//! standard input and output. Messages are JSON lines or, if a program requests it, the frames that
//! workers use. A process plays one block and then exits.
//!
//! By default, only the time of a program is limited, and its memory if a league sets a limit. The
//! user must therefore trust the program; `play/trust.rs` checks this before it plays. With
//! `isolation: process` it runs in a sandbox (`launcher.rs`) and need not be trusted. [`messages`]
//! describes the protocol; the guide is generated from it.

mod answer;
mod bot;
#[cfg(target_os = "linux")]
mod init;
mod json;
mod kind;
#[cfg(target_os = "linux")]
mod launcher;
mod launcher_message;
pub mod messages;
mod spec;

mod agent;
mod pipe;
mod talk;
mod writer;

pub use kind::ProgramBackend;
#[cfg(target_os = "linux")]
pub use launcher::run_launcher;
