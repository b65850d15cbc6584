//! What holds a program that nobody trusts: a room of its own, made anew for every block.
//!
//! The host starts this same program as a *jailer* (`hattari worker --program`), with the pipes
//! that the bot is going to have. The jailer enters name spaces of its own, and its child there,
//! the first process of a space of processes, builds the room (`room`), gives up all it can
//! (`hold`), and starts the program in it. When the program ends, that first process ends, and the
//! kernel ends all that are left in its space; when the host ends, so does the jailer, and with it
//! the first process. What is shown of the file system is decided by the host (`sight`), and
//! once the program has greeted the host looks from outside at what holds it (`look`).

mod cell;
mod said;

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod first;
#[cfg(target_os = "linux")]
mod hold;
#[cfg(target_os = "linux")]
mod jailer;
#[cfg(target_os = "linux")]
mod look;
#[cfg(target_os = "linux")]
mod room;
#[cfg(target_os = "linux")]
mod sight;

pub(super) use cell::Cell;
#[cfg(not(target_os = "linux"))]
pub(super) use cell::cell;
#[cfg(not(target_os = "linux"))]
pub use cell::serve;
#[cfg(target_os = "linux")]
pub use jailer::serve;
pub(super) use said::Said;
#[cfg(target_os = "linux")]
pub(super) use {
    jailer::prove,
    look::{FileId, look},
    sight::cell,
};
