//! Bots that are programs of any language: the host starts them and speaks with them through their
//! standard input and output, in lines of JSON or, where a program asks for it, in the frames that
//! workers speak. A process serves one block and ends with it.
//!
//! Nothing holds a program but time, and memory where a league says how much, so it runs only where
//! the user trusts it; what lies in `play/trust.rs` is asked before one is seated here. With
//! `isolation: process` it runs in a sandbox (`launcher.rs`) and asks for no trust. [`messages`]
//! is the protocol in words, and what its guide is made from.

mod answer;
mod bot;
#[cfg(target_os = "linux")]
mod init;
mod json;
mod kind;
#[cfg(target_os = "linux")]
mod launcher;
pub mod messages;
mod said;
mod terms;

mod agent;
mod pipe;
mod talk;
mod writer;

pub use kind::Programs;
#[cfg(target_os = "linux")]
pub use launcher::run_launcher;
