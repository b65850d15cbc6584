//! How a command ended.

/// How a command ended, for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All well: exit code 0.
    Done,
    /// The command did its work and found what it was asked to look for (mismatches, faults): exit
    /// code 1.
    Found,
    /// Stopped by the user before the end; what is finished is kept: exit code 130.
    Interrupted,
}
