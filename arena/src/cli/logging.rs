//! Logging to stderr. By default, warnings and errors are logged.

use anyhow::Context;
use hattari_agents::agent::lock;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Environment variable with filters such as `hattari=debug,hattari::bot=trace`. It overrides `-v`.
pub(super) const LOG_VARIABLE: &str = "HATTARI_LOG";

/// Sets up logging. `verbose` is the number of `-v` options.
///
/// # Errors
/// Returns an error if `HATTARI_LOG` contains an invalid filter.
pub(super) fn set_up(verbose: u8) -> anyhow::Result<()> {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = match std::env::var(LOG_VARIABLE) {
        Ok(text) if !text.trim().is_empty() => text.parse::<Targets>().with_context(|| {
            format!("{LOG_VARIABLE}={text} is not a filter such as `debug` or `hattari::bot=trace`")
        })?,
        _ => Targets::new().with_default(level),
    };
    let colours = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let log = fmt::layer()
        .with_ansi(colours)
        .with_writer(|| AboveBar)
        // A message about a failed write to stderr would fail too, with a panic.
        .log_internal_errors(false);
    // Times and targets are logged only for debugging.
    let log = if verbose < 2 {
        log.without_time().with_target(false).boxed()
    } else {
        log.boxed()
    };
    let set = tracing_subscriber::registry().with(log.with_filter(filter));
    set.try_init().context("cannot set up logging")
}

/// The progress bar that is currently shown.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Sets the progress bar, or removes it if `bar` is `None`. Log messages are written above the bar.
pub(super) fn set_progress_bar(bar: Option<&ProgressBar>) {
    *lock(&BAR) = bar.cloned();
}

/// A writer to stderr that hides the progress bar while it writes.
struct AboveBar;

impl Write for AboveBar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bar = lock(&BAR).clone();
        let write = || io::stderr().lock().write_all(bytes).map(|()| bytes.len());
        bar.map_or_else(write, |bar| bar.suspend(write))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
