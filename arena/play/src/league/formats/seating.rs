//! Assigns entrants to tables with as few rematches as possible.

/// Maximum number of entrants for the exhaustive search, which runs if exchanges leave rematches.
const SEARCHED_MAX: usize = 128;
/// Maximum number of steps of the exhaustive search.
const STEPS_MAX: u32 = 20_000;

/// The number of meetings of every two entrants.
pub(super) struct PastMeetings {
    entrants: usize,
    times: Vec<u32>,
}

impl PastMeetings {
    /// Creates counts of zero for `entrants` entrants.
    pub(super) fn new(entrants: usize) -> PastMeetings {
        PastMeetings {
            entrants,
            times: vec![0; entrants * entrants],
        }
    }

    /// Counts the meetings at a table.
    pub(super) fn note(&mut self, table: &[usize]) {
        for &a in table {
            for &b in table {
                self.times[a * self.entrants + b] += u32::from(a != b);
            }
        }
    }

    /// Returns the number of meetings of two entrants.
    pub(super) fn times(&self, a: usize, b: usize) -> u32 {
        self.times[a * self.entrants + b]
    }

    /// Returns the cost of seating `entrant` with `others`: the sum of squared numbers of meetings.
    /// Because of the squares, a third meeting costs more than two second meetings of other pairs.
    fn cost<'t>(&self, entrant: usize, others: impl Iterator<Item = &'t usize>) -> u64 {
        others
            .map(|&other| u64::from(self.times(entrant, other)).pow(2))
            .sum()
    }

    /// Returns the cost of a table; 0 means no rematch.
    pub(super) fn cost_of(&self, table: &[usize]) -> u64 {
        table
            .iter()
            .enumerate()
            .map(|(place, &entrant)| self.cost(entrant, table[place + 1..].iter()))
            .sum()
    }
}

/// Returns tables that are similar to `ideal` and have few rematches. First, entrants of different
/// tables are exchanged while that reduces rematches. Entrants with similar points are preferred
/// for an exchange, then those that are close in `order`. If rematches remain and there are few
/// entrants, `PairingSearch` looks for tables without any.
///
/// `order` contains all seated entrants, best first; all tables have the same size.
pub(super) fn avoid_rematches(
    ideal: Vec<Vec<usize>>,
    order: &[usize],
    points: impl Fn(usize) -> f64,
    met: &PastMeetings,
) -> Vec<Vec<usize>> {
    let mut tables = ideal;
    let mut rank = vec![0; met.entrants];
    order
        .iter()
        .enumerate()
        .for_each(|(at, &entrant)| rank[entrant] = at);
    let nearer = |one: usize, a: usize, b: usize| {
        let apart = |other: usize| (points(one) - points(other)).abs();
        let by_rank = || {
            rank[one]
                .abs_diff(rank[a])
                .cmp(&rank[one].abs_diff(rank[b]))
        };
        apart(a).total_cmp(&apart(b)).then_with(by_rank).is_lt()
    };
    while exchange(&mut tables, nearer, met) {}
    if tables.iter().any(|table| 0 < met.cost_of(table))
        && order.len() <= SEARCHED_MAX
        && let Some(found) = PairingSearch::run(order, tables[0].len(), met)
    {
        tables = found;
    }
    tables
        .iter_mut()
        .for_each(|table| table.sort_by_key(|&entrant| rank[entrant]));
    tables.sort_by_key(|table| rank[table[0]]);
    tables
}

