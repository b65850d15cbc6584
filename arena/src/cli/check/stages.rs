//! The progress of a check.

use crate::cli::output;
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A display of the progress of a check on stderr: one line that is overwritten on a terminal,
/// otherwise a new line every few seconds.
pub(super) struct Stages {
    is_silent: bool,
    is_terminal: bool,
    /// Time of the last printed line.
    last_printed: Cell<Instant>,
}

impl Stages {
    /// Interval between lines if stderr is not a terminal.
    const LINE_EVERY: Duration = Duration::from_secs(5);

    /// Creates the display. If `is_silent` is true, it shows nothing.
    pub(super) fn new(is_silent: bool) -> Stages {
        Stages {
            is_silent,
            is_terminal: std::io::stderr().is_terminal(),
            last_printed: Cell::new(Instant::now()),
        }
    }

    /// Shows the current step of the check.
    pub(super) fn tell(&self, text: &str) {
        if self.is_silent {
            return;
        }
        if self.is_terminal {
            output::replace_line(format_args!("  {text} …"));
        } else if self.last_printed.get().elapsed() >= Stages::LINE_EVERY {
            self.last_printed.set(Instant::now());
            output::tell(format_args!("  {text} …"));
        }
    }

    /// Clears the line of the display on a terminal.
    pub(super) fn clear(&self) {
        if self.is_terminal && !self.is_silent {
            output::replace_line("");
        }
    }
}
