//! Who is among the k best.

use super::evidence::{Evidence, by_mean};
use super::standing::Side;

/// What is known of an arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Within the margin of the k best, perhaps not one of them; never out, for then it would be in two sets.
    Within,
    /// One of the k best.
    In,
    Out,
}

#[derive(Debug, Clone)]
pub(super) struct Contest {
    slots: usize,
    states: Vec<State>,
    /// The round in which each arm ceased to be open.
    since: Vec<Option<u32>>,
}

impl Contest {
    pub(super) fn new(arms: usize, slots: usize) -> Self {
        Self { slots, states: vec![State::Open; arms], since: vec![None; arms] }
    }

    pub(super) fn side(&self, arm: usize) -> Side {
        match self.states[arm] {
            State::Open => Side::Open,
            State::Within | State::In => Side::In,
            State::Out => Side::Out,
        }
    }

    pub(super) fn since(&self, arm: usize) -> Option<u32> {
        self.since[arm]
    }

    /// Whether it is unknown on which side of the line between the k best and the rest an arm stands.
    pub(super) fn is_in_question(&self, arm: usize) -> bool {
        matches!(self.states[arm], State::Open | State::Within)
    }

    fn in_question(&self) -> Vec<usize> {
        (0..self.states.len()).filter(|&arm| self.is_in_question(arm)).collect()
    }

    fn count(&self, state: State) -> usize {
        self.states.iter().filter(|&&s| s == state).count()
    }

    /// Places among the k best that are not taken yet.
    fn free(&self) -> usize {
        self.slots.saturating_sub(self.count(State::In))
    }

    /// ln of what each statement about two arms may err by: those that could make a false claim share the error.
    pub(super) fn ln_level(&self, ln_error: f64) -> f64 {
        let all = self.states.len();
        let taken = self.count(State::In).min(all - 1);
        let left = all - self.count(State::Out);
        let statements = taken * (all - taken) + left.saturating_sub(taken) * (all - 1 - taken);
        ln_error - (statements.max(1) as f64).ln()
    }

    /// Claims what the evidence shows by now; what was claimed before stays.
    pub(super) fn update(&mut self, evidence: &Evidence, ln_error: f64, round: u32) {
        loop {
            let ln_level = self.ln_level(ln_error);
            let (arms, free) = (self.in_question(), self.free());
            let below = arms.len().saturating_sub(free);
            let count = |of: &dyn Fn(usize) -> bool| arms.iter().filter(|&&other| of(other)).count();
            let is_in = |&arm: &usize| below <= count(&|b| b != arm && evidence.ahead(arm, b, ln_level));
            let is_out = |&arm: &usize| free <= count(&|b| b != arm && evidence.ahead(b, arm, ln_level));
            let (inside, rest): (Vec<usize>, Vec<usize>) = arms.iter().partition(|&arm| is_in(arm));
            let is_open = |&arm: &usize| self.states[arm] == State::Open;
            let outside: Vec<usize> = rest.into_iter().filter(is_open).filter(is_out).collect();
            // Evidence that goes in a circle, as it may within the error, claims nothing.
            let is_circle = free < inside.len() || below < outside.len();
            if is_circle || inside.is_empty() && outside.is_empty() {
                break;
            }
            for (arms, state) in [(inside, State::In), (outside, State::Out)] {
                for arm in arms {
                    self.states[arm] = state;
                    self.since[arm].get_or_insert(round);
                }
            }
        }
        let ln_level = self.ln_level(ln_error);
        let (arms, free) = (self.in_question(), self.free());
        let below = arms.len().saturating_sub(free);
        for &arm in &arms {
            let reached = arms.iter().filter(|&&b| b != arm && evidence.not_behind(arm, b, ln_level)).count();
            if below <= reached {
                self.states[arm] = State::Within;
                self.since[arm].get_or_insert(round);
            }
        }
    }

    /// The pairs that keep k arms from being in, the first of them thought to be better; none when k are.
    pub(super) fn unsettled(&self, evidence: &Evidence, ln_error: f64, means: &[Option<f64>]) -> Vec<(usize, usize)> {
        let mut arms = self.in_question();
        let free = self.free();
        if free <= self.count(State::Within) {
            return Vec::new();
        }
        arms.sort_by(by_mean(means));
        let (above, below) = arms.split_at(free.min(arms.len()));
        let ln_level = self.ln_level(ln_error);
        let open = above.iter().filter(|&&arm| self.states[arm] == State::Open);
        open.flat_map(|&a| below.iter().map(move |&b| (a, b)))
            .filter(|&(a, b)| !evidence.not_behind(a, b, ln_level))
            .collect()
    }
}
