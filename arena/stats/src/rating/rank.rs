//! Rank sets: which ranks a bot may hold, given what is significant.

/// The ranks that a bot may hold, both ends included; 1 is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankSet {
    /// Best rank: one more than the bots that are significantly above.
    pub best: usize,
    /// Worst rank: the number of bots less those significantly below.
    pub worst: usize,
}

/// The rank set of each of `bots` bots. When the statements `above(a, b)` hold together at some
/// confidence (as tests adjusted by Holm or Bonferroni do), the sets hold the true ranks of all
/// bots together at that confidence.
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
        // 0 is above 2 and 3; nothing else is settled.
        let sets = rank_sets(4, |a, b| a == 0 && 2 <= b);
        let ends: Vec<(usize, usize)> = sets.iter().map(|set| (set.best, set.worst)).collect();
        assert_eq!(ends, vec![(1, 2), (1, 4), (2, 4), (2, 4)]);
    }
}
