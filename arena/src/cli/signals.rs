//! Handles Ctrl-C and SIGTERM. The first signal stops a run after the current blocks; the second
//! one ends the process.
//!
//! SIGHUP is not handled: under `nohup` it is ignored, and the league continues after the terminal
//! is closed.

use super::output;
use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Exit code after an interruption by a signal.
const INTERRUPTED: i32 = 130;

/// Returns a flag that the first signal sets.
///
/// # Errors
/// Returns an error if the signal handlers cannot be installed.
pub(super) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context(
        "cannot install the handler of \
        signals",
    )?;
    let flag = Arc::clone(&stop);
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for _ in signals.forever() {
                if flag.swap(true, Ordering::Relaxed) {
                    output::tell("\nstopped at once; finished blocks are kept");
                    // The process exits without running destructors, which a hanging bot could
                    // block. The store is always consistent.
                    signal_hook::low_level::exit(INTERRUPTED);
                }
            }
        })
        .context("cannot start the thread for signals")?;
    Ok(stop)
}
