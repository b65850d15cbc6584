//! Ctrl-C and SIGTERM: the first asks a run to stop after the running blocks, the second ends the
//! process.
//!
//! SIGHUP is left as it is: under `nohup` it is ignored and the league goes on when the terminal is
//! closed.

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Exit code of a process that a signal has interrupted.
const INTERRUPTED: i32 = 130;

/// A flag that the first signal sets.
///
/// # Errors
/// The system refuses the handlers.
pub(super) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("signals cannot be handled")?;
    let flag = Arc::clone(&stop);
    let listen = move || {
        for _ in signals.forever() {
            if flag.swap(true, Ordering::Relaxed) {
                eprintln!("\nstopped at once; finished blocks are kept");
                // Without the destructors: a bot that hangs must not hold the exit up. The store is
                // safe as it is.
                signal_hook::low_level::exit(INTERRUPTED);
            }
        }
    };
    thread::Builder::new()
        .name("signals".into())
        .spawn(listen)
        .context("no thread for signals")?;
    Ok(stop)
}
