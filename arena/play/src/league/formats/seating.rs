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
    pub(super) fn add_table(&mut self, table: &[usize]) {
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
            .map(|(index, &entrant)| self.cost(entrant, table[index + 1..].iter()))
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
        .for_each(|(index, &entrant)| rank[entrant] = index);
    let is_nearer = |one: usize, a: usize, b: usize| {
        let distance = |other: usize| {
            let in_points = (points(one) - points(other)).abs();
            (in_points, rank[one].abs_diff(rank[other]))
        };
        distance(a) < distance(b)
    };
    while exchange(&mut tables, is_nearer, met) {}
    if tables.iter().any(|table| met.cost_of(table) > 0)
        && order.len() <= SEARCHED_MAX
        && let Some(fresh_tables) = PairingSearch::run(order, tables[0].len(), met)
    {
        tables = fresh_tables;
    }
    tables
        .iter_mut()
        .for_each(|table| table.sort_by_key(|&entrant| rank[entrant]));
    tables.sort_by_key(|table| rank[table[0]]);
    tables
}

/// An exchange of an entrant with an entrant of another table.
#[derive(Clone, Copy)]
struct Exchange {
    /// Reduction of the cost of rematches.
    gain: u64,
    /// The entrant of the other table.
    entrant: usize,
    table: usize,
    /// Index of the entrant at the other table.
    index: usize,
}

/// Makes one pass of exchanges. An entrant with a rematch changes tables with the entrant of
/// another table that reduces the cost most; `is_nearer` decides between entrants with equal
/// reductions. Returns `true` if anything changed. Each exchange reduces the cost, so that repeated
/// passes terminate.
fn exchange(
    tables: &mut [Vec<usize>],
    is_nearer: impl Fn(usize, usize, usize) -> bool,
    met: &PastMeetings,
) -> bool {
    let mut is_better = false;
    for a in 0..tables.len() {
        for i in 0..tables[a].len() {
            let one = tables[a][i];
            let partners_of_one = || tables[a].iter().filter(|&&entrant| entrant != one);
            let cost = met.cost(one, partners_of_one());
            if cost == 0 {
                continue;
            }
            let mut best: Option<Exchange> = None;
            for b in (0..tables.len()).filter(|&b| b != a) {
                for (j, &two) in tables[b].iter().enumerate() {
                    let partners_of_two = || tables[b].iter().filter(|&&entrant| entrant != two);
                    let old_cost = cost + met.cost(two, partners_of_two());
                    let new_cost =
                        met.cost(two, partners_of_one()) + met.cost(one, partners_of_two());
                    let gain = old_cost.saturating_sub(new_cost);
                    let is_best = best.is_none_or(|best| {
                        gain > best.gain || gain == best.gain && is_nearer(one, two, best.entrant)
                    });
                    if gain > 0 && is_best {
                        best = Some(Exchange {
                            gain,
                            entrant: two,
                            table: b,
                            index: j,
                        });
                    }
                }
            }
            if let Some(best) = best {
                tables[a][i] = best.entrant;
                tables[best.table][best.index] = one;
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
        let all = (0..order.len()).fold(0, |bits, index| bits | 1_u128 << index);
        search.seat(all).then(|| {
            search
                .tables
                .into_iter()
                .map(|table| table.into_iter().map(|index| order[index]).collect())
                .collect()
        })
    }

    /// Returns `true` if all `free` entrants can be seated. Seats the entrant with the fewest
    /// choices first.
    fn seat(&mut self, free: u128) -> bool {
        let choices = |index: usize| (self.fresh[index] & free).count_ones();
        match set_bits(free).min_by_key(|&index| (choices(index), index)) {
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
        while self.size - table.len() <= candidates.count_ones() as usize && self.steps > 0 {
            self.steps -= 1;
            let nearest = set_bits(candidates)
                .min_by_key(|&index| (index.abs_diff(table[0]), index))
                .expect("the table is not full, so there is at least one candidate");
            candidates &= !(1 << nearest);
            table.push(nearest);
            if self.fill(
                table,
                candidates & self.fresh[nearest],
                free & !(1 << nearest),
            ) {
                return true;
            }
            table.pop();
        }
        false
    }
}

/// Returns the positions of the bits that are set in `bits`.
fn set_bits(bits: u128) -> impl Iterator<Item = usize> {
    (0..128).filter(move |index| bits >> index & 1 == 1)
}
