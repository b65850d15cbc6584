//! Claims of a race for the k best arms.

use super::evidence::Evidence;
use super::standing::Side;

/// The claim about an arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No claim yet.
    Open,
    /// Within the margin of the k best, but not known to be one of them. An arm in this state never
    /// becomes `Out`, because the two claims would contradict each other.
    Within,
    /// One of the k best.
    In,
    /// Not one of the k best.
    Out,
}

/// The claims about all arms.
#[derive(Debug)]
pub(super) struct Contest {
    slots: usize,
    states: Vec<State>,
}

impl Contest {
    pub(super) fn new(arms: usize, slots: usize) -> Self {
        Self {
            slots,
            states: vec![State::Open; arms],
        }
    }

    pub(super) fn side(&self, arm: usize) -> Side {
        match self.states[arm] {
            State::Open => Side::Open,
            State::Within | State::In => Side::In,
            State::Out => Side::Out,
        }
    }

    /// Returns `true` if it is unknown whether the arm is one of the k best.
    pub(super) fn is_in_question(&self, arm: usize) -> bool {
        matches!(self.states[arm], State::Open | State::Within)
    }

    fn in_question(&self) -> Vec<usize> {
        (0..self.states.len())
            .filter(|&arm| self.is_in_question(arm))
            .collect()
    }

    fn count(&self, state: State) -> usize {
        self.states.iter().filter(|&&s| s == state).count()
    }

    /// Returns the number of places among the k best that are not yet assigned.
    fn free(&self) -> usize {
        self.slots.saturating_sub(self.count(State::In))
    }

    /// Returns ln of the error of each statement about two arms. The error is divided among the
    /// statements that could cause a false claim.
    pub(super) fn ln_level(&self, ln_error: f64) -> f64 {
        let all = self.states.len();
        let taken = self.count(State::In).min(all - 1);
        let left = all - self.count(State::Out);
        let statements = taken * (all - taken) + left.saturating_sub(taken) * (all - 1 - taken);
        ln_error - libm::log(statements.max(1) as f64)
    }

    /// Adds the claims that the evidence supports. Earlier claims are never withdrawn.
    pub(super) fn update(&mut self, evidence: &Evidence, ln_error: f64) {
        loop {
            let ln_level = self.ln_level(ln_error);
            let (arms, free) = (self.in_question(), self.free());
            let below = arms.len().saturating_sub(free);
            let count = |is: &dyn Fn(usize) -> bool| arms.iter().filter(|&&b| is(b)).count();
            let is_in =
                |&arm: &usize| below <= count(&|b| b != arm && evidence.ahead(arm, b, ln_level));
            let (inside, rest): (Vec<usize>, Vec<usize>) = arms.iter().partition(|&arm| is_in(arm));
            let outside: Vec<usize> = rest
                .into_iter()
                .filter(|&arm| self.states[arm] == State::Open)
                .filter(|&arm| free <= count(&|b| b != arm && evidence.ahead(b, arm, ln_level)))
                .collect();
            // Evidence can form a cycle, with a probability below the error. Such evidence supports
            // no claim.
            if free < inside.len() || below < outside.len() {
                return;
            }
            if inside.is_empty() && outside.is_empty() {
                arms.iter()
                    .copied()
                    .filter(|&arm| {
                        below <= count(&|b| b != arm && evidence.not_behind(arm, b, ln_level))
                    })
                    .for_each(|arm| self.states[arm] = State::Within);
                return;
            }
            inside.iter().for_each(|&arm| self.states[arm] = State::In);
            outside
                .iter()
                .for_each(|&arm| self.states[arm] = State::Out);
        }
    }

