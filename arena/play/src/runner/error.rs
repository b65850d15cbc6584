//! Errors of a run, and the description of a fault in messages.

use crate::store::StoreError;
use hattari_agents::record::{Fault, JobId};
use hattari_agents::text;

/// The reason why a run ended early. All finished blocks are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A fault occurred in a league with `faults: stop`.
    #[error(
        "stopped by a fault (`faults: stop` in the league): {}. The block is stored with its \
        fault; run again to continue with the next one",
        describe_fault(*job, entrant, fault)
    )]
    Stopped {
        /// The block, which is in the store.
        job: JobId,
        /// Name of the entrant.
        entrant: String,
        /// The first fault of the block.
        fault: Fault,
    },
    /// The host panicked in some blocks, or outside of blocks; all other blocks are in the store.
    #[error("{}", describe_panics(.0))]
    Panicked(Vec<HostPanic>),
    /// The host cannot continue with a bot without breaking its guarantees, or the system could not
    /// start a thread.
    #[error("{0}")]
    Other(String),
}

/// A panic of the host during a run.
#[derive(Debug)]
pub struct HostPanic {
    /// The block; `None` for a panic outside of blocks.
    pub job: Option<JobId>,
    /// Message of the panic.
    pub message: String,
}

/// Describes a fault of an entrant in a sentence. Text of the bot is escaped.
pub(crate) fn describe_fault(job: JobId, entrant: &str, fault: &Fault) -> String {
    let deal = fault.deal;
    let kind = fault.kind.name();
    let message = text::escape_for_sentence(&fault.message);
    format!("{entrant} in {job}, deal {deal} ({kind}): {message}")
}

fn describe_panics(panics: &[HostPanic]) -> String {
    let list: String = panics
        .iter()
        .map(|HostPanic { job, message }| match job {
            Some(job) => format!("\n  {job}: {message}"),
            None => format!("\n  outside of blocks: {message}"),
        })
        .collect();
    format!(
        "internal error of Hattari in some blocks (please report it); all other blocks are \
        stored:{list}"
    )
}
