//! Bots that are programs of any language: the host starts them and speaks with them through their
//! standard input and output, in lines of JSON or, where a program asks for it, in the frames that
//! workers speak. A process serves one block and ends with it.
//!
//! Nothing holds a program but time, and memory where a league says how much, so it runs only where
//! the user trusts it; what lies in `play/trust.rs` is asked before one is seated here. With
//! `isolation: process` it runs in a sandbox, which a helper makes (`worker/`), and asks for no trust. [`messages`]
//! is the protocol in words, and what its guide is made from.

mod answer;
mod bot;
mod json;
mod kind;
mod life;
pub mod messages;
#[cfg(target_os = "linux")]
mod sandboxed;
mod terms;

mod agent;
mod pipe;
mod talk;
mod writer;

pub use bot::ProgramBot;
pub use kind::Programs;
pub use terms::PROTOCOL;
