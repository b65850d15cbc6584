//! Instances of compiled bots (libraries and WebAssembly): the host's state for an instance (log,
//! clock and random stream), and agents that create a new instance for each block.

use super::log::{self, MESSAGES_MAX};
use super::status::{no_instance, not_started};
use super::{Agent, AgentResult, DealNotices, FaultScope, Notice, Turn, numbers};
use hattari_plugin::{Choice, abi};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::time::{Duration, Instant};

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

const NANOS_PER_MICRO: i64 = 1000;

/// A deadline on the monotonic clock.
#[derive(Clone, Copy)]
pub(super) struct Deadline(Instant);

impl Deadline {
    /// Returns the deadline `micros` microseconds from now.
    pub(super) fn after(micros: i64) -> Deadline {
        Deadline(Instant::now() + Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
    }

    /// Returns the nanoseconds left; negative after the deadline.
    fn left_ns(self) -> i64 {
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        let now = Instant::now();
        nanos(self.0.saturating_duration_since(now)) - nanos(now.saturating_duration_since(self.0))
    }

    /// Returns the microseconds left; negative after the deadline.
    pub(super) fn left_us(self) -> i64 {
        self.left_ns().div_euclid(NANOS_PER_MICRO)
    }

    /// Returns `true` once the deadline has passed.
    fn is_past(self) -> bool {
        self.left_ns() <= 0
    }

    /// Returns the delay in nanoseconds of an answer given now; 0 or less if the answer is in time.
    pub(super) fn overdue(self) -> i64 {
        -self.left_ns()
    }
}

/// An agent that creates an instance `A` with `F` for each block. An instance that cannot be called
/// again is dropped.
pub(super) struct PerBlockAgent<A, F> {
    create_instance: F,
    instance: Option<A>,
    /// `true` until the first block starts.
    is_unused: bool,
}

impl<A: Agent, F: FnMut() -> AgentResult<A>> PerBlockAgent<A, F> {
    /// Creates the first instance now, so that an invalid config is reported before any game is
    /// played.
    ///
    /// # Errors
    /// Returns an error if the instance cannot be created.
    pub(super) fn new(mut create_instance: F) -> AgentResult<PerBlockAgent<A, F>> {
        Ok(PerBlockAgent {
            instance: Some(create_instance()?),
            create_instance,
            is_unused: true,
        })
    }

    #[inline]
    fn call<T>(&mut self, call: impl FnOnce(&mut A) -> AgentResult<T>) -> AgentResult<T> {
        let outcome = call(self.instance.as_mut().ok_or_else(no_instance)?);
        if let Err(agent_error) = &outcome
            && agent_error.scope != FaultScope::Decision
        {
            self.instance = None;
        }
        outcome
    }
}

impl<A: Agent, F: FnMut() -> AgentResult<A>> Agent for PerBlockAgent<A, F> {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        if let Notice::BlockStart(_) = notice {
            if !std::mem::take(&mut self.is_unused) {
                self.instance = None;
                self.instance = Some((self.create_instance)()?);
            }
            // The instance must not be called again, whatever error prevented the start.
            return self.call(|instance| instance.notify(notice).map_err(not_started));
        }
        let outcome = self.call(|instance| instance.notify(notice));
        if let Notice::BlockEnd = notice {
            self.instance = None;
        }
        outcome
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        self.call(|instance| instance.act(turn))
    }

    fn uses(&self) -> DealNotices {
        self.instance.as_ref().map(A::uses).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expired_and_very_distant_deadlines_report_their_remaining_time() {
        let past = Deadline::after(-1);
        assert!(past.is_past() && 0 <= past.overdue() && past.left_us() <= 0);
        let far = Deadline::after(i64::MAX);
        assert!(!far.is_past() && far.overdue() < 0 && 0 < far.left_us());
        let hour = Deadline::after(3_600_000_000);
        assert!((1..=3_600_000_000).contains(&hour.left_us()));
    }
}
