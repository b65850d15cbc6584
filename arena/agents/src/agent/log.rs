//! Log messages of bots.

use super::output;
use hattari_plugin::abi;
use std::sync::OnceLock;

/// Maximum length of a message in bytes; the rest is cut off.
pub(crate) const MESSAGE_BYTES_MAX: u64 = 4096;
/// Maximum number of messages of one instance; later ones are dropped.
pub(crate) const MESSAGES_MAX: u32 = 1_000;
/// A receiver of bots' messages that replaces this process's log.
struct LogSink {
    wants_debug: bool,
    write: fn(level: i32, text: &str),
}

static SINK: OnceLock<LogSink> = OnceLock::new();

/// Sends all messages of bots to `write` instead of the log. Workers need this because they have no
/// log of their own. Only the first call has an effect.
pub(crate) fn send_log_to(wants_debug: bool, write: fn(level: i32, text: &str)) {
    _ = SINK.set(LogSink { wants_debug, write });
}

/// Returns `true` if messages of this level are logged. Debug messages that are not logged must not
/// slow a bot down.
pub(crate) fn is_wanted(level: i32) -> bool {
    let debug = || {
        SINK.get().map_or_else(
            || tracing::enabled!(target: "hattari::bot", tracing::Level::DEBUG),
            |sink| sink.wants_debug,
        )
    };
    level > abi::LOG_DEBUG || debug()
}

/// Sends a message of `bot` to the receiver set by [`send_log_to`] or, without one, to the log.
pub(crate) fn write(level: i32, bot: &str, text: &str) {
    match SINK.get() {
        Some(sink) => (sink.write)(level, text),
        None => log(level, bot, text),
    }
}

/// Writes a message of `bot` to the log.
pub(crate) fn log(level: i32, bot: &str, text: &str) {
    if level > abi::LOG_DEBUG {
        output::collect_output(text);
    }
    match level {
        ..=abi::LOG_DEBUG => tracing::debug!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_INFO => tracing::info!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_WARNING => tracing::warn!(target: "hattari::bot", "{bot}: {text}"),
        _ => tracing::error!(target: "hattari::bot", "{bot}: {text}"),
    }
}