    /// Returns the pairs that must be decided before the best k arms are known, the arm with the
    /// higher mean first. Empty if they are known.
    pub(super) fn unsettled(&self, evidence: &Evidence, ln_error: f64) -> Vec<(usize, usize)> {
        let mut arms = self.in_question();
        let free = self.free();
        if free <= self.count(State::Within) {
            return Vec::new();
        }
        arms.sort_by(|&a, &b| evidence.by_mean(a, b));
        let (above, below) = arms.split_at(free.min(arms.len()));
        let ln_level = self.ln_level(ln_error);
        above
            .iter()
            .filter(|&&arm| self.states[arm] == State::Open)
            .flat_map(|&a| below.iter().map(move |&b| (a, b)))
            .filter(|&(a, b)| !evidence.not_behind(a, b, ln_level))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_error_level_grows_as_fewer_claims_remain_open() {
        let mut contest = Contest::new(20, 1);
        assert!((contest.ln_level(0.0) + libm::log(380f64)).abs() < 1e-12);
        // All arms except two are out.
        contest.states[2..].fill(State::Out);
        assert!((contest.ln_level(0.0) + libm::log(38f64)).abs() < 1e-12);
        // Four of five places are assigned, and two arms compete for the last.
        let mut contest = Contest::new(20, 5);
        contest.states[..4].fill(State::In);
        contest.states[6..].fill(State::Out);
        assert!((contest.ln_level(0.0) + libm::log(f64::from(4 * 16 + 2 * 15))).abs() < 1e-12);
    }

    #[test]
    fn cyclic_evidence_leads_to_no_claim() {
        let mut evidence = Evidence::new(3, 0.0);
        [(0, 1), (1, 2), (2, 0)]
            .into_iter()
            .for_each(|(a, b)| evidence.show(a, b, true, true));
        for slots in [1, 2] {
            let mut contest = Contest::new(3, slots);
            contest.update(&evidence, -1.0);
            assert_eq!(contest.states, [State::Open; 3]);
        }
    }

    #[test]
    fn an_arm_within_the_margin_does_not_also_become_out() {
        let mut evidence = Evidence::new(3, 1.0);
        [1, 2]
            .into_iter()
            .for_each(|b| evidence.show(0, b, false, true));
        let mut contest = Contest::new(3, 1);
        contest.update(&evidence, -1.0);
        assert_eq!(contest.states, [State::Within, State::Open, State::Open]);
        // Later the arm turns out to be second best.
        evidence.show(1, 0, true, true);
        evidence.show(0, 2, true, true);
        contest.update(&evidence, -1.0);
        assert_eq!(contest.states, [State::Within, State::In, State::Out]);
    }

    /// Checks the two properties of the shares of the error that the module documents. While all
    /// statements that share the error are true, no claim is false, whatever the other statements
    /// are. The number of statements is never larger than the number of shares.
    #[test]
    fn no_claim_is_false_if_all_counted_statements_are_true() {
        const MARGIN: f64 = 1.0;
        let mut rng = Rng::new(11);
        let mut claimed = [0; 3];
        for _ in 0..60_000 {
            let all = 2 + rng.below(5);
            let slots = 1 + rng.below(all - 1);
            let means: Vec<f64> = (0..all)
                .map(|_| [0.0, 0.5, 1.0, 1.5, 2.5][rng.below(5)])
                .collect();
            let mut sorted = means.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let line = sorted[slots - 1];
            let is_tied = sorted.get(slots).is_some_and(|&next| next == line);
            // True for arms on different sides of the line. An arm on the line counts on both sides
            // if the next arm is tied with it.
            let counts = |a: usize, b: usize| {
                line <= means[b]
                    && if is_tied {
                        means[a] <= line
                    } else {
                        means[a] < line
                    }
            };
            let mut statements = 0;
            let mut evidence = Evidence::new(all, MARGIN);
            let dense = rng.uniform();
            for a in 0..all {
                for b in (0..all).filter(|&b| b != a) {
                    statements += usize::from(counts(a, b));
                    let said = |rng: &mut Rng, is_true: bool| {
                        (is_true || !counts(a, b)) && rng.uniform() < dense
                    };
                    let ahead = said(&mut rng, means[b] < means[a]);
                    let not_behind = ahead || said(&mut rng, means[b] - MARGIN <= means[a]);
                    evidence.show(a, b, ahead, not_behind);
                }
            }
            let mut contest = Contest::new(all, slots);
            contest.update(&evidence, -1.0);
            let shares = libm::exp(-contest.ln_level(0.0));
            assert!(
                statements as f64 <= shares + 1e-9,
                "{means:?} {slots} {contest:?}: {statements} {shares}"
            );
            for (state, &mean) in contest.states.iter().zip(&means) {
                let is_true = match state {
                    State::Open => continue,
                    State::Within => line - MARGIN <= mean,
                    State::In => line < mean || line <= mean && !is_tied,
                    State::Out => mean < line,
                };
                assert!(is_true, "{means:?} {slots} {contest:?}");
                claimed[*state as usize - 1] += 1;
            }
        }
        assert!(claimed.iter().all(|&claims| 1000 < claims), "{claimed:?}");
    }
}
