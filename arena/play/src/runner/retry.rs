//! The repeated attempts to play a block whose bots are killed from outside or cannot be started.

use hattari_agents::record::{Fault, FaultKind};
use std::time::{Duration, Instant};

/// Minimum number of restarts of a block before a disturbance has consequences: a kill counts as a
/// crash of the bot, and a process that cannot be started ends the run. Without this limit and
/// [`RETRY_TIME_MIN`], a bot that the system kills for lack of memory would be retried forever.
const RESTARTS_MIN: u32 = 10;
/// Minimum time since the first attempt before a disturbance has consequences. Both limits must be
/// reached.
const RETRY_TIME_MIN: Duration = Duration::from_secs(20);
/// Number of external kills of a bot per block that are not charged to it. The next kill counts as
/// a crash. So a bot that provokes kills causes at most two replays of a block.
const KILLS_NOT_CHARGED: u32 = 2;
/// Pause before the first restart of a block; it increases by the same amount each time, because
/// the disturbance may last.
const PAUSE: Duration = Duration::from_millis(20);

/// The disturbed attempts to play a block.
pub(super) struct RetryState {
    started: Instant,
    restarts: u32,
    /// Number of external kills by place in the line-up.
    pub kills: Vec<u32>,
    /// True if a process could not be started in the last attempt.
    lacks_room: bool,
}

impl RetryState {
    /// Creates the state before the first attempt of `players` bots, which begins at `now`.
    pub(super) fn new(now: Instant, players: usize) -> RetryState {
        RetryState {
            started: now,
            restarts: 0,
            kills: vec![0; players],
            lacks_room: false,
        }
    }

    /// Returns `true` until both limits ([`RESTARTS_MIN`] and [`RETRY_TIME_MIN`]) are reached.
    pub(super) fn may_retry(&self, now: Instant) -> bool {
        self.restarts < RESTARTS_MIN || now.duration_since(self.started) < RETRY_TIME_MIN
    }

    /// Returns `true` if a disturbance in the attempt that begins at `now` ends the attempt, `false`
    /// if it is recorded as a fault.
    pub(super) fn abandons(&self, now: Instant) -> bool {
        let is_uncharged = self.kills.iter().all(|&times| times < KILLS_NOT_CHARGED);
        self.lacks_room || is_uncharged && self.may_retry(now)
    }

    /// Adds an attempt that `fault` has ended. Returns the pause before the next one.
    pub(super) fn add(&mut self, fault: &Fault) -> Duration {
        self.restarts += 1;
        // A process that could not be started was not killed.
        self.lacks_room = fault.kind == FaultKind::Start;
        if !self.lacks_room
            && let Some(kills) = self.kills.get_mut(usize::from(fault.entrant))
        {
            *kills += 1;
        }
        PAUSE * self.restarts.min(RESTARTS_MIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disturbance(entrant: u8, kind: FaultKind) -> Fault {
        Fault {
            entrant,
            kind,
            deal: 0,
            decision: 0,
            message: String::new(),
        }
    }

    #[test]
    fn the_third_kill_of_a_bot_in_a_block_counts_as_a_crash() {
        let now = Instant::now();
        let mut retry = RetryState::new(now, 3);
        for entrant in [0, 1, 0] {
            assert!(retry.abandons(now));
            retry.add(&disturbance(entrant, FaultKind::Crash));
        }
        assert!(!retry.abandons(now));
        assert_eq!(retry.kills, [2, 1, 0]);
    }

    #[test]
    fn a_failed_start_is_no_kill_and_is_retried_until_both_limits_are_reached() {
        let start = Instant::now();
        let mut retry = RetryState::new(start, 3);
        let late = start + RETRY_TIME_MIN;
        for _ in 0..RESTARTS_MIN {
            assert!(retry.may_retry(late));
            retry.add(&disturbance(0, FaultKind::Start));
        }
        assert!(retry.may_retry(start) && !retry.may_retry(late));
        // A failed start never counts as a fault of the bot.
        assert!(retry.abandons(late));
        assert_eq!(retry.kills, [0, 0, 0]);
    }

    #[test]
    fn kills_of_many_bots_are_not_retried_forever() {
        let start = Instant::now();
        let mut retry = RetryState::new(start, 3);
        let mut pauses = Vec::new();
        for _ in 0..RESTARTS_MIN {
            pauses.push(retry.add(&disturbance(9, FaultKind::Crash)));
        }
        assert!(pauses.is_sorted() && pauses[0] == PAUSE);
        assert!(retry.abandons(start) && !retry.abandons(start + RETRY_TIME_MIN));
    }
}
