//! What the host keeps for an instance of a compiled bot, in a library or in a module of
//! WebAssembly: its log, its clock and its random stream.

use super::deadline::Deadline;
use super::log::{self, MESSAGES_MAX};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

/// The log, the clock and the random stream of an instance.
pub(super) struct InstanceState {
    /// The bot's name, for the log.
    bot: String,
    /// Messages that it may still write.
    messages_left: u32,
    /// When the decision under way must be answered; `None` where there is no limit.
    pub deadline: Option<Deadline>,
    pub chance: ChaCha12Rng,
}

impl InstanceState {
    pub(super) fn new(bot: &str) -> InstanceState {
        InstanceState {
            bot: bot.to_owned(),
            messages_left: MESSAGES_MAX,
            deadline: None,
            chance: stream(0),
        }
    }

    /// Starts the random stream that `seed` decides, and forgets how much was logged.
    pub(super) fn restart(&mut self, seed: u64) {
        self.chance = stream(seed);
        self.messages_left = MESSAGES_MAX;
    }

    /// Writes a message of the bot to the log, if it has not written too many. Debug messages that
    /// nobody reads do not count.
    pub(super) fn log(&mut self, level: i32, message: &str) {
        if self.messages_left > 0 && log::is_wanted(level) {
            self.messages_left -= 1;
            log::write(level, &self.bot, message);
        }
    }

    /// Returns the microseconds that are left for the decision.
    pub(super) fn time_left_us(&self) -> i64 {
        self.deadline.map_or(i64::MAX, Deadline::left_us)
    }

    /// Returns whether the time for the decision has run out.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_past)
    }
}

/// Returns the random stream of an instance: a node of its own, apart from all that leagues draw.
pub(super) fn stream(seed: u64) -> ChaCha12Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..27].copy_from_slice(b"hattari bot service");
    ChaCha12Rng::from_seed(key)
}
