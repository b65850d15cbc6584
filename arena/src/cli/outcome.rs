//! The outcomes of commands.

/// The error of a command that the user stopped, and that has no result then: exit code 130.
pub(super) use hattari_study::Interrupted;

/// The outcome of a command, which determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success: exit code 0.
    Done,
    /// The command succeeded and found problems of the kind that it looks for (mismatches, faults):
    /// exit code 1.
    Found,
    /// The user stopped the command; finished work is kept: exit code 130.
    Interrupted,
}

impl Outcome {
    /// Returns [`Outcome::Found`] if `found` is true, otherwise [`Outcome::Done`].
    #[must_use]
    pub fn of_search(found: bool) -> Outcome {
        if found { Outcome::Found } else { Outcome::Done }
    }
}
