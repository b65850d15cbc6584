//! Messages of bots for the log.

use super::said;
use hattari_plugin::abi;
use std::sync::OnceLock;

/// Bytes of one message that are kept.
pub(crate) const MESSAGE_BYTES_MAX: u64 = 4096;
/// Messages that one instance may write; later ones are dropped.
pub(crate) const MESSAGES_MAX: u32 = 10_000;
/// Where messages of bots go instead of this process's log.
struct Sink {
    wants_debug: bool,
    write: fn(level: i32, text: &str),
}

static SINK: OnceLock<Sink> = OnceLock::new();

/// Sends all messages of bots elsewhere from now on: a worker has no log of its own. Only the first
/// call counts.
pub(crate) fn send_log_to(wants_debug: bool, write: fn(level: i32, text: &str)) {
    _ = SINK.set(Sink { wants_debug, write });
}

/// Returns whether messages of that level are read. Debug messages that nobody reads must not cost a
/// bot its speed.
pub(crate) fn is_wanted(level: i32) -> bool {
    let debug = || {
        SINK.get().map_or_else(
            || tracing::enabled!(target: "hattari::bot", tracing::Level::DEBUG),
            |sink| sink.wants_debug,
        )
    };
    level > abi::LOG_DEBUG || debug()
}

/// Writes a message of `bot` to where messages of bots go.
pub(crate) fn write(level: i32, bot: &str, text: &str) {
    match SINK.get() {
        Some(sink) => (sink.write)(level, text),
        None => log(level, bot, text),
    }
}

/// Writes a message of `bot` to the log.
pub(crate) fn log(level: i32, bot: &str, text: &str) {
    if level > abi::LOG_DEBUG {
        said::hear(text);
    }
    match level {
        ..=abi::LOG_DEBUG => tracing::debug!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_INFO => tracing::info!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_WARNING => tracing::warn!(target: "hattari::bot", "{bot}: {text}"),
        _ => tracing::error!(target: "hattari::bot", "{bot}: {text}"),
    }
}
