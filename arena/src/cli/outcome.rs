//! The result of a command.

/// The result of a command; determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success: exit code 0.
    Done,
    /// The command succeeded and found what it looks for (mismatches, faults): exit code 1.
    Found,
    /// Stopped by the user; finished work is kept: exit code 130.
    Interrupted,
}