/// Makes one pass of exchanges. An entrant with a rematch changes places with the entrant of
/// another table that reduces the cost most; among entrants with equal reductions, the one that is
/// `nearer` is chosen. Returns `true` if anything changed. Each exchange reduces the cost, so that
/// repeated passes terminate.
fn exchange(
    tables: &mut [Vec<usize>],
    nearer: impl Fn(usize, usize, usize) -> bool,
    met: &PastMeetings,
) -> bool {
    let mut is_better = false;
    for a in 0..tables.len() {
        for i in 0..tables[a].len() {
            let one = tables[a][i];
            let with_one = || tables[a].iter().filter(|&&entrant| entrant != one);
            let cost = met.cost(one, with_one());
            if cost == 0 {
                continue;
            }
            let mut best: Option<(u64, usize, usize, usize)> = None;
            for b in (0..tables.len()).filter(|&b| b != a) {
                for (j, &two) in tables[b].iter().enumerate() {
                    let with_two = || tables[b].iter().filter(|&&entrant| entrant != two);
                    let before = cost + met.cost(two, with_two());
                    let after = met.cost(two, with_one()) + met.cost(one, with_two());
                    let gain = before.saturating_sub(after);
                    let is_best = best.is_none_or(|(most, other, ..)| {
                        most < gain || most == gain && nearer(one, two, other)
                    });
                    if 0 < gain && is_best {
                        best = Some((gain, two, b, j));
                    }
                }
            }
            if let Some((_, two, b, j)) = best {
                (tables[a][i], tables[b][j]) = (two, one);
                is_better = true;
            }
        }
    }
    is_better
}

/// A search for tables without rematches. In sets of entrants, bit k stands for the entrant at
/// position k of the order.
struct PairingSearch {
    /// For each entrant, the entrants that it has not met.
    fresh: Vec<u128>,
    size: usize,
    steps: u32,
    tables: Vec<Vec<usize>>,
}

impl PairingSearch {
    fn run(order: &[usize], size: usize, met: &PastMeetings) -> Option<Vec<Vec<usize>>> {
        let is_fresh = |a: usize, b: usize| a != b && met.times(order[a], order[b]) == 0;
        let bits = |a| {
            (0..order.len())
                .filter(|&b| is_fresh(a, b))
                .fold(0, |bits, b| bits | 1_u128 << b)
        };
        let fresh = (0..order.len()).map(bits).collect();
        let mut search = PairingSearch {
            fresh,
            size,
            steps: STEPS_MAX,
            tables: Vec::new(),
        };
        let all = (0..order.len()).fold(0, |bits, at| bits | 1_u128 << at);
        let name = |table: Vec<usize>| table.into_iter().map(|at| order[at]).collect();
        search
            .seat(all)
            .then(|| search.tables.into_iter().map(name).collect())
    }

    /// Returns `true` if all `free` entrants can be seated. Seats the entrant with the fewest
    /// choices first.
    fn seat(&mut self, free: u128) -> bool {
        let choices = |at: usize| (self.fresh[at] & free).count_ones();
        match ones(free).min_by_key(|&at| (choices(at), at)) {
            None => true,
            Some(first) => self.fill(
                &mut vec![first],
                self.fresh[first] & free,
                free & !(1 << first),
            ),
        }
    }

    /// Returns `true` if `table` can be filled from `candidates`, which have not met any entrant of
    /// the table, and all other `free` entrants can be seated.
    fn fill(&mut self, table: &mut Vec<usize>, mut candidates: u128, free: u128) -> bool {
        if table.len() == self.size {
            self.tables.push(table.clone());
            let is_found = self.seat(free);
            if !is_found {
                self.tables.pop();
            }
            return is_found;
        }
        while self.size - table.len() <= candidates.count_ones() as usize && 0 < self.steps {
            self.steps -= 1;
            let near = ones(candidates)
                .min_by_key(|&at| (at.abs_diff(table[0]), at))
                .expect("candidates are left");
            candidates &= !(1 << near);
            table.push(near);
            if self.fill(table, candidates & self.fresh[near], free & !(1 << near)) {
                return true;
            }
            table.pop();
        }
        false
    }
}

/// Returns the positions of the ones in `bits`.
fn ones(bits: u128) -> impl Iterator<Item = usize> {
    (0..128).filter(move |at| bits >> at & 1 == 1)
}
