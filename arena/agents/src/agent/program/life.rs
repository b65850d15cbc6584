//! The process of a program: the host's own child, or one that a helper has started in a sandbox.

use super::pipe::Pipes;
use super::terms::Terms;
use crate::agent::Misstep;
use crate::agent::launch::Running;
use crate::agent::process::LastWords;
use crate::agent::process::exit::{End, Held, attribute};
#[cfg(target_os = "linux")]
use crate::agent::process::supervisor::{Supervisor, end_of};
use crate::record::FaultKind;
use std::time::Duration;

/// The process of a program. Dropping it ends it and all that it has started.
#[derive(Debug)]
pub(super) enum Life {
    /// A child of the host.
    Direct(Running),
    /// In a sandbox, with what it writes to its error output.
    #[cfg(target_os = "linux")]
    Sandboxed(Supervisor, LastWords),
}

impl Life {
    /// Starts a process. Returns it with the pipes to it.
    ///
    /// # Errors
    /// It cannot be started, or is not held as its sandbox was.
    pub(super) fn begin(terms: &Terms) -> Result<(Life, Pipes), Misstep> {
        #[cfg(target_os = "linux")]
        if let Some((spec, before)) = &terms.sandbox {
            let (supervisor, words, pipes) = super::sandboxed::begin(terms, spec, before)?;
            return Ok((Life::Sandboxed(supervisor, words), pipes));
        }
        let start = |what: String| Misstep::new(FaultKind::Start, what);
        let (running, input, output) = terms.launch.converse().map_err(start)?;
        if let Some(memory) = terms.memory {
            running.limit_memory(memory).map_err(start)?;
        }
        Ok((Life::Direct(running), Pipes::new(input, output)?))
    }

    /// Returns what it has written to its error output.
    pub(super) fn words(&mut self) -> &mut LastWords {
        match self {
            Life::Direct(running) => running.output(),
            #[cfg(target_os = "linux")]
            Life::Sandboxed(_, words) => words,
        }
    }

    /// Waits for its end for so long at most. Returns `otherwise` where it does not end by itself.
    pub(super) fn end(&mut self, patience: Duration, otherwise: End) -> End {
        match self {
            Life::Direct(running) => running
                .ending_within(patience)
                .map_or(otherwise, End::Exited),
            #[cfg(target_os = "linux")]
            Life::Sandboxed(supervisor, _) => end_of(supervisor.end(patience), otherwise),
        }
    }

    /// Returns the fault of a program that has ended in this way.
    pub(super) fn attribute(&self, call: &str, end: End) -> Misstep {
        match self {
            Life::Direct(_) => {
                let held = Held {
                    limits: None,
                    could_use: Duration::ZERO,
                    cannot_kill: false,
                };
                attribute(call, end, &held)
            }
            #[cfg(target_os = "linux")]
            Life::Sandboxed(supervisor, _) => supervisor.attribute(call, end),
        }
    }

    /// Looks from outside whether all that a sandboxed program has started by now is held.
    ///
    /// # Errors
    /// What is not as it must be.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
    pub(super) fn inspect(&self, pipes: &Pipes) -> Result<(), String> {
        match self {
            Life::Direct(_) => Ok(()),
            #[cfg(target_os = "linux")]
            Life::Sandboxed(supervisor, words) => {
                super::sandboxed::inspect(supervisor, pipes.files().chain(words.id()))
            }
        }
    }
}
