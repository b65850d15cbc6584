//! Rank sets: the possible ranks of each bot, given which differences are significant.

/// The possible ranks of a bot, both ends included; 1 is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankSet {
    /// Best rank: one more than the number of bots significantly above.
    pub best: usize,
    /// Worst rank: the number of bots minus the number significantly below.
    pub worst: usize,
}

/// Returns the rank set of each of `bots` bots.
///
/// If all statements `above(a, b)` are simultaneously true with some confidence, the sets contain
/// the true ranks of all bots with that confidence. Tests adjusted by Holm or Bonferroni are an
/// example.
pub fn rank_sets(bots: usize, above: impl Fn(usize, usize) -> bool) -> Vec<RankSet> {
    let count = |holds: &dyn Fn(usize) -> bool| (0..bots).filter(|&other| holds(other)).count();
    (0..bots)
        .map(|bot| RankSet {
            best: 1 + count(&|other| other != bot && above(other, bot)),
            worst: bots - count(&|other| other != bot && above(bot, other)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_significant_leaves_ranks_open() {
        // Bot 0 is above 2 and 3; no other difference is significant.
        let sets = rank_sets(4, |a, b| a == 0 && 2 <= b);
        let ends: Vec<(usize, usize)> = sets.iter().map(|set| (set.best, set.worst)).collect();
        assert_eq!(ends, vec![(1, 2), (1, 4), (2, 4), (2, 4)]);
    }
}
