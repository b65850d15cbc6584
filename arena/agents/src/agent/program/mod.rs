//! Bots that are programs in any language. The host starts them and communicates through their
//! standard input and output. Messages are JSON lines or, if a program requests it, the frames that
//! workers use. A process plays one block and then exits.
//!
//! By default, only the time of a program is limited, and its memory if a league sets a limit. The
//! user must therefore trust the program; `play/trust.rs` checks this before it plays. With
//! `isolation: process` it runs in a sandbox (`launcher.rs`) and need not be trusted. The guide
//! `bots/programs/README.md` describes the protocol.

mod answer;
mod kind;
#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod launcher;

mod agent;
mod talk;
mod writer;

pub use kind::ProgramBackend;

linux! {
    mod launcher;

    pub use launcher::run_launcher;
}
