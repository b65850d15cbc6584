//! The host's state for an instance of a compiled bot (library or WebAssembly): log, clock and
//! random stream.

use super::deadline::Deadline;
use super::log::MESSAGES_MAX;
use super::{log, numbers};
use hattari_plugin::abi;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

/// The log, the clock and the random stream of an instance.
pub(super) struct InstanceState {
    /// Name of the bot in the log.
    bot: String,
    /// Number of messages that the bot may still log.
    messages_left: u32,
    /// Deadline of the current decision; `None` if there is no limit.
    pub deadline: Option<Deadline>,
    pub chance: ChaCha12Rng,
}

impl InstanceState {
    pub(super) fn new(bot: &str) -> InstanceState {
        InstanceState {
            bot: bot.to_owned(),
            messages_left: MESSAGES_MAX,
            deadline: None,
            chance: random_stream(0),
        }
    }

    /// Restarts the random stream from `seed` and resets the message count.
    pub(super) fn restart(&mut self, seed: u64) {
        self.chance = random_stream(seed);
        self.messages_left = MESSAGES_MAX;
    }

    /// Logs a message of the bot, up to [`MESSAGES_MAX`] messages. Debug messages that are not
    /// logged do not count.
    pub(super) fn log(&mut self, level: i32, message: &str) {
        if self.messages_left > 0 && log::is_wanted(level) {
            self.messages_left -= 1;
            log::write(level, &self.bot, message);
        }
    }

    /// Stores a number that the bot logs for the decision. If the number is not valid, logs a
    /// warning with the reason.
    pub(super) fn log_number(&mut self, name: &str, number: f64) -> abi::Status {
        match numbers::log(name, number) {
            Ok(()) => abi::OK,
            Err(refusal) => {
                self.log(abi::LOG_WARNING, &refusal);
                abi::E_FAIL
            }
        }
    }

    /// Returns the microseconds left for the decision; `i64::MAX` if there is no limit.
    pub(super) fn time_left_us(&self) -> i64 {
        self.deadline.map_or(i64::MAX, Deadline::left_us)
    }

    /// Returns `true` once the deadline of the decision has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_past)
    }
}

/// Returns the random stream of an instance. The key makes it independent of all random numbers of
/// leagues.
pub(super) fn random_stream(seed: u64) -> ChaCha12Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..27].copy_from_slice(b"hattari bot service");
    ChaCha12Rng::from_seed(key)
}
